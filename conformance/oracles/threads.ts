/** Oracles of chapter threads: what is created, what is refused, and when a run may start. */
import type { TestableId } from '../../spec/index.ts'
import { canonicalUuid, isWellFormed } from '../classify/forms.ts'
import { fieldOf, isObject, nameOf, textField } from '../classify/json.ts'
import { documentOf, isAccepted, isRefusal, type Reading } from '../classify/reading.ts'
import type { Docket } from '../judging/docket.ts'
import type { Testimony } from '../judging/testimony.ts'
import { isRefusedLikeOneOf, isRefusedLikeValid, isRouteMissing, servesNothing } from './alike.ts'
import {
  answerName,
  bothRuns,
  judgeAcceptance,
  mustBeRefused,
  newestBefore,
  type Oracle,
  type RefusalRule,
  threadOperations,
  withSoleFault,
} from './oracle.ts'
import { runAppendsAnswer } from './run-answers.ts'
import { messageNeverChanges, noPhantomMessages, onlyOwnMessages, rejectedLeavesNoTrace } from './thread-contents.ts'
import { concurrentCreates, createdIsListed, listedAsCreated, readYourWrites } from './thread-listing.ts'

const refusedMessage =
  (what: string, faults: RefusalRule['faults']): Oracle =>
  (docket, testify) =>
    mustBeRefused(docket, testify, { operations: ['createMessage'], faults, what })

/** Created messages with what was asked for. */
function* creations(
  docket: Docket,
): Generator<{ readonly reading: Reading; readonly sent: unknown; readonly created: unknown }> {
  for (const reading of docket.of('createMessage')) {
    const created = documentOf(reading)
    if (isObject(created) && reading.body.kind === 'json') yield { reading, sent: reading.body.value, created }
  }
}

const createEchoes: Oracle = (docket, testify) => {
  for (const { reading, sent, created } of creations(docket)) {
    // What should have been refused has no right echo.
    if (docket.requestOf(reading).validity === 'invalid') continue
    for (const facet of ['role', 'content'] as const) {
      const expected = textField(sent, facet)
      const actual = fieldOf(created, facet)
      if (expected === null || actual === undefined || !isWellFormed(expected)) continue
      if (actual === expected) testify.held('createMessage', facet, reading.id)
      else {
        testify.contradicted('createMessage', facet, {
          exchanges: [reading.id],
          expected: nameOf(expected),
          actual: nameOf(actual),
          pointer: `/${facet}`,
          because: `${reading.id} adds a message with ${facet} ${nameOf(expected)}, and the created message has ${nameOf(actual)}.`,
        })
      }
    }
  }
}

const createdInThread: Oracle = (docket, testify) => {
  for (const { reading, created } of creations(docket)) {
    const thread = reading.params.thread_id ?? ''
    const actual = textField(created, 'thread_id')
    if (actual === null) continue
    if (canonicalUuid(actual) === canonicalUuid(thread)) testify.held('createMessage', null, reading.id)
    else {
      testify.contradicted('createMessage', null, {
        exchanges: [reading.id],
        expected: thread,
        actual,
        pointer: '/thread_id',
        because: `${reading.id} adds a message to thread ${thread}, and the created message carries thread_id ${actual}.`,
      })
    }
  }
}

/** A refused role is one that is refused whenever it stands in that place: other messages may be refused for what they say. */
const rolesAccepted: Oracle = (docket, testify) => {
  const valid = docket.of('createMessage').filter((reading) => docket.requestOf(reading).validity === 'valid')
  const welcome = new Set(valid.filter(isAccepted).map((reading) => roleInPlace(docket, reading)))
  for (const reading of valid) {
    const role = roleOf(reading)
    if (role === null || role === 'tool') continue
    const isRoleFine = welcome.has(roleInPlace(docket, reading)) || servesNothing(docket, 'createMessage')
    if (isRefusal(reading) && isRoleFine) {
      testify.ambiguous('createMessage', role, reading.id, `It is not the role for which ${reading.id} was refused.`)
    } else judgeAcceptance(testify, reading, role, `a message of role ${role}`)
  }
}

const roleOf = ({ body }: Reading): string | null => (body.kind === 'json' ? textField(body.value, 'role') : null)

/** A role and the role of the message that it follows. */
function roleInPlace(docket: Docket, reading: Reading): string {
  const newest = docket.ledger.thread(reading.params.thread_id ?? '')?.timeline.newest(reading, reading)
  return `${roleOf(reading)} behind ${newest == null || newest === 'none' ? newest : newest.role}`
}

const emptyContentRefused: Oracle = (docket, testify) => {
  mustBeRefused(docket, testify, {
    operations: ['createMessage'],
    faults: { 'content-empty': 'rejected' },
    what: 'a message with empty content',
  })
  judgeCode(
    docket,
    testify,
    ['createMessage'],
    { 'content-empty': 'error_code' },
    'message_content_empty',
    'a message with empty content',
  )
}

const unknownThreadError: Oracle = (docket, testify) => {
  const faults = { 'thread-unknown': null }
  mustBeRefused(docket, testify, {
    operations: threadOperations,
    faults,
    what: 'a request about a thread that does not exist',
  })
  judgeCode(
    docket,
    testify,
    threadOperations,
    faults,
    'thread_not_found',
    'a request about a thread that does not exist',
  )
}

/** Refusals whose only fault calls for one certain code; where something else may have been the reason, so may its code. */
export function judgeCode(
  docket: Docket,
  testify: Testimony,
  operations: RefusalRule['operations'],
  faults: RefusalRule['faults'],
  code: string,
  what: string,
): undefined {
  for (const [reading, facet] of withSoleFault(docket, operations, faults)) {
    if (!isRefusal(reading) || reading.operation === null) continue
    const isOnlyReason = docket.requestOf(reading).doubts.every(({ leniency }) => leniency)
    if (reading.answer.code === code) testify.held(reading.operation, facet, reading.id)
    else if (isOnlyReason && !isRefusedLikeValid(docket, testify, reading, facet)) {
      testify.contradicted(reading.operation, facet, {
        exchanges: [reading.id],
        expected: code,
        actual: answerName(reading),
        pointer: '/error_code',
        because: `${reading.id} is ${what}, and the error is ${answerName(reading)} instead of ${code}.`,
      })
    }
  }
}

const serverSetsIdentity: Oracle = (docket, testify) => {
  for (const { reading, sent, created } of creations(docket)) {
    for (const facet of ['id', 'thread_id', 'created_at'] as const) {
      const tried = fieldOf(sent, facet)
      if (tried === undefined || (facet === 'thread_id' && tried === reading.params.thread_id)) continue
      if (fieldOf(created, facet) !== tried) testify.held('createMessage', facet, reading.id)
      else {
        testify.contradicted('createMessage', facet, {
          exchanges: [reading.id],
          expected: `a ${facet} of the service's own`,
          actual: nameOf(tried),
          pointer: `/${facet}`,
          because: `The body of ${reading.id} tried to set ${facet}, and the service took it.`,
        })
      }
    }
  }
}

const runEmptyBody: Oracle = (docket, testify) => {
  for (const operation of bothRuns) {
    for (const reading of docket.of(operation)) {
      if (docket.requestOf(reading).validity !== 'valid' || reading.body.kind !== 'json') continue
      if (hasToolConfiguration(reading)) continue
      if (isRefusal(reading) && isBodyFine(docket, reading)) {
        const why = `It is not for its body that ${reading.id} was refused.`
        testify.ambiguous(operation, null, reading.id, why)
      } else judgeAcceptance(testify, reading, null, 'a run without tool configuration')
    }
  }
}

const hasToolConfiguration = ({ body }: Reading): boolean =>
  body.kind === 'json' && isObject(body.value) && Object.keys(body.value).some((name) => /tool/i.test(name))

/** Whether a body of the same fields was accepted by another run, or there is no such route. */
function isBodyFine(docket: Docket, reading: Reading): boolean {
  const runs = docket.of(reading.operation ?? 'runThread')
  const isSameBody = (other: Reading): boolean => fieldsOf(other) === fieldsOf(reading)
  return runs.some((other) => isAccepted(other) && isSameBody(other)) || isRouteMissing(reading)
}

const fieldsOf = ({ body }: Reading): string =>
  body.kind === 'json' && isObject(body.value) ? Object.keys(body.value).sort().join() : body.kind

/** A run whose user message is not the newest one; what refuses runs behind user messages too has another cause. */
const runReadsWholeThread: Oracle = (docket, testify) => {
  const runs = docket.of('runThread').map((reading) => ({
    reading,
    newest: newestBefore(docket, reading),
    validity: docket.requestOf(reading).validity,
  }))
  const behindUser = runs.filter(({ newest, validity }) => newest?.role === 'user' && validity === 'valid')
  const soundRuns = behindUser.map(({ reading }) => reading)
  for (const { reading, newest, validity } of runs) {
    const hasUser = docket.ledger.thread(reading.params.thread_id ?? '')?.timeline.hasUser(reading)
    if (newest === null || newest.role === 'user' || hasUser !== 'yes') continue
    if (validity === 'unsure' && isAccepted(reading)) testify.held('runThread', null, reading.id)
    if (validity !== 'valid') continue
    if (isRouteMissing(reading) || isRefusedLikeOneOf(reading, soundRuns)) {
      const why = `${answerName(reading)} is what runs behind user messages get as well.`
      testify.ambiguous('runThread', null, reading.id, why)
      continue
    }
    const what = `a run of a thread whose user message stands before a ${newest.role} message`
    judgeAcceptance(testify, reading, null, what)
  }
}

/** The oracles of chapter threads. */
export const threadsOracles: Readonly<Record<TestableId<'threads'>, Oracle>> = {
  'threads.create-echoes': createEchoes,
  'threads.created-in-thread': createdInThread,
  'threads.roles-accepted': rolesAccepted,
  'threads.empty-content-refused': emptyContentRefused,
  'threads.content-required': refusedMessage('a message without a string content', {
    'content-missing': 'absent',
    'content-not-string': 'not-string',
  }),
  'threads.role-known': refusedMessage('a message of an unknown role', {
    'role-unknown': null,
    'role-not-string': null,
  }),
  'threads.role-required': refusedMessage('a message without a role', { 'role-missing': null }),
  'threads.unknown-thread-error': unknownThreadError,
  'threads.created-is-listed': createdIsListed,
  'threads.listed-as-created': listedAsCreated,
  'threads.read-your-writes': readYourWrites,
  'threads.message-never-changes': messageNeverChanges,
  'threads.only-own-messages': onlyOwnMessages,
  'threads.no-phantom-messages': noPhantomMessages,
  'threads.rejected-leaves-no-trace': rejectedLeavesNoTrace,
  'threads.server-sets-identity': serverSetsIdentity,
  'threads.concurrent-creates': concurrentCreates,
  'threads.completion-born-closed': refusedMessage('a message to a thread that a completion made', {
    'thread-made-by-completion': null,
  }),
  'threads.run-needs-user-message': (docket, testify) =>
    mustBeRefused(docket, testify, {
      operations: bothRuns,
      faults: { 'thread-without-user': null },
      what: 'a run of a thread without a user message',
    }),
  'threads.run-empty-body': runEmptyBody,
  'threads.stream-ends-on-user-or-tool': (docket, testify) =>
    mustBeRefused(docket, testify, {
      operations: ['streamThreadRun'],
      faults: { 'thread-ends-on-assistant': 'assistant', 'thread-ends-on-system': 'system' },
      what: 'a streamed run of a thread that ends neither on a user nor on a tool message',
    }),
  'threads.run-appends-answer': runAppendsAnswer,
  'threads.run-reads-whole-thread': runReadsWholeThread,
}
