/**
 * Examines a target before a run is paid for: its clock, its assistants, its threads. It judges nothing; it reports what a
 * run would lack.
 */
import { type Client, createClient } from '../client/client.ts'
import { BudgetExhausted, createMeter } from '../client/meter.ts'
import type { ClientOptions } from '../client/send-request.ts'
import { pathSegment } from '../client/target-url.ts'
import { errorCodeOf } from '../client/transient-failure.ts'
import { placeholder } from '../preflight/init/write-profile-yaml.ts'
import { threadSource } from '../preflight/thread-source.ts'
import {
  type AssistantSummary,
  assistantSummaries,
  bodyFields,
  profileOf,
  unnamedRuns,
} from '../probe-runtime/assistant-summary.ts'
import { simplestAssistant } from '../probe-runtime/fixtures.ts'
import { seededRandom } from '../probe-runtime/seeded-random.ts'
import { capsFor } from '../profile/budget-tiers.ts'
import { secretsOf } from '../profile/redact-profile.ts'
import type { TargetProfile, TenantName } from '../profile/target-profile.ts'
import { createPseudonyms } from '../pseudonyms/pseudonyms.ts'
import { answerJson } from '../trace/bytes.ts'
import type { Exchange } from '../trace/exchange.ts'
import { headerIn } from '../trace/headers.ts'
import { httpDateMs } from '../trace/http-date.ts'
import { contradictionsIn, settingText } from './setting-problem.ts'
import { askSettings } from './settings-check.ts'

/** One fact about a target; `bad` means that a run could not judge what it is asked to. */
interface TargetFact {
  readonly about: 'assistants' | 'clock' | 'threads' | 'profile'
  readonly state: 'good' | 'warning' | 'bad'
  /** May hold text of the target. */
  readonly text: string
}

interface ExamineOptions {
  /** Whether each assistant is asked one question, which is a paid model call. */
  readonly modelCalls?: boolean
  /** Another way to carry requests; default HTTP. */
  readonly client?: ((options: ClientOptions) => Client) | undefined
  /** Wall clock in milliseconds; default that of this machine. */
  readonly now?: () => number
}

/** Examines a target; never throws because of its answers. */
export async function examineTarget(
  profile: TargetProfile,
  { modelCalls = false, client: connect = createClient, now = Date.now }: ExamineOptions = {},
): Promise<readonly TargetFact[]> {
  const { maxExchanges, maxModelCalls } = capsFor('gate', profile)
  const meter = createMeter({
    maxExchanges: maxExchanges ?? undefined,
    maxModelCalls: modelCalls ? (maxModelCalls ?? undefined) : 0,
    ratePerMinute: profile.budget.ratePerMinute,
  })
  const pseudonyms = createPseudonyms({ secrets: secretsOf(profile) })
  await using client = connect({ profile, pseudonyms, meter })
  const first = await listing(client, 'primary')
  const clock = clockFact(first, now())
  if (first.response === null)
    return [bad('assistants', `${profile.baseUrl} cannot be reached (${first.failure ?? first.ending})`)]
  const assistants = assistantSummaries(answerJson(first))
  const listed = [
    listedFact('primary', first, assistants),
    ...(profile.tenants.secondary === undefined ? [] : [await secondListing(client)]),
  ]
  const asked = modelCalls ? await askEach(client, profile, assistants) : []
  const threads = await threadFacts(client, profile, simplestAssistant(assistants, profile)).catch(
    budgetFact('threads'),
  )
  const unnamed = unnamedRuns(profile)
  const runs = unnamed === null ? [] : [warning('threads', unnamed)]
  return [
    clock,
    ...listed,
    ...asked,
    ...threads,
    ...runs,
    ...unfilled(profile),
    ...(await settingFacts(profile, connect)),
  ]
}

/** `acs init` leaves a text where only the user knows the value, and some services take any. */
const unfilled = ({ assistants }: TargetProfile): readonly TargetFact[] =>
  Object.entries(assistants)
    .filter(([, entry]) => JSON.stringify(entry).includes(`"${placeholder}"`))
    .map(([name]) => warning('profile', `assistants: ${name}: a value is still "${placeholder}"`))

/** The threads were tried before. */
async function settingFacts(
  profile: TargetProfile,
  client: (options: ClientOptions) => Client,
): Promise<readonly TargetFact[]> {
  const { problem } = await askSettings({ ...profile, threads: null }, { client })
  const problems = [...(problem === null ? [] : [problem]), ...contradictionsIn(profile)]
  return problems.map((one) => bad('profile', settingText(one)))
}

const good = (about: TargetFact['about'], text: string): TargetFact => ({ about, state: 'good', text })
const warning = (about: TargetFact['about'], text: string): TargetFact => ({ about, state: 'warning', text })
const bad = (about: TargetFact['about'], text: string): TargetFact => ({ about, state: 'bad', text })

const budgetFact =
  (about: TargetFact['about']) =>
  (cause: unknown): readonly TargetFact[] => {
    if (cause instanceof BudgetExhausted) return [warning(about, 'not all were checked, because the budget is spent')]
    throw cause
  }

const listing = (client: Client, credential: TenantName): Promise<Exchange> =>
  client.send({ method: 'GET', path: '/v1/assistants', credential, operation: 'listAssistants', intent: null })

/** A larger difference is reported: two synchronised machines differ by less. */
const usualSkewSeconds = 5

function clockFact({ response }: Exchange, nowMs: number): TargetFact {
  const date = headerIn(response?.headers ?? [], 'date')
  const dateMs = date === undefined ? Number.NaN : httpDateMs(date)
  if (Number.isNaN(dateMs)) return warning('clock', 'the target sends no Date header, so its clock is unknown')
  const seconds = Math.round((dateMs - nowMs) / 1000)
  const text = `the target's clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} this machine's`
  if (Math.abs(seconds) > usualSkewSeconds)
    return warning('clock', `${text}; verdicts do not depend on it, but a certificate compares the two`)
  return good('clock', Math.abs(seconds) < 2 ? "the target's clock agrees with this machine's" : text)
}

function listedFact(tenant: TenantName, exchange: Exchange, assistants: readonly AssistantSummary[]): TargetFact {
  if (exchange.response === null || exchange.response.status >= 400)
    return bad('assistants', `the assistants of the tenant ${tenant} cannot be listed (${answerText(exchange)})`)
  if (assistants.length === 0) return bad('assistants', `the tenant ${tenant} has none, so nothing can be asked`)
  const streaming = assistants.filter((assistant) => assistant.streaming).length
  return good('assistants', `the tenant ${tenant} has ${assistants.length}, of which ${streaming} stream`)
}

async function secondListing(client: Client): Promise<TargetFact> {
  const exchange = await listing(client, 'secondary')
  return listedFact('secondary', exchange, assistantSummaries(answerJson(exchange)))
}

/** Asks each assistant one short question, as far as the cap on model calls goes. */
async function askEach(
  client: Client,
  profile: TargetProfile,
  assistants: readonly AssistantSummary[],
): Promise<readonly TargetFact[]> {
  const facts: TargetFact[] = []
  for (const assistant of assistants) {
    const body = {
      ...bodyFields(assistant, profile, seededRandom(0, 'examine')),
      messages: [{ role: 'user', content: profileOf(profile, assistant).prompt ?? 'Say hello.' }],
    }
    const request = { method: 'POST', path: '/v1/chat/completions', body: JSON.stringify(body) } as const
    const ask = { ...request, credential: 'primary', operation: 'createChatCompletion', intent: null } as const
    try {
      facts.push(answerFact(assistant, await client.send({ ...ask, retry: 'none' })))
    } catch (cause) {
      facts.push(...budgetFact('assistants')(cause))
      break
    }
  }
  if (facts.length === 0 || facts.some(({ state }) => state === 'good')) return facts
  return [...facts, bad('assistants', 'no assistant answers')]
}

function answerFact({ id }: AssistantSummary, exchange: Exchange): TargetFact {
  const status = exchange.response?.status ?? 0
  const isAnswer = status >= 200 && status < 300 && errorCodeOf(exchange) === null
  const text = `${id} ${isAnswer ? 'answers' : `does not answer (${answerText(exchange)})`}`
  return isAnswer ? good('assistants', text) : warning('assistants', text)
}

async function threadFacts(
  client: Client,
  profile: TargetProfile,
  assistant: AssistantSummary | null,
): Promise<readonly TargetFact[]> {
  const { threads } = profile
  if (threads === null) return []
  if (threads.kind === 'static') return [await staticFact(client, threads.threads)]
  const made = await threadSource(profile, client).next({
    tenant: 'primary',
    assistantId: assistant?.id ?? null,
    for: 'the examination',
  })
  if ('none' in made) return [bad('threads', made.none)]
  const held = await messagesIn(client, made.id, 'primary')
  if (held === null) return [bad('threads', `the messages of the new thread ${made.id} cannot be listed`)]
  if (held > 0) return [warning('threads', `the new thread ${made.id} is not empty, so the suite can judge less in it`)]
  return [good('threads', 'one was created, and it is empty')]
}

async function staticFact(
  client: Client,
  threads: readonly { readonly id: string; readonly tenant: TenantName; readonly holds: string }[],
): Promise<TargetFact> {
  const held: (number | null)[] = []
  for (const { id, tenant } of threads) held.push(await messagesIn(client, id, tenant))
  const unread = held.filter((count) => count === null).length
  const full = held.filter((count, index) => (count ?? 0) > 0 && threads[index]?.holds === 'empty').length
  const empty = held.filter((count) => count === 0).length
  const text = `of ${threads.length} threads in the profile, ${empty} are empty, ${full} contain messages although the profile says empty, ${unread} cannot be listed`
  if (unread === threads.length) return bad('threads', text)
  return full + unread > 0 ? warning('threads', text) : good('threads', text)
}

/** The number of messages on the first page, `null` when it cannot be read. */
async function messagesIn(client: Client, id: string, credential: TenantName): Promise<number | null> {
  const path = `/v1/threads/${pathSegment('thread_id', id)}/messages`
  const page = answerJson(
    await client.send({ method: 'GET', path, credential, operation: 'listMessages', intent: null }),
  )
  const items: unknown = typeof page === 'object' && page !== null ? Reflect.get(page, 'items') : undefined
  return Array.isArray(items) ? items.length : null
}

function answerText(exchange: Exchange): string {
  const { response, failure, ending } = exchange
  if (response === null) return failure ?? ending
  return [`status ${response.status}`, errorCodeOf(exchange) ?? ''].filter((part) => part !== '').join(', ')
}
