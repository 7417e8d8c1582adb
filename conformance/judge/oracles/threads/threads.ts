/** Oracles of chapter threads: what is created, what is refused, and when a run may start. */
import { bothRuns, type TestableId, threadOperations } from '../../../../spec/index.ts'
import { isToolField } from '../../../profile/tool-fields.ts'
import { onlyAmbiguity } from '../../classify/request-fault.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { isRoleSpelledOtherwise, isSameUuid, isWellFormed } from '../../read/formats.ts'
import { fieldOf, isObject, nameOf, namesOf, textField } from '../../read/json.ts'
import { documentOf, isAccepted, isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { textChange } from '../../read/text-change.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { judgeAcceptance } from '../support/acceptance.ts'
import { answerName } from '../support/answer-name.ts'
import { acceptsNothing, isRefusedLikeOneOf, isRefusedLikeValid, isRouteMissing } from '../support/confounders.ts'
import { newestBefore, type Oracle, perExchange, perThread, perTrace, type ScopedOracle } from '../support/oracle.ts'
import { mustBeRefused, type RefusalRule, refusalOf, withSoleFault } from '../support/refusals.ts'
import { messageNeverChanges } from './changed-messages.ts'
import { noPhantomMessages, onlyOwnMessages, rejectedLeavesNoTrace } from './contents.ts'
import { concurrentCreates, createdIsListed, listedAsCreated, readYourWrites } from './listing.ts'
import { postedAssistantFields } from './posted-answers.ts'
import { runAppendsAnswer } from './run-answers.ts'
import { runAssistantRefused } from './run-assistants.ts'

const refusedMessage = (what: string, faults: RefusalRule['faults']): ScopedOracle =>
  refusalOf(['createMessage'], what, faults)

/** Created messages with their requests. */
function* creations(
  analysis: TraceAnalysis,
): Generator<{ readonly parsed: ParsedExchange; readonly sent: unknown; readonly created: unknown }> {
  for (const parsed of analysis.of('createMessage')) {
    const created = documentOf(parsed)
    if (isObject(created) && parsed.body.kind === 'json') yield { parsed, sent: parsed.body.value, created }
  }
}

/**
 * White space counts here, though not in `judgeSentMessages`: the answer is "the created Message", that is what was sent, while
 * nothing says that a completion keeps its messages at all.
 */
const createEchoes: Oracle = (analysis, observe) => {
  for (const { parsed, sent, created } of creations(analysis)) {
    // A request that should have been refused has no correct echo.
    if (analysis.requestOf(parsed).validity === 'invalid') continue
    for (const facet of ['role', 'content'] as const) {
      const expected = textField(sent, facet)
      const actual = fieldOf(created, facet)
      if (expected === null || actual === undefined || !isWellFormed(expected)) continue
      if (facet === 'role' && isRoleSpelledOtherwise(expected)) continue
      if (actual === expected) observe.held('createMessage', facet, parsed.id)
      else {
        const [sentText, createdText] = namesOf(expected, actual)
        const change = textChange(expected, actual)
        observe.contradicted('createMessage', facet, {
          exchanges: [parsed.id],
          expected: sentText,
          actual: createdText,
          pointer: `/${facet}`,
          because: `${parsed.id} adds a message with ${facet} ${sentText}, and the created message has ${createdText}.`,
          headline:
            change === null
              ? `returns a new message with another ${facet} than was sent`
              : `returns the ${facet} of a new message ${change}`,
        })
      }
    }
  }
}

const createdInThread: Oracle = (analysis, observe) => {
  for (const { parsed, created } of creations(analysis)) {
    const thread = parsed.params.thread_id ?? ''
    const actual = textField(created, 'thread_id')
    if (actual === null) continue
    if (isSameUuid(actual, thread)) observe.held('createMessage', null, parsed.id)
    else {
      observe.contradicted('createMessage', null, {
        exchanges: [parsed.id],
        expected: thread,
        actual,
        pointer: '/thread_id',
        because: `${parsed.id} adds a message to thread ${thread}, and the created message carries thread_id ${actual}.`,
        headline: 'the created message carries the thread_id of another thread',
      })
    }
  }
}

/** A refused role is one that is refused whenever it stands in that place: other messages may be refused for what they say. */
const rolesAccepted: Oracle = (analysis, observe) => {
  const valid = analysis.of('createMessage').filter((parsed) => analysis.requestOf(parsed).validity === 'valid')
  const welcome = new Set(valid.filter(isAccepted).map((parsed) => roleInPlace(analysis, parsed)))
  for (const parsed of valid) {
    const role = roleOf(parsed)
    if (role === null || role === 'tool') continue
    const isRoleFine = welcome.has(roleInPlace(analysis, parsed)) || acceptsNothing(analysis, 'createMessage')
    if (isRefusal(parsed) && isRoleFine) {
      observe.ambiguous('createMessage', role, parsed.id, `It is not the role for which ${parsed.id} was refused.`)
    } else judgeAcceptance(observe, parsed, role, `a message of role ${role}`)
  }
}

const roleOf = ({ body }: ParsedExchange): string | null =>
  body.kind === 'json' ? textField(body.value, 'role') : null

/** A role and the role of the message that it follows. */
function roleInPlace(analysis: TraceAnalysis, parsed: ParsedExchange): string {
  const newest = analysis.histories.thread(parsed.params.thread_id ?? '')?.timeline.newest(parsed, parsed)
  return `${roleOf(parsed)} behind ${newest == null || newest === 'none' ? newest : newest.role}`
}

const emptyContentRefused: Oracle = (analysis, observe) => {
  mustBeRefused(analysis, observe, {
    operations: ['createMessage'],
    faults: { 'content-empty': 'rejected' },
    what: 'a message with empty content',
  })
  judgeCode(
    analysis,
    observe,
    ['createMessage'],
    { 'content-empty': 'error_code' },
    'message_content_empty',
    'a message with empty content',
  )
}

const unknownThreadError: Oracle = (analysis, observe) => {
  const faults = { 'thread-unknown': null }
  mustBeRefused(analysis, observe, {
    operations: threadOperations,
    faults,
    what: 'a request about a thread that does not exist',
  })
  judgeCode(
    analysis,
    observe,
    threadOperations,
    faults,
    'thread_not_found',
    'a request about a thread that does not exist',
  )
}

/** Refusals whose only fault calls for one certain code; where something else may have been the reason, so may its code. */
export function judgeCode(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  operations: RefusalRule['operations'],
  faults: RefusalRule['faults'],
  code: string,
  what: string,
): undefined {
  for (const [parsed, facet] of withSoleFault(analysis, operations, faults)) {
    if (!isRefusal(parsed) || parsed.operation === null) continue
    const isOnlyReason = analysis.requestOf(parsed).ambiguities.every(({ leniency }) => leniency)
    if (isRefusedLikeValid(analysis, observe, parsed, facet)) continue
    if (parsed.answer.code === code) observe.held(parsed.operation, facet, parsed.id)
    else if (isOnlyReason) {
      observe.contradicted(parsed.operation, facet, {
        exchanges: [parsed.id],
        expected: code,
        actual: answerName(parsed),
        pointer: '/error_code',
        because: `${parsed.id} is ${what}, and the error is ${answerName(parsed)} instead of ${code}.`,
        headline: `answers ${what} with ${answerName(parsed)} instead of ${code}`,
      })
    }
  }
}

const serverSetsIdentity: Oracle = (analysis, observe) => {
  for (const { parsed, sent, created } of creations(analysis)) {
    for (const facet of ['thread_id', 'created_at'] as const) {
      const tried = fieldOf(sent, facet)
      if (tried === undefined || (facet === 'thread_id' && tried === parsed.params.thread_id)) continue
      if (fieldOf(created, facet) !== tried) observe.held('createMessage', facet, parsed.id)
      else {
        observe.contradicted('createMessage', facet, {
          exchanges: [parsed.id],
          expected: `a ${facet} of the service's own`,
          actual: nameOf(tried),
          pointer: `/${facet}`,
          because: `The body of ${parsed.id} tried to set ${facet}, and the service took it.`,
          headline: `takes the ${facet} that a request sets`,
        })
      }
    }
  }
}

const runEmptyBody: Oracle = (analysis, observe) => {
  for (const operation of bothRuns) {
    for (const parsed of analysis.of(operation)) {
      if (analysis.requestOf(parsed).validity !== 'valid' || parsed.body.kind !== 'json') continue
      if (hasToolConfiguration(parsed)) continue
      if (isRefusal(parsed) && isBodyFine(analysis, parsed)) {
        const why = `It is not for its body that ${parsed.id} was refused.`
        observe.ambiguous(operation, null, parsed.id, why)
      } else judgeAcceptance(observe, parsed, null, 'a run without tool configuration')
    }
  }
}

const hasToolConfiguration = ({ body }: ParsedExchange): boolean =>
  body.kind === 'json' && isObject(body.value) && Object.keys(body.value).some(isToolField)

/** Whether a body of the same fields was accepted by another run, or there is no such route. */
function isBodyFine(analysis: TraceAnalysis, parsed: ParsedExchange): boolean {
  const runs = analysis.of(parsed.operation ?? 'runThread')
  const isSameBody = (other: ParsedExchange): boolean => fieldsOf(other) === fieldsOf(parsed)
  return runs.some((other) => isAccepted(other) && isSameBody(other)) || isRouteMissing(parsed)
}

const fieldsOf = ({ body }: ParsedExchange): string =>
  body.kind === 'json' && isObject(body.value) ? Object.keys(body.value).sort().join() : body.kind

/** A run whose user message is not the newest one; a refusal of runs after user messages too has another cause. */
const runReadsWholeThread: Oracle = (analysis, observe) => {
  const runs = analysis.of('runThread').map((parsed) => ({
    parsed,
    newest: newestBefore(analysis, parsed),
    validity: analysis.requestOf(parsed).validity,
  }))
  const behindUser = runs.filter(({ newest, validity }) => newest?.role === 'user' && validity === 'valid')
  const soundRuns = behindUser.map(({ parsed }) => parsed)
  for (const { parsed, newest, validity } of runs) {
    const hasUser = analysis.histories.thread(parsed.params.thread_id ?? '')?.timeline.hasUser(parsed)
    if (newest === null || newest.role === 'user' || hasUser !== 'yes') continue
    if (validity === 'unsure' && isAccepted(parsed)) observe.held('runThread', null, parsed.id)
    if (validity !== 'valid' && !isRunWhenLonger(analysis, parsed)) continue
    if (isRouteMissing(parsed) || isRefusedLikeOneOf(parsed, soundRuns)) {
      const why = `${answerName(parsed)} is what runs behind user messages get as well.`
      observe.ambiguous('runThread', null, parsed.id, why)
      continue
    }
    const what = `a run of a thread whose user message stands before a ${newest.role} message`
    judgeAcceptance(observe, parsed, null, what)
  }
}

/** Whether a run was refused of a thread that is not too long for one: a later run of it was served. */
function isRunWhenLonger(analysis: TraceAnalysis, parsed: ParsedExchange): boolean {
  if (!isRefusal(parsed) || onlyAmbiguity(analysis.requestOf(parsed)) !== 'a thread of many messages') return false
  return bothRuns
    .flatMap((operation) => analysis.of(operation))
    .some(
      (later) =>
        later.params.thread_id === parsed.params.thread_id &&
        later.sentAtMs > parsed.endedAtMs &&
        isAccepted(later) &&
        fieldsOf(later) === fieldsOf(parsed),
    )
}

/** The oracles of chapter threads. */
export const threadsOracles: Readonly<Record<TestableId<'threads'>, ScopedOracle>> = {
  'threads.create-echoes': perExchange(createEchoes),
  'threads.created-in-thread': perExchange(createdInThread),
  'threads.roles-accepted': perTrace(rolesAccepted),
  'threads.posted-assistant-fields': perExchange(postedAssistantFields),
  'threads.empty-content-refused': perTrace(emptyContentRefused),
  'threads.content-required': refusedMessage('a message without a string content', {
    'content-missing': 'absent',
    'content-not-string': 'not-string',
  }),
  'threads.role-known': refusedMessage('a message of an unknown role', {
    'role-unknown': null,
    'role-not-string': null,
  }),
  'threads.role-required': refusedMessage('a message without a role', { 'role-missing': null }),
  'threads.unknown-thread-error': perTrace(unknownThreadError),
  'threads.created-is-listed': perThread(createdIsListed),
  'threads.listed-as-created': perThread(listedAsCreated),
  'threads.read-your-writes': perThread(readYourWrites),
  'threads.message-never-changes': perThread(messageNeverChanges),
  'threads.only-own-messages': perTrace(onlyOwnMessages),
  'threads.no-phantom-messages': perThread(noPhantomMessages),
  'threads.rejected-leaves-no-trace': perTrace(rejectedLeavesNoTrace),
  'threads.server-sets-identity': perExchange(serverSetsIdentity),
  'threads.concurrent-creates': perThread(concurrentCreates),
  'threads.completion-thread-closed': refusedMessage('a message to a thread that a completion made', {
    'thread-made-by-completion': null,
  }),
  'threads.run-needs-user-message': refusalOf(bothRuns, 'a run of a thread without a user message', {
    'thread-without-user': null,
  }),
  'threads.run-empty-body': perTrace(runEmptyBody),
  'threads.stream-ends-on-user-or-tool': refusalOf(
    ['streamThreadRun'],
    'a streamed run of a thread that ends neither on a user nor on a tool message',
    { 'thread-ends-on-assistant': 'assistant', 'thread-ends-on-system': 'system' },
  ),
  'threads.run-appends-answer': perThread(runAppendsAnswer),
  'threads.run-reads-whole-thread': perTrace(runReadsWholeThread),
  'threads.run-assistant-refused': perTrace(runAssistantRefused),
}
