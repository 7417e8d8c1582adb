/** Exceeds the quota of a key, and asks other operations while it is used up. */
import { bothCompletions, bothRuns, errorRowOf, type OperationId } from '../../../spec/index.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { type Answer, stringAt } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { uniqueQuestion } from '../../probe-runtime/sample-texts.ts'
import { inLanes } from '../support/in-lanes.ts'
import { makesThreads } from '../support/profile-facts.ts'
import { listThread } from '../threads/threads.ts'
import { countOneByOne, isLimited } from './quota-one-by-one.ts'
import { askBehindOthers } from './shared-quota.ts'

/** Refusals of a limit in front of the service, which do not count against the quota, that are waited for. */
const mostBareLimits = 3
/** Requests that are sent in the place of those that failed on the way, and may not have counted. */
const mostReplaced = 3

/** Streams that are asked in turn with their plain form. */
const streamsAskedAgain = 3

/** Requests beyond those of the profile, and how many of them go out together. */
const mostBeyond = 80
const beyondAtOnce = 20

/** Sends until the quota is surely exceeded; then other requests, which are made by other parts of a service. */
export async function playOverQuota(context: ProbeContext): Promise<void> {
  const first = await askThrottled(context)
  if (isLimited(first)) await askBehindOthers(context, first, () => askThrottled(context, beyond))
  const thread = makesThreads(context.profile) ? await context.thread('throttled') : null
  const { isReached, servedBeyond, isSameTenant } = await exceedQuota(context, isServed(first) ? 1 : 0)
  if (!isReached) return
  // What is refused for the quota is not there either, as another key of the same tenant sees.
  const seen = isSameTenant
    ? context.touched().find(({ tenant, createdBy }) => tenant === 'primary' && !createdBy)
    : undefined
  const others = othersOverQuota(context, thread, seen?.id ?? thread)
  const limited = new Set<OperationId>()
  const failed = new Set<OperationId>()
  await inLanes(context, others, async ([operation, ask]) => {
    const answer = await context.send(operation, ask)
    if (isLimited(answer)) limited.add(operation)
    else if ((answer.exchange.response?.status ?? 0) >= 500) failed.add(operation)
  })
  await askStreamsAgain(context, new Map(others), limited)
  await askFailedAgain(context, others, failed)
  if (seen !== undefined && thread !== null) await listThread(context, seen.id)
  if (servedBeyond !== null) await countOneByOne(context, servedBeyond, () => askThrottled(context, beyond))
}

/**
 * A stream that is not refused for the quota where the plain form is, in turn with that form: the window may have ended, or
 * a limit may let one through now and then. No plan has these requests, since most services need none.
 */
async function askStreamsAgain(
  context: ProbeContext,
  asks: ReadonlyMap<OperationId, RequestSpec>,
  limited: ReadonlySet<OperationId>,
): Promise<void> {
  for (const [plain, stream] of [bothCompletions, bothRuns]) {
    const isSuspect = limited.has(plain) && !limited.has(stream) && asks.has(stream)
    if (isSuspect)
      await askInTurn(
        () => isLimitedAgain(context, plain, asks.get(plain)),
        () => isLimitedAgain(context, stream, asks.get(stream)),
      )
  }
}

/** One that fails over the quota, in turn with one that is refused for it: an outage ends, and a wrong error stays. */
async function askFailedAgain(
  context: ProbeContext,
  asks: readonly (readonly [OperationId, RequestSpec])[],
  failed: ReadonlySet<OperationId>,
): Promise<void> {
  for (const [operation, one] of asks) {
    if (failed.has(operation))
      await askInTurn(
        () => isLimitedAgain(context, 'listMyApiKeys', throttled),
        () => isLimitedAgain(context, operation, one),
      )
  }
}

const isLimitedAgain = async (context: ProbeContext, operation: OperationId, ask?: RequestSpec): Promise<boolean> =>
  isLimited(await context.send(operation, { ...ask, isRepetition: true }))

/** Asks one that is limited and another one; ends on the first, or as soon as both are limited. */
async function askInTurn(
  isPlainLimited: () => Promise<boolean>,
  isStreamLimited: () => Promise<boolean>,
): Promise<void> {
  for (let turn = 0; turn < streamsAskedAgain && (await isPlainLimited()); turn += 1)
    if (await isStreamLimited()) return
  await isPlainLimited()
}

/**
 * Where a key over its quota gets the code as well. Those that call a model name an assistant or a thread that is none, since
 * they may have a limit of their own, and an answer is paid for.
 */
function othersOverQuota(
  { profile, random, runBody }: ProbeContext,
  thread: string | null,
  written: string | null,
): readonly (readonly [OperationId, RequestSpec])[] {
  const streams = profile.claims.includes('streaming')
  const messages = [{ role: 'user', content: uniqueQuestion(random) }]
  const none = { ...throttled, expects: 'rejected' } as const
  const id = random.uuid()
  const asking = { ...none, json: { assistant_id: id, messages, user_id: random.uuid() } }
  const running = { ...none, in: { thread_id: random.uuid() }, json: runBody({ id, streaming: true, requires: {} }) }
  const own = { ...throttled, in: { thread_id: thread ?? '' } }
  const onThread = [
    ['listMessages', own],
    ['createMessage', { ...throttled, in: { thread_id: written ?? '' }, json: messages[0] }],
    ['runThread', running],
    ['streamThreadRun', running],
  ] as const
  const all = [
    ...(thread === null ? [] : onThread),
    ['createChatCompletion', asking],
    ['streamChatCompletion', asking],
  ] as const
  return all.filter(([operation]) => streams || !operation.startsWith('stream'))
}

const throttled = { as: 'throttled', purpose: 'over-quota', expects: 'either', retry: 'none' } as const

interface Exceeded {
  readonly isReached: boolean
  /** Where all that were sent at once were served: how many of many more behind them; else `null`. */
  readonly servedBeyond: number | null
  /** Whether the record that the key reads is that of the first tenant. */
  readonly isSameTenant: boolean
}

/**
 * Says whether the limit was reached, in the words of the contract. All are sent at once: a count that is read before it is
 * written lets such requests through. What may not have counted is sent again, one by one. `asked` have been served already.
 */
async function exceedQuota(context: ProbeContext, asked: number): Promise<Exceeded> {
  const atOnce = Array.from({ length: (context.profile.throttle?.requests ?? 0) - asked }, () => askThrottled(context))
  const answers = await Promise.all(atOnce)
  let left = answers.filter((answer) => isBareLimit(answer) || isBareFailure(answer)).length
  let isReached = answers.some(isLimited)
  const limited = answers.find(isBareLimit)
  if (!isReached && limited !== undefined) await waitForLimit(context, limited)
  let spare = mostReplaced
  for (let bareLimits = 0; !isReached && left > 0 && bareLimits < mostBareLimits; ) {
    const answer = await askThrottled(context)
    isReached = isLimited(answer)
    if (isBareLimit(answer)) {
      bareLimits += 1
      await waitForLimit(context, answer)
      continue
    }
    bareLimits = 0
    if (isBareFailure(answer) && spare > 0) spare -= 1
    else left -= 1
  }
  const served = !isReached && answers.every(isServed) ? await goBeyond(context) : null
  isReached ||= served !== null && served < mostBeyond
  // Another tenant right behind: what one has used up is not the other's.
  if (!isReached) {
    context.note('refused-by-target', 'The number of requests that the profile gives did not reach the rate limit.')
    return { isReached, servedBeyond: null, isSameTenant: false }
  }
  const tenant = stringAt((await askAsAnother(context)).json, '/id')
  const isSameTenant = tenant !== undefined && answers.some(({ json }) => stringAt(json, '/id') === tenant)
  return { isReached, servedBeyond: served, isSameTenant }
}

/**
 * A quota may be larger than the profile says: only a service that serves far more surely keeps none. Says how many were served
 * before the limit, or all.
 */
async function goBeyond(context: ProbeContext): Promise<number> {
  let served = 0
  for (let sent = 0; sent < mostBeyond; sent += beyondAtOnce) {
    const atOnce = Array.from({ length: beyondAtOnce }, () => askThrottled(context, beyond))
    const answers = await Promise.all(atOnce)
    served += answers.filter(isServed).length
    if (answers.some(isLimited)) return served
  }
  return mostBeyond
}

const isServed = ({ outcome }: Answer): boolean => outcome === 'accepted'

const askThrottled = (context: ProbeContext, more: RequestSpec = {}): Promise<Answer> =>
  context.send('listMyApiKeys', { ...throttled, ...more })

/** No plan has them: most runs need none. */
const beyond = { isRepetition: true } as const

/** Fixed windows let many through at once; only a limit that refills one by one needs this pause. */
const longestPauseMs = 2_000

/** Waits until another key is served, and as long again: what it had to wait for, it has used up. */
async function waitForLimit(context: ProbeContext, { exchange: { sentAtMs } }: Answer): Promise<void> {
  const { exchange } = await askAsAnother(context)
  await context.pause(Math.min(exchange.endedAtMs - sentAtMs, longestPauseMs))
}

/** Shows whether other keys are limited as well; a limit of something in front of the service is waited for. */
async function askAsAnother(context: ProbeContext): Promise<Answer> {
  const answer = await context.send('listMyApiKeys', { retry: 'none' })
  return isBareLimit(answer) ? context.send('listMyApiKeys') : answer
}

/** Whether it is refused for a limit, and not in the words of the contract. */
const isBareLimit = ({ errorCode, exchange: { response } }: Answer): boolean =>
  errorCode === null && response?.status === 429

export const isBareFailure = (answer: Answer): boolean => {
  const { errorCode, exchange } = answer
  const isFailure = errorRowOf(errorCode) === undefined && (exchange.response?.status ?? 0) >= 500
  return exchange.ending === 'cut' || isBareLimit(answer) || isFailure
}
