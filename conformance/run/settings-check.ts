/**
 * Requests the assistants, threads and error-provoking keys that a profile names, before a run. A wrong setting would look
 * like a faulty service, or would leave claims of the user unjudged.
 */
import { type Client, createClient } from '../client/client.ts'
import { BudgetExhausted, createMeter } from '../client/meter.ts'
import type { ClientOptions } from '../client/send-request.ts'
import { isPathSegment, pathSegment } from '../client/target-url.ts'
import { errorCodeOf } from '../client/transient-failure.ts'
import { uuidForm } from '../judge/read/formats.ts'
import { provokingKeys, unknownProvokingKey } from '../preflight/provoking-keys.ts'
import { threadSource } from '../preflight/thread-source.ts'
import { type AssistantSummary, assistantSummaries, isNamed } from '../probe-runtime/assistant-summary.ts'
import { secretsOf } from '../profile/redact-profile.ts'
import type { StaticThread, TargetProfile } from '../profile/target-profile.ts'
import { createPseudonyms } from '../pseudonyms/pseudonyms.ts'
import { answerJson } from '../trace/bytes.ts'
import type { Exchange } from '../trace/exchange.ts'
import type { SettingProblem } from './setting-problem.ts'

export interface SettingsCheckOptions {
  readonly maxExchanges?: number | undefined
  /** Another way to carry requests; default HTTP. */
  readonly client?: ((options: ClientOptions) => Client) | undefined
}

/**
 * Requests everything that the profile names, without model calls; a problem that a faulty service could have caused is
 * left to the judge.
 */
export async function askSettings(
  profile: TargetProfile,
  { maxExchanges, client: connect = createClient }: SettingsCheckOptions = {},
): Promise<{ readonly problem: SettingProblem | null; readonly exchanges: number }> {
  const meter = createMeter({ maxExchanges, maxModelCalls: 0, ratePerMinute: profile.budget.ratePerMinute })
  await using client = connect({ profile, pseudonyms: createPseudonyms({ secrets: secretsOf(profile) }), meter })
  const problem = await firstProblem(client, profile).catch((cause: unknown) => {
    if (cause instanceof BudgetExhausted) return null
    throw cause
  })
  return { problem, exchanges: meter.cost().exchanges }
}

/** The most requests that the check takes when nothing is sent twice. */
export function mostSettingsRequests(profile: TargetProfile): number {
  const names = namedAssistants(profile).length
  const { threads } = profile
  const keys = 2 * provokingKeys(profile).length
  if (names === 0 && threads === null) return keys
  const tenants = threads?.kind === 'static' ? new Set(threads.threads.map(({ tenant }) => tenant)).size : 0
  const lists = 1 + otherTenants(profile.tenants).length
  return keys + lists + names + (threads === null ? 0 : Math.max(mostLooks, (mostLooks + 1) * tenants))
}

const firstProblem = async (client: Client, profile: TargetProfile): Promise<SettingProblem | null> =>
  (await keyProblem(client, profile)) ?? problemAt(client, profile)

async function keyProblem(client: Client, profile: TargetProfile): Promise<SettingProblem | null> {
  const unknown = await unknownProvokingKey(client, profile)
  if (unknown === null) return null
  return {
    kind: 'setting',
    field: `provoke.${unknown.code}`,
    seen: `the target treats its key like one that does not exist (${unknown.seen})`,
    fix: 'use a key that provokes it, or remove it',
  }
}

async function problemAt(client: Client, profile: TargetProfile): Promise<SettingProblem | null> {
  const names = namedAssistants(profile)
  if (names.length === 0 && profile.threads === null) return null
  const assistants = assistantSummaries(answerJson(await get(client, '/v1/assistants', 'listAssistants')))
  if (assistants.length === 0) return null
  return (
    (await unknownAssistant(client, names, assistants, profile)) ??
    noneLeft(profile, assistants) ??
    threadProblem(client, profile, assistants)
  )
}

interface NamedAssistant {
  readonly field: string
  readonly name: string
}

function namedAssistants({ tools, assistants, threads, runBody, provoke }: TargetProfile): readonly NamedAssistant[] {
  const { use = [], avoid = [], ...entries } = assistants
  const listed = threads?.kind === 'static' ? threads.threads : []
  const bound = listed.flatMap(({ tenant, assistant_id: id }) => (tenant === 'primary' && id !== undefined ? [id] : []))
  return [
    ...(tools?.assistant_id === undefined ? [] : [{ field: 'tools.assistant_id', name: tools.assistant_id }]),
    ...use.map((name) => ({ field: 'assistants.use', name })),
    ...avoid.map((name) => ({ field: 'assistants.avoid', name })),
    ...[Object(runBody).assistant_id]
      .filter((id) => uuidForm(id) !== 'wrong')
      .map((id) => ({ field: 'runBody', name: String(id) })),
    ...Object.entries(provoke).flatMap(([code, { assistant }]) =>
      assistant === undefined || refusals.has(code) ? [] : [{ field: `provoke.${code}`, name: assistant }],
    ),
    ...[...new Set(bound)].map((name) => ({ field: 'threads.threads', name })),
    ...Object.keys(entries).flatMap((name) => (name === '*' ? [] : [{ field: 'assistants', name }])),
  ]
}

/** The errors that an assistant of another tenant may provoke. */
const refusals = new Set(['assistant_not_available', 'resource_not_found'])

function noneLeft({ assistants: { use, avoid = [] } }: TargetProfile, listed: readonly AssistantSummary[]) {
  const named = (names: readonly string[], one: AssistantSummary) => names.some((name) => isNamed(one, name))
  const usable = listed.filter((one) => use === undefined || named(use, one))
  if (usable.length === 0 || usable.some((one) => !named(avoid, one))) return null
  const seen = use === undefined ? 'it names every assistant' : 'it names every assistant of assistants.use'
  return {
    kind: 'setting',
    field: 'assistants.avoid',
    seen,
    fix: 'leave at least one assistant that can be asked',
  } as const
}

/** The settings of the profile that hold for the assistants of every tenant. */
const ofAnyTenant = new Set(['assistants', 'assistants.use', 'assistants.avoid'])

type OtherTenant = 'secondary' | 'throttled'

/** A list for the throttled key costs one request of its quota, so it comes last. */
const otherTenants = (tenants: TargetProfile['tenants']): readonly OtherTenant[] =>
  (['secondary', 'throttled'] as const).filter((tenant) => tenants[tenant] !== undefined)

/** An assistant that can be read by its id exists, though it is not listed. */
async function unknownAssistant(
  client: Client,
  names: readonly NamedAssistant[],
  listed: readonly AssistantSummary[],
  { tenants }: TargetProfile,
): Promise<SettingProblem | null> {
  const foreign = new Map<OtherTenant, readonly AssistantSummary[]>()
  const mayBeAnothers = async (name: string): Promise<boolean> => {
    for (const tenant of otherTenants(tenants)) {
      const theirs =
        foreign.get(tenant) ??
        assistantSummaries(answerJson(await get(client, '/v1/assistants', 'listAssistants', tenant)))
      foreign.set(tenant, theirs)
      if (theirs.length === 0 || theirs.some((assistant) => isNamed(assistant, name))) return true
    }
    return false
  }
  for (const { field, name } of names) {
    if (listed.some((assistant) => isNamed(assistant, name))) continue
    const mayBeForeign = ofAnyTenant.has(field) && otherTenants(tenants).length > 0
    if (mayBeForeign && (await mayBeAnothers(name))) continue
    // A list without names says nothing of an assistant that goes by its name.
    if (uuidForm(name) === 'wrong' && listed.some((assistant) => assistant.name === undefined)) continue
    const isServed =
      isPathSegment(name) &&
      !isRefused(await get(client, `/v1/assistants/${pathSegment('assistant_id', name)}`, 'getAssistant'))
    if (isServed) continue
    return {
      kind: 'setting',
      field,
      seen: `it names ${name}, but ${mayBeForeign ? 'no tenant' : 'the primary tenant'} has ${mayBeForeign ? 'such an' : 'no such'} assistant`,
      fix: 'GET /v1/assistants lists the assistants',
    }
  }
  return null
}

async function threadProblem(
  client: Client,
  profile: TargetProfile,
  assistants: readonly AssistantSummary[],
): Promise<SettingProblem | null> {
  const { threads } = profile
  if (threads === null) return null
  if (threads.kind === 'static') return unlistedThreads(client, threads.threads)
  const answers: Exchange[] = []
  const send: Client['send'] = async (request) => {
    const exchange = await client.send(request)
    answers.push(exchange)
    return exchange
  }
  const source = threadSource(profile, { send })
  const make = (id: string | undefined) =>
    source.next({ tenant: 'primary', assistantId: id ?? null, for: 'the settings' })
  let made = await make(assistants[0]?.id)
  // One that is listed may be broken, or another tenant's: the judge says so, as long as any of them gets a thread.
  for (const { id } of othersTried(assistants)) if ('none' in made && made.isHung !== true) made = await make(id)
  if ('none' in made) {
    if (answers.some(isFailure)) return null
    const field = threads.kind === 'http' ? 'threads' : 'threads.command'
    const fix = threads.kind === 'http' ? 'check its path, body and pointer' : 'run it by hand'
    // An exchange of this check stands in no trace.
    return {
      kind: 'setting',
      field,
      seen: made.none.replace(/ \(E\d+\)/, ''),
      fix: `${fix}; check it again with acs doctor`,
    }
  }
  const { id: madeId } = made
  if (threads.kind === 'http' && assistants.some(({ id }) => id.toLowerCase() === madeId.toLowerCase()))
    return { ...otherId, seen: `${threads.pointer} finds ${madeId}, which is the id of an assistant` }
  if (threads.kind === 'http' || !isRefused(await list(client, { id: made.id, tenant: 'primary' }))) return null
  return {
    kind: 'setting',
    field: 'threads.command',
    seen: `it printed ${made.id}, but the target does not know this thread`,
    fix: 'it must print only the id of a new thread',
  }
}

const otherId = { kind: 'setting', field: 'threads.pointer', fix: "point to the thread's id" } as const

/** The assistants for which a thread is asked after the first one: those that differ most tend to stand far apart. */
const othersTried = (assistants: readonly AssistantSummary[]): readonly AssistantSummary[] =>
  assistants
    .slice(1)
    .reverse()
    .slice(0, mostLooks - 1)

/** The answers that no setting explains. */
const isFailure = ({ response, ending }: Exchange): boolean =>
  response === null || ending !== 'complete' || response.status >= 500 || response.status === 429

/** Only when none of a tenant's threads is known: a run skips single ones. */
async function unlistedThreads(client: Client, threads: readonly StaticThread[]): Promise<SettingProblem | null> {
  for (const tenant of new Set(threads.map((thread) => thread.tenant))) {
    const own = threads.filter((thread) => thread.tenant === tenant).slice(0, mostLooks)
    let refused: Exchange | null = null
    for (const thread of own) {
      const listed = await list(client, thread)
      refused = isRefused(listed) ? listed : null
      if (refused === null) break
    }
    const [first] = own
    if (refused === null || first === undefined || !isRefusedAlike(refused, await addNothing(client, first))) continue
    const status = [refused.response?.status, errorCodeOf(refused)].filter((part) => part != null).join(' ')
    return {
      kind: 'setting',
      field: 'threads.threads',
      seen: `the target knows none of the threads listed for the tenant ${tenant} (${status})`,
      fix: 'list threads that exist there and belong to that tenant',
    }
  }
  return null
}

const mostLooks = 5

/** Whether an empty message is refused as the list is: where the thread exists, it is refused for being empty. */
const isRefusedAlike = (listed: Exchange, added: Exchange): boolean =>
  isRefused(added) && errorCodeOf(added) === errorCodeOf(listed)

/** An empty message, which no thread takes. */
const addNothing = (client: Client, { id, tenant }: StaticThread): Promise<Exchange> =>
  client.send({
    method: 'POST',
    path: `/v1/threads/${pathSegment('thread_id', id)}/messages`,
    credential: tenant,
    operation: 'createMessage',
    intent: null,
    body: JSON.stringify({ role: 'user', content: '' }),
  })

const list = (client: Client, { id, tenant }: Pick<StaticThread, 'id' | 'tenant'>): Promise<Exchange> =>
  client.send({
    method: 'GET',
    path: `/v1/threads/${pathSegment('thread_id', id)}/messages`,
    credential: tenant,
    operation: 'listMessages',
    intent: null,
  })

const get = (
  client: Client,
  path: string,
  operation: 'listAssistants' | 'getAssistant',
  credential: 'primary' | OtherTenant = 'primary',
): Promise<Exchange> => client.send({ method: 'GET', path, credential, operation, intent: null })

/** A refusal that a wrong id or a wrong tenant explains. */
const isRefused = ({ response }: Exchange): boolean =>
  response !== null && [400, 403, 404, 422].includes(response.status)
