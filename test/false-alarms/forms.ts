/**
 * Runs the suite on a sound service in several forms and gives what it says against it, strictly judged.
 * Listed threads are the hard case: they hold what earlier runs left, and runs side by side share them.
 */
import {
  type Client,
  type ClientOptions,
  judge,
  mergeTraces,
  type RunOptions,
  run,
  type TargetProfile,
  type Trace,
} from '../../conformance/index.ts'

/** A service that keeps the contract, and how to reach it. */
export interface SoundService {
  readonly profile: TargetProfile
  /** Another way than HTTP to carry requests. */
  readonly client?: (options: ClientOptions) => Client
  readonly fetch: (request: Request) => Promise<Response>
  /** Rules of level should that it does not follow, as it may; they fail no run. */
  readonly departsFrom?: readonly string[]
}

export const forms = ['plain', 'again', 'shards'] as const
export type Form = (typeof forms)[number]

/** One line for each thing that a run in this form says against the service; a sound one gets none. */
export const complaints = (service: SoundService, form: Form, seed: number): Promise<readonly string[]> =>
  played[form](service, seed)

const played: Readonly<Record<Form, (service: SoundService, seed: number) => Promise<readonly string[]>>> = {
  plain: async (service, seed) =>
    undecided(service, await traceOf(service, { seed, concurrency: seed % 2 === 0 ? 8 : 1 })),
  /** The same seed writes the same texts into the same threads once more, another one other texts. */
  again: async (service, seed) => {
    const listed = { ...service, profile: await listing(service, { primary: 12, secondary: 4 }) }
    const fresh = await traceOf(listed, { seed })
    const again = await traceOf(listed, { seed })
    const other = await traceOf(listed, { seed: seed + 1 })
    return [...undecided(service, fresh), ...accusations(service, again), ...accusations(service, other)]
  },
  shards: async (service, seed) => {
    const listed = { ...service, profile: await listing(service, { primary: 20, secondary: 6 }) }
    const parts = [1, 2].map((index) => traceOf(listed, { seed, shard: { index, of: 2 } }))
    const traces = await Promise.all(parts)
    return [...traces.flatMap((part) => accusations(service, part)), ...undecided(service, mergeTraces(traces))]
  },
}

const accusations = ({ departsFrom = [] }: SoundService, trace: Trace): readonly string[] =>
  judge(trace, { strict: true })
    .verdicts.filter(({ outcome }) => outcome === 'violated' || outcome === 'suite-fault')
    .filter(({ requirement, blocking }) => blocking || !departsFrom.includes(requirement))
    .map(({ requirement, operation, actual, reason }) => `${requirement} ${operation}: ${actual ?? reason}`)

/** As accusations, and what a sound service should have been granted. */
const undecided = (service: SoundService, trace: Trace): readonly string[] => {
  const { outcome, verdicts } = judge(trace, { strict: true })
  if (outcome === 'conformant') return accusations(service, trace)
  const open = verdicts.filter((one) => one.owed && (one.outcome === 'unexercised' || one.outcome === 'inconclusive'))
  return [
    ...accusations(service, trace),
    ...open.map((one) => `${one.requirement} ${one.operation}: ${one.outcome} (${one.reason})`),
    `the run is ${outcome}`,
  ]
}

const traceOf = async ({ profile, client }: SoundService, options: RunOptions): Promise<Trace> => {
  for await (const event of run(profile, { tier: 'gate', ...options, client })) {
    if (event.type === 'finished') return event.trace
  }
  throw new Error('the run ended without a trace')
}

type Tenant = 'primary' | 'secondary'

/** The profile with so many threads of each assistant of a tenant in a list, which the service's own source makes. */
const listing = async (
  { profile, fetch }: SoundService,
  counts: Readonly<Record<Tenant, number>>,
): Promise<TargetProfile> => {
  const { threads: source, tenants, baseUrl } = profile
  if (source?.kind !== 'http') throw new Error('the service makes no threads')
  const makeOne = async (tenant: Tenant, assistant_id: string) => {
    const headers = { 'api-key': tenants[tenant]?.key ?? '', 'content-type': 'application/json' }
    const body = JSON.stringify(source.body ?? {}).replace('{{assistant_id}}', assistant_id)
    const answer = await fetch(new Request(`${baseUrl}${source.path}`, { method: source.method, headers, body }))
    const id = source.pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((value, key) => Reflect.get(Object(value), key), await answer.json())
    if (typeof id !== 'string') throw new Error(`no thread was made: ${answer.status}`)
    return { id, tenant, holds: 'empty', assistant_id } as const
  }
  const made = (['primary', 'secondary'] as const).map(async (tenant) => {
    const headers = { 'api-key': tenants[tenant]?.key ?? '' }
    const listed = await fetch(new Request(`${baseUrl}/v1/assistants`, { headers }))
    const assistants = (await listed.json()) as readonly { readonly id: string }[]
    const ids = Array.from({ length: counts[tenant] }, () => assistants.map(({ id }) => id)).flat()
    const threads: Awaited<ReturnType<typeof makeOne>>[] = []
    for (const id of ids) threads.push(await makeOne(tenant, id))
    return threads
  })
  return { ...profile, threads: { kind: 'static', threads: (await Promise.all(made)).flat() } }
}
