/** Chapter errors: a burst over the quota, and the errors that the profile says how to provoke. */
import { errorRowOf, messageOperations, modelOperations, type OperationId, textStreams } from '../../../spec/index.ts'
import { isObject } from '../../judge/read/json.ts'
import { type AssistantSummary, runNamesAssistant } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { uniqueQuestion } from '../../probe-runtime/sample-texts.ts'
import type { Provocation, TargetProfile } from '../../profile/target-profile.ts'
import type { HeaderLines } from '../../trace/exchange.ts'
import { isHeaderNamed } from '../../trace/headers.ts'
import { runUnlike, threadOfUnlike, unlikeAssistant } from '../interference/unlike-assistant.ts'
import { exercised, type Probe } from '../probe.ts'
import { makesThreads } from '../support/profile-facts.ts'
import { runOnThread } from '../threads/runs.ts'
import { listThread, postMessage } from '../threads/threads.ts'
import { isBareFailure, playOverQuota } from './over-quota.ts'

/**
 * Operations of which one at least lists every code that a request alone cannot provoke; those that cost nothing first. A run
 * before a completion, since its thread shows afterwards what the error left behind.
 */
const provokedOn = ['listMyApiKeys', 'listMessages', 'runThread', 'createChatCompletion'] as const
type ProvokedOn = (typeof provokedOn)[number]

export const errorProbes = [
  {
    id: 'errors.provoked',
    chapter: 'errors',
    shares: ['first-completion-thread', 'runs', 'unlike', 'spare-calls'],
    late: true,
    from: 'gate',
    rare: true,
    // These are refused by most services; where one is answered, the call is better spent on it.
    after: ['tenancy.foreign-thread-continued'],
    // A run that failed may still be under way, so that nothing sure can be said about the next ones in its thread.
    behind: ['completions.empty-content', 'tenancy.foreign-assistant-run'],
    exercises: [exercised([...provokedOn, 'createMessage'], 'errors.code-*')],
    needs: {},
    // An answer that came too late may have been paid for: a run is sent only while a call is kept for failures, or to spare.
    cost: (profile) => {
      const operations = provocationsOf(profile).map((one) => operationOf(one, profile))
      const count = (one: ProvokedOn) => operations.filter((operation) => operation === one).length
      return { exchanges: operations.length + 4 * count('runThread'), modelCalls: count('createChatCompletion') }
    },
    play: playProvoked,
  },
  {
    id: 'errors.provoked-in-streams',
    chapter: 'errors',
    shares: ['runs', 'unlike', 'spare-calls'],
    late: true,
    from: 'gate',
    rare: true,
    after: ['errors.provoked'],
    behind: ['threads.runs-at-once', 'completions.asked-again'],
    exercises: [exercised(['streamThreadRun', 'streamChatCompletion'], 'errors.code-*')],
    needs: { claims: ['streaming', 'threads'], threads: true },
    // It uses requests that the other probes did not need, so that the plan reserves none for it.
    cost: { exchanges: 0, modelCalls: 0 },
    play: playProvokedInStreams,
  },
  {
    id: 'errors.rate-limit',
    chapter: 'errors',
    alone: true,
    late: true,
    from: 'gate',
    exercises: [
      exercised(['listMyApiKeys'], 'errors.rate-limit*', 'errors.detail-text', 'errors.listed-where'),
      exercised(textStreams, 'errors.rate-limit-in-streams'),
      exercised(['listMyApiKeys', ...modelOperations, ...messageOperations], 'errors.code-rate-limit-gateway'),
    ],
    needs: { tenants: ['throttled'], throttle: true },
    cost: (profile) => {
      const forms = profile.claims.includes('streaming') ? 2 : 1
      const onThread = makesThreads(profile) ? 4 + forms : 0
      return { exchanges: (profile.throttle?.requests ?? 0) + 1 + onThread + forms, modelCalls: 0 }
    },
    play: playOverQuota,
  },
] as const satisfies readonly Probe[]

/** Provokes every error that the profile can, and reads what a failed run has left. */
async function playProvoked(context: ProbeContext): Promise<void> {
  const assistant = await unlikeAssistant(context)
  if (assistant === null) return
  for (const provocation of provocationsOf(context.profile)) {
    const operation = operationOf(provocation, context.profile)
    const send = (plain: RequestSpec) => sendAgainIfBare(context, operation, provokingRequest(provocation, plain))
    if (operation === 'listMyApiKeys') await send({})
    else if (operation === 'listMessages') await provokeOnMessages(context, provocation)
    else if (operation === 'createChatCompletion') await send({ json: context.shortCompletion(assistant) })
    else {
      const thread = await threadOfUnlike(context, assistant)
      if (thread === null || !mayTimeOut(context, 1)) continue
      await postMessage(context, thread.id, 'user', provokingText(provocation, uniqueQuestion(context.random)))
      // A call that is to spare is better spent on an answer, so those that are kept for failures pay for this one.
      const provoke = (plain: RequestSpec) => ({ ...provokingRequest(provocation, plain), isRepetition: true })
      const answer = await runUnlike(context, thread.id, assistant, provoke)
      if (isBareFailure(answer) && mayTimeOut(context, 1)) await runUnlike(context, thread.id, assistant, provoke)
      await listThread(context, thread.id)
    }
  }
}

/** A list of messages, and a message where the contract lists the same code on both. */
async function provokeOnMessages(context: ProbeContext, provocation: NamedProvocation): Promise<void> {
  const own = context.touched().filter(({ tenant }) => tenant === 'primary')
  // A thread of a completion may take no messages.
  const open = own.find(({ createdBy }) => createdBy === null)
  const thread = { in: { thread_id: (open ?? own[0])?.id ?? '' } }
  const listed = await sendAgainIfBare(context, 'listMessages', provokingRequest(provocation, thread))
  const isOnCreation = provocation.thread === undefined && operationsOf(provocation.code).includes('createMessage')
  const message = { ...thread, json: { role: 'user', content: uniqueQuestion(context.random) } }
  const provoking = { ...provokingRequest(provocation, message), isRepetition: true }
  const created = isOnCreation && open !== undefined ? await sendAgainIfBare(context, 'createMessage', provoking) : null
  // Tells whether a list in which nothing was provoked lacks something, and whether a message that failed was kept.
  if (listed.outcome === 'accepted' || created?.outcome === 'rejected')
    await context.send('listMessages', { ...thread, isRepetition: true })
}

/** A completion, a message and a run, and what is tried again of them. */
const requestsInStreams = 5

/** A timeout counts as a model call. Where no planned one is left, those pay that are kept for failures: this is one. */
function mayTimeOut(context: ProbeContext, calls: number): boolean {
  return context.left().modelCalls + context.reserve().modelCalls >= calls
}

/** Each form has a way of its own to the model, so what makes a whole run fail is tried in streams as well. */
async function playProvokedInStreams(context: ProbeContext): Promise<void> {
  const assistant = await unlikeAssistant(context)
  const plain = await context.assistant('plain')
  const provocation = provocationsOf(context.profile).find((one) => operationOf(one, context.profile) === 'runThread')
  if (assistant === null || plain === null || provocation === undefined) return
  if (context.left().exchanges < requestsInStreams)
    return context.note('budget', 'Too few requests are left to provoke an error in streams.')
  if (plain.streaming && mayTimeOut(context, 2))
    await context.send('streamChatCompletion', provokingRequest(provocation, { json: context.shortCompletion(plain) }))
  // A run of one that requires fields may be refused for want of them.
  const runner = runNamesAssistant(context.profile) ? plain : assistant
  const thread = runner.streaming ? await threadOfUnlike(context, assistant) : null
  if (thread === null || !mayTimeOut(context, 2)) return
  await postMessage(context, thread.id, 'user', provokingText(provocation, uniqueQuestion(context.random)))
  const json = context.runBody(runner)
  await runOnThread(context, thread.id, 'streamThreadRun', runner, provokingRequest(provocation, { json }))
  await provokeOutage(context, thread.id, runner)
}

/** What makes a list of messages fail makes a streamed run fail as well, which has a way of its own to the codes. */
async function provokeOutage(context: ProbeContext, thread: string, runner: AssistantSummary): Promise<void> {
  const outage = provocationsOf(context.profile).find(({ code }) => code === 'internal_service_error')
  if (outage === undefined || outage.thread !== undefined || operationOf(outage, context.profile) !== 'listMessages')
    return
  // What fails may have been paid for, and refusals that follow may be answered.
  if (context.left().exchanges < 2 || !mayTimeOut(context, 1 + keptForRefusals)) return
  // Headers that make a list fail otherwise are the profile's mistake.
  const listed = await context.send('listMessages', provokingRequest(outage, { in: { thread_id: thread } }))
  if (listed.errorCode !== outage.code) return
  const json = context.runBody(runner)
  await runOnThread(context, thread, 'streamThreadRun', runner, provokingRequest(outage, { json }))
}

const keptForRefusals = 2

interface NamedProvocation extends Provocation {
  readonly code: string
}

/** What the profile tells of, and its assistants that always fail. */
function provocationsOf({ provoke, assistants }: TargetProfile): readonly NamedProvocation[] {
  const failing = Object.entries(assistants).flatMap(([assistant, about]) => {
    const code = failingCodes.find(([field]) => isObject(about) && about[field] === true)?.[1]
    return code === undefined || Object.hasOwn(provoke, code) ? [] : [{ code, assistant }]
  })
  return [...Object.entries(provoke).map(([code, one]) => ({ code, ...one })), ...failing]
}

const failingCodes = [
  ['timesOut', 'api_timeout_error'],
  ['unavailable', 'internal_service_error'],
] as const

/** The operation that can carry everything that the provocation needs, else the cheapest one. */
function operationOf({ code, assistant, body, thread, prompt }: NamedProvocation, profile: TargetProfile): ProvokedOn {
  if (assistant !== undefined || body !== undefined) return 'createChatCompletion'
  if (prompt !== undefined) return makesThreads(profile) ? 'runThread' : 'createChatCompletion'
  return thread === undefined ? cheapestOf(code, profile) : 'listMessages'
}

function provokingRequest(provocation: NamedProvocation, plain: RequestSpec): RequestSpec {
  const { code, headers = {}, assistant, thread, body } = provocation
  const key = provocation.key ?? linesOf(headers).find(isKeyLine)?.[1]
  const fields = {
    ...saidIn(provocation, plain.json),
    ...body,
    ...(assistant === undefined ? {} : { assistant_id: assistant }),
  }
  return {
    ...plain,
    ...(Object.keys(fields).length === 0 || !isObject(plain.json) ? {} : { json: { ...plain.json, ...fields } }),
    ...(thread === undefined ? {} : { in: { thread_id: thread } }),
    ...(key === undefined ? {} : { as: { raw: key } }),
    headers: linesOf(headers).filter((line) => !isKeyLine(line)),
    purpose: `provoke:${code}`,
    expects: 'either',
    retry: 'none',
  }
}

/** The text of a message that provokes; what is unique about it stands behind. */
const provokingText = ({ prompt }: Provocation, text: string): string =>
  prompt === undefined ? text : `${prompt} ${text}`

/** The messages of a completion, of which the last one provokes; none when nothing is said to provoke. */
function saidIn(provocation: NamedProvocation, json: unknown): Readonly<Record<string, unknown>> {
  const messages = isObject(json) ? json.messages : undefined
  if (provocation.prompt === undefined || !Array.isArray(messages)) return {}
  const last: unknown = messages.at(-1)
  const content = provokingText(provocation, String(Object(last).content))
  return { messages: [...messages.slice(0, -1), { ...Object(last), content }] }
}

/** The first of these operations on which the contract lists a code, or the first of all for one that it does not know. */
function cheapestOf(code: string, { claims, threads }: TargetProfile): ProvokedOn {
  const runs = claims.includes('threads') && threads !== null
  const able = provokedOn.filter((operation) => runs || operation !== 'runThread')
  return able.find((operation) => operationsOf(code).includes(operation)) ?? provokedOn[0]
}

/** The operations on which the contract lists a code. */
const operationsOf = (code: string): readonly OperationId[] => errorRowOf(code)?.operations ?? []

/** A key among the headers takes the place of the tenant's. */
const isKeyLine = ([name]: HeaderLines[number]): boolean => isHeaderNamed(name, 'api-key')

function linesOf(headers: Readonly<Record<string, string>>): HeaderLines {
  return Object.entries(headers)
}

/** A bare failure may be that of a gateway, which does not fail each time. */
async function sendAgainIfBare(
  context: ProbeContext,
  operation: ProvokedOn | 'createMessage',
  ask: RequestSpec,
): Promise<Answer> {
  const answer = await context.send(operation, ask)
  return isBareFailure(answer) ? context.send(operation, ask) : answer
}
