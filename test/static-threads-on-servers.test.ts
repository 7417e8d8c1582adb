/** Tests on other servers that listed threads accuse nobody, used again or by parts side by side. */
import { expect, test } from 'vitest'
import { judge, mergeTraces, type RunOptions, run, type TargetProfile, type Trace } from '../conformance/index.ts'
import { startAtrium } from './servers/atrium/index.ts'
import { startBasalt } from './servers/basalt/index.ts'
import { hasPython, startCedar } from './servers/cedar/start-cedar.ts'
import { startJuniper } from './servers/juniper/start-juniper.ts'
import { pick, sampleCount } from './support/samples.ts'

const servers = [
  ['atrium', startAtrium],
  ['basalt', startBasalt],
  ['juniper', startJuniper],
  ...(hasPython ? ([['cedar', startCedar]] as const) : []),
] as const

/** The profile with so many threads of each tenant in a list, which the server's own source makes. */
const listing = async (profile: TargetProfile, counts: Readonly<Record<'primary' | 'secondary', number>>) => {
  const { threads: source, tenants, baseUrl } = profile
  if (source?.kind !== 'http') throw new Error('the server makes no threads')
  const made = (['primary', 'secondary'] as const).flatMap((tenant) =>
    Array.from({ length: counts[tenant] }, async () => {
      const headers = { 'api-key': tenants[tenant]?.key ?? '', 'content-type': 'application/json' }
      const listed = await fetch(`${baseUrl}/v1/assistants`, { headers })
      const [first] = (await listed.json()) as readonly { readonly id: string }[]
      const body = JSON.stringify(source.body ?? {}).replace('{{assistant_id}}', first?.id ?? '')
      const answer = await fetch(`${baseUrl}${source.path}`, { method: source.method, headers, body })
      const id = source.pointer
        .split('/')
        .slice(1)
        .reduce<unknown>((value, key) => Reflect.get(Object(value), key), await answer.json())
      if (typeof id !== 'string') throw new Error(`no thread was made: ${answer.status}`)
      return { id, tenant, holds: 'empty', ...(first === undefined ? {} : { assistant_id: first.id }) } as const
    }),
  )
  return { ...profile, threads: { kind: 'static', threads: await Promise.all(made) } } satisfies TargetProfile
}

const traceOf = async (profile: TargetProfile, options: RunOptions): Promise<Trace> => {
  for await (const event of run(profile, options)) if (event.type === 'finished') return event.trace
  throw new Error('the run ended without a trace')
}

const accused = (trace: Trace): readonly string[] =>
  judge(trace, { strict: true })
    .verdicts.filter(({ outcome }) => outcome === 'violated' || outcome === 'suite-fault')
    .map(({ requirement, operation, actual, reason }) => `${requirement} ${operation}: ${actual ?? reason}`)

const upheld = (trace: Trace): number => judge(trace).verdicts.filter(({ outcome }) => outcome === 'upheld').length

test.each(pick(servers, Math.min(servers.length, sampleCount('servers whose listed threads are used again'))))(
  'listed threads accuse %s of nothing, used again or by two parts at once',
  { timeout: 240_000 },
  async (_, start) => {
    const server = await start()
    try {
      const profile = await listing(server.profile, { primary: 24, secondary: 8 })
      const fresh = await traceOf(profile, { seed: 1 })
      expect(accused(fresh)).toEqual([])
      expect(upheld(fresh)).toBeGreaterThan(250)
      expect(accused(await traceOf(profile, { seed: 2 }))).toEqual([])
      const wide = await listing(server.profile, { primary: 40, secondary: 12 })
      const parts = await Promise.all([1, 2].map((index) => traceOf(wide, { seed: 1, shard: { index, of: 2 } })))
      expect(parts.flatMap(accused)).toEqual([])
      expect(accused(mergeTraces(parts))).toEqual([])
    } finally {
      await server.close()
    }
  },
)
