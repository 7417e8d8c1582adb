/**
 * Reports when a target contradicts the profile. Whether the setting or the target is wrong is unknown, so it is no
 * violation; but such a run leaves rules unjudged, and the setting should be checked first.
 */
import { errorRowOf } from '../../spec/index.ts'
import type { ToolMapping } from '../profile/target-profile.ts'
import { ignoredAttachment } from './classify/ignored-attachment.ts'
import { wrongForOrphanKey } from './classify/orphan-key.ts'
import { provokedCode } from './classify/provoked-code.ts'
import { swappedProvocations } from './classify/swapped-provocations.ts'
import { unmetQuota } from './classify/unmet-quota.ts'
import { fieldsNamedAfterTools, isPosted } from './history/tool-calls.ts'
import { statusIn } from './history/uploaded-files.ts'
import { nameOf, quoted } from './read/json.ts'
import { documentOf, isAccepted, isNoPath, isRefusal, isRun, type ParsedExchange } from './read/parsed-exchange.ts'
import type { TraceAnalysis } from './trace-analysis.ts'

/**
 * The field of the profile and the contradiction; may hold text of the target. In an interrupted run, a missing event
 * contradicts nothing: it might have come later.
 */
export const contradictedSetting = (analysis: TraceAnalysis, isCut = false): string | null =>
  cutBody(analysis) ??
  refusedField(analysis) ??
  contradictedMapping(analysis, isCut) ??
  statusAway(analysis) ??
  statusNowhere(analysis) ??
  (isCut ? null : statusUnlisted(analysis)) ??
  (isCut ? null : otherAttachment(analysis)) ??
  swappedProvocation(analysis) ??
  vainProvocation(analysis) ??
  otherQuota(analysis)

/**
 * The field of the profile that the target does not support, as it may: a client's message with a call is refused, or none
 * of its answers shows the call and every result for it is refused.
 */
export function unsupportedSetting(analysis: TraceAnalysis): string | null {
  const { profile } = analysis
  if (profile.tools === null || !profile.claims.has('tools')) return null
  const [refused] = analysis.withOnlyAmbiguity('createMessage', 'a message with calls that the target may not take')
  if (refused !== undefined)
    return `tools.assistantMessage: the target refuses a message with it (${refusalOf(refused)}); correct it, or leave it out`
  const sent = analysis.withOnlyAmbiguity('createMessage', 'a tool message for a call that the target may not read')
  const [first] = sent
  if (first === undefined || !sent.every(isRefusal)) return null
  return `tools.assistantMessage: the target accepts it, shows no call in it and refuses its result (${refusalOf(first)}); correct it, or leave it out`
}

const refusalOf = ({ id, answer: { code, status } }: ParsedExchange): string => `${id}: ${code ?? status}`

/** A body that the profile's own limit truncated could not be read. */
function cutBody({ parsedExchanges, profile: { lowBodyLimit } }: TraceAnalysis): string | null {
  if (lowBodyLimit === null) return null
  const cut = parsedExchanges.find(({ exchange }) => exchange.failure?.includes(` than ${lowBodyLimit} bytes`))
  return cut === undefined
    ? null
    : `budget.maxBodyBytes: the answer of ${cut.id} is larger than ${lowBodyLimit} bytes and was read in part; raise it, or leave it out`
}

function refusedField({ refusedFields }: TraceAnalysis): string | null {
  const [first] = refusedFields
  if (first === undefined) return null
  const [parsed, name] = first
  const { id, operation } = parsed
  const field = isRun(parsed) ? 'runBody' : 'assistants'
  if (parsed.body.kind === 'json' && !Object.hasOwn(Object(parsed.body.value), name))
    return `${field}: the target refuses ${operation} without the field ${quoted(name)} (${id}); add it`
  return `${field}: the target refuses ${operation} for the field ${quoted(name)}, which the profile adds (${id}); correct its value`
}

function swappedProvocation(analysis: TraceAnalysis): string | null {
  const [one] = swappedProvocations(analysis)
  if (one === undefined) return null
  const { code, other, parsed } = one
  return `provoke.${code}: what should provoke it provokes ${other} (${parsed.id}), and what should provoke that does not; swap the two`
}

/** Every request that should have provoked an error was answered like any other request. */
function vainProvocation(analysis: TraceAnalysis): string | null {
  const { parsedExchanges, profile } = analysis
  for (const { code } of profile.provoking) {
    const asked = parsedExchanges.filter((parsed) => provokedCode(parsed, analysis) === code)
    const [first] = asked
    if (first === undefined) continue
    if (asked.every(isAccepted))
      return `provoke.${code}: no request that should provoke it got an error (${first.id}: ${first.answer.status}); correct what provokes it`
    if (wrongForOrphanKey(analysis).has(first)) continue
    const other = asked.find((parsed) => errorRowOf(parsed.answer.code) !== undefined)
    if (other !== undefined && asked.every((parsed) => isAccepted(parsed) || isOther(parsed, code)))
      return `provoke.${code}: what should provoke it provokes ${other.answer.code} (${other.id}); correct what provokes it; if that is right, the service answers with the wrong code`
  }
  return null
}

/** Whether it is refused with another code of the contract. */
const isOther = ({ answer }: ParsedExchange, code: string): boolean =>
  answer.code !== code && errorRowOf(answer.code) !== undefined

/** The target served all of the simultaneous requests that exceed the quota according to the profile. */
function otherQuota(analysis: TraceAnalysis): string | null {
  const unmet = unmetQuota(analysis)
  if (unmet === null || unmet.isSlow) return null
  if (unmet.limited !== null)
    return `tenants.throttled: ${unmet.served} requests with its key were all served, and one of the tenant primary is over a limit (${unmet.limited.id}); exchange the two keys, or give one that has a quota`
  if (unmet.isFarBeyond) return null
  return `throttle.requests: ${unmet.served} requests with the throttled key were all served, and ${analysis.profile.throttledAfter} should exceed its quota (${unmet.last.id}); correct it, or give a key that has a quota`
}

/** The target answers every status request with an unknown path; the contract does not show the path. */
function statusNowhere({ profile: { files, claims }, of }: TraceAnalysis): string | null {
  const polls = of('getFileStatus')
  const [first] = polls
  if (files.status === null || !claims.has('files') || first === undefined || !polls.every(isNoPath)) return null
  return `files.status.path: every request for a status is answered with ${first.answer.status} without error_code (${first.id}), as one for a path that is not served; correct it`
}

/** The status is present, and never one of those in the profile. */
function statusUnlisted(analysis: TraceAnalysis): string | null {
  const { files, claims } = analysis.profile
  if (files.status === null || !claims.has('files') || analysis.files.size === 0) return null
  const { complete, failed = [] } = files.status
  const told = analysis.of('getFileStatus').flatMap((poll) => {
    const value = statusIn(poll, files)
    return value === undefined ? [] : [{ poll, value }]
  })
  const last = told.at(-1)
  // A target that stopped answering while a file was processed has not shown its final status.
  const isBroken = analysis.of('getFileStatus').some((poll) => poll.index > (last?.poll.index ?? 0) && isSilent(poll))
  if (last === undefined || isBroken || told.some(({ value }) => [...complete, ...failed].some((one) => one === value)))
    return null
  return `files.status.complete: no file came to ${complete.map(nameOf).join(' or ')}, and the last status is ${nameOf(last.value)} (${last.poll.id}); correct it, or raise files.status.waitMs`
}

const isSilent = ({ exchange }: ParsedExchange): boolean => exchange.response === null

/** The operation answers, but has the value at another place. */
function statusAway({ profile: { files, claims }, of }: TraceAnalysis): string | null {
  if (files.status === null || !claims.has('files')) return null
  const told = of('getFileStatus').filter((poll) => isAccepted(poll) && documentOf(poll) !== undefined)
  const [first] = told
  if (first === undefined || told.some((poll) => statusIn(poll, files) !== undefined)) return null
  return `files.status.pointer: ${files.status.pointer} finds nothing in any status, as in the answer of ${first.id}; correct it`
}

/** The contract does not show the field that attaches a file. */
function otherAttachment(analysis: TraceAnalysis): string | null {
  const why = analysis.profile.claims.has('files') ? ignoredAttachment(analysis) : null
  return why === null ? null : `files.attachment: ${why}`
}

function contradictedMapping(analysis: TraceAnalysis, isCut: boolean): string | null {
  const { tools, claims } = analysis.profile
  if (tools === null || !claims.has('tools')) return null
  return refusedResults(analysis, tools) ?? unreadCalls(analysis, tools) ?? (isCut ? null : vainPrompt(analysis, tools))
}

/** Every result was refused, and nothing else was wrong with it. */
function refusedResults(
  analysis: TraceAnalysis,
  { callIds, resultField, assistantMessage }: ToolMapping,
): string | null {
  const sent = analysis.withOnlyAmbiguity('createMessage', 'a tool message by a mapping that nothing confirms')
  const [first] = sent
  if (first === undefined || !sent.every(isRefusal)) return null
  const orLeaveOut = assistantMessage === undefined ? '' : ', or leave tools.assistantMessage out'
  return `tools.resultField: the target refuses every result that names the call at ${callIds} in ${resultField} (${refusalOf(first)}); correct tools.resultField or tools.callIds${orLeaveOut}`
}

/** An answer holds something that is named after tools, and no call was found in any. */
function unreadCalls(analysis: TraceAnalysis, { callIds }: ToolMapping): string | null {
  if (analysis.histories.threads.some(({ calls }) => calls.size > 0)) return null
  for (const parsed of analysis.of('runThread')) {
    const [name] = fieldsNamedAfterTools(documentOf(parsed))
    if (name === undefined) continue
    return `tools.callIds: ${callIds} finds no call in any answer, and that of ${parsed.id} has the field ${quoted(name)}; correct tools.callIds`
  }
  return null
}

const changePrompt = 'write one that makes the assistant of tools.assistant_id ask'
const nameAsker = 'name the assistant that asks in tools.assistant_id, or write a prompt that makes one ask'

/** Runs that follow the prompt were answered, and no answer of any run asked for a tool: nothing says that a prompt makes one. */
function vainPrompt({ histories }: TraceAnalysis, { prompt, assistant_id }: ToolMapping): string | null {
  if (prompt === undefined || histories.threads.some(hasAskedForTools)) return null
  for (const { acknowledged } of histories.threads) {
    const asked = acknowledged.find(
      ({ kind, role, content }) => kind === 'created' && role === 'user' && content === prompt,
    )
    const answer = acknowledged.find(
      ({ kind, parsed, sentAtMs }) =>
        kind === 'answer' && isRun(parsed) && sentAtMs >= (asked?.certainFromMs ?? Infinity),
    )
    if (answer !== undefined)
      return `tools.prompt: no assistant asks for a tool when it gets it (${answer.parsed.id}); ${assistant_id === undefined ? nameAsker : changePrompt}`
  }
  return null
}

/** Calls that a client added are none of the service. */
const hasAskedForTools = ({ calls }: TraceAnalysis['histories']['threads'][number]): boolean =>
  [...calls.values()].some((call) => !isPosted(call))
