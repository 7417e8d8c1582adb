/** Deviations of what one operation refuses, continues or lists, each for a single obligation. */

import type { Deviation, HookOverride } from '../../exchange/hooks.ts'
import type { HookContext } from '../../machine/domain-hooks.ts'
import type { RunOperation } from '../../machine/run.ts'
import type { Thread } from '../../machine/state.ts'
import { isObject } from '../../overrides/json-edit.ts'
import { messageOf } from '../../overrides/records.ts'
import { misparseRequests, rejectRequests, skipRule } from '../../overrides/rules.ts'
import { singlePlace } from './single-place.ts'

/** Takes another limit on one occasion. */
const limits = (limit: (asked: number, thread: Thread, before: number) => number): HookOverride => ({
  hook: 'select',
  wrap: (next) => (thread, asked, before, context) => next(thread, limit(asked, thread, before), before, context),
})

/** Whether a limit leaves one message of the thread, and is no limit of another facet. */
const leavesOne = (asked: number, { log }: Thread): boolean => asked === log.size - 1 && asked > 2

/** Forgets open calls, either of messages that have a result already or of those without any. */
const forgetsCalls = (operation: RunOperation, { answered }: { readonly answered: boolean }): HookOverride =>
  skipRule(
    'open-tool-calls',
    ({ command, thread }) =>
      command.operation === operation && thread !== null && isPartlyAnswered(thread) === answered,
  )

/** Whether the first message with an open call also has an answered one. */
function isPartlyAnswered({ log, calls }: Thread): boolean {
  for (const bytes of log) {
    const { tool_calls: asked } = messageOf(bytes)
    const states = Array.isArray(asked) ? asked.map((call) => calls.get(String(isObject(call) && call.id))) : []
    if (states.includes('open')) return states.includes('answered')
  }
  return false
}

const namesCallBeforeAnyAnswer = ({ command, thread }: HookContext): boolean =>
  command.operation === 'createMessage' &&
  command.message.tool_call_id !== undefined &&
  thread !== null &&
  thread.calls.size === 0

const refusesUser = (form: RegExp): HookOverride =>
  rejectRequests('createUploadGrant', (input) => form.test(input.header('user-id') ?? ''), {
    reason: 'malformed-http',
  })

export const singleRules: readonly Deviation[] = [
  singlePlace(
    'files.user-id-accepted',
    'createUploadGrant',
    'letters',
    'Refuses user-ids of several letters and nothing else.',
    refusesUser(/^[A-Za-z]{2,}$/),
  ),
  singlePlace(
    'files.user-id-accepted',
    'createUploadGrant',
    'one-character',
    'Refuses user-ids of one character.',
    refusesUser(/^.$/),
  ),
  singlePlace(
    'pagination.limit-fills-page',
    'listMessages',
    'limit-1',
    'Lists nothing for a limit of 1.',
    limits((asked) => (asked === 1 ? 0 : asked)),
  ),
  singlePlace(
    'pagination.limit-fills-page',
    'listMessages',
    'limit-2',
    'Lists one message for a limit of 2 in threads of more than three.',
    limits((asked, { log }) => (asked === 2 && log.size > 3 ? 1 : asked)),
  ),
  singlePlace(
    'pagination.limit-fills-page',
    'listMessages',
    'limit-n-1',
    'Lists one message too few when one would be left.',
    limits((asked, thread) => (leavesOne(asked, thread) ? asked - 1 : asked)),
  ),
  singlePlace(
    'pagination.limit-caps-page',
    'listMessages',
    'limit-2',
    'Lists three messages for a limit of 2 in threads of more than three.',
    limits((asked, { log }) => (asked === 2 && log.size > 3 ? 3 : asked)),
  ),
  singlePlace(
    'pagination.limit-caps-page',
    'listMessages',
    'limit-n-1',
    'Lists the oldest message too when one would be left.',
    limits((asked, thread) => (leavesOne(asked, thread) ? asked + 1 : asked)),
  ),
  singlePlace(
    'completions.continues-thread',
    'streamChatCompletion',
    null,
    'Streams into a new thread whatever thread_id says.',
    misparseRequests('streamChatCompletion', (input) => ({ ...input, query: null })),
  ),
  ...(['runThread', 'streamThreadRun'] as const).flatMap((operation) => [
    singlePlace(
      'tools.run-needs-tool-messages',
      operation,
      'none-answered',
      `Forgets calls without any result on ${operation}.`,
      forgetsCalls(operation, { answered: false }),
    ),
    singlePlace(
      'tools.run-needs-tool-messages',
      operation,
      'some-answered',
      `Takes one result for the answer to all calls on ${operation}.`,
      forgetsCalls(operation, { answered: true }),
    ),
  ]),
  singlePlace(
    'tools.unmatched-refused',
    'createMessage',
    'no-assistant-message',
    'Takes any call id in threads without a call.',
    skipRule('no-matching-tool-call', namesCallBeforeAnyAnswer),
  ),
]
