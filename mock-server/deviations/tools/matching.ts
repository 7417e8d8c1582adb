/** Deviations of chapter tools in the matching of results with calls. */

import type { HookOverride } from '../../exchange/hooks.ts'
import type { MessageDraft } from '../../machine/command.ts'
import type { HookContext } from '../../machine/domain-hooks.ts'
import { logOf } from '../../machine/message-log.ts'
import { type Thread, withThread } from '../../machine/state.ts'
import { overrideRejection } from '../../overrides/errors.ts'
import { editAt, isObject, replaceWith } from '../../overrides/json-edit.ts'
import { messageOf } from '../../overrides/records.ts'
import { addRule, misparseRequests, skipRule } from '../../overrides/rules.ts'
import type { Json, JsonObject } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const skipsMatch = (when: (draft: MessageDraft, thread: Thread, context: HookContext) => boolean): HookOverride =>
  skipRule('no-matching-tool-call', (context) => {
    const result = resultIn(context)
    return result !== null && when(result.draft, result.thread, context)
  })

const deniesMatch = (when: (draft: MessageDraft, thread: Thread) => boolean): HookOverride =>
  addRule('no-matching-tool-call', (context) => {
    const result = resultIn(context)
    return result !== null && when(result.draft, result.thread)
  })

const knows = (thread: Thread, fits: (callId: string) => boolean): boolean =>
  thread.calls.some((_state, callId) => fits(callId))

export const toolMatching = {
  'tools.unmatched-refused': [
    deviation(
      'tools.result-without-any-call',
      'Takes tool messages for threads without an assistant message.',
      skipsMatch((_draft, thread) => thread.calls.size === 0),
    ),
    deviation(
      'tools.result-with-unknown-id',
      'Takes every call id once a call is open.',
      skipsMatch((draft, thread) => draft.tool_call_id !== undefined && thread.calls.size > 0),
    ),
    deviation(
      'tools.result-with-inherited-name',
      'Looks a call id up in an object, which has names that it inherits.',
      skipsMatch((draft, thread) => thread.calls.size > 0 && (draft.tool_call_id ?? '') in {}),
      { trigger: 'a call id such as constructor' },
    ),
    deviation(
      'tools.result-without-id',
      'Takes tool messages without a call id.',
      skipsMatch((draft) => draft.tool_call_id === undefined),
      { trigger: 'a tool message without a call id' },
    ),
    deviation(
      'tools.result-never-checked',
      'Does not look for the call of a tool message.',
      skipsMatch(() => true),
    ),
  ],
  'tools.unmatched-error': [
    deviation(
      'tools.unmatched-as-bad-request',
      'Refuses an unmatched tool message as bad_request.',
      overrideRejection(
        'createMessage',
        'tool_message_has_no_matching_tool_call',
        editAt('error_code', replaceWith('bad_request')),
      ),
    ),
    deviation(
      'tools.unmatched-shortened-code',
      'Shortens the code to no_matching_tool_call.',
      overrideRejection(
        'createMessage',
        'tool_message_has_no_matching_tool_call',
        editAt('error_code', replaceWith('no_matching_tool_call')),
      ),
    ),
    deviation(
      'tools.unmatched-as-validation-error',
      'Refuses an unmatched tool message as validation_error.',
      overrideRejection('createMessage', 'tool_message_has_no_matching_tool_call', () => ({
        error_code: 'validation_error',
        detail: [{ loc: ['body', 'tool_call_id'], message: 'answers no call', type: 'value_error' }],
      })),
    ),
  ],
  'tools.matched-in-own-thread': [
    deviation(
      'tools.matched-in-other-thread',
      'Searches all threads of the tenant for the call.',
      skipsMatch((draft, thread, { state }) =>
        state.threads.some((other) => other.tenantId === thread.tenantId && other.calls.has(draft.tool_call_id ?? '')),
      ),
      { trigger: 'a call of another thread' },
    ),
    deviation(
      'tools.matched-anywhere',
      'Keeps the calls of all threads in one table.',
      skipsMatch((draft, _thread, { state }) =>
        state.threads.some((other) => other.calls.has(draft.tool_call_id ?? '')),
      ),
      { trigger: 'a call of another thread' },
    ),
    deviation(
      'tools.matched-by-own-id',
      'Accepts the result of every call whose id the service generated, in any thread.',
      skipsMatch((draft, _thread, { state }) => state.threads.some((other) => askedBy(draft, other, true))),
      { trigger: 'a call of an assistant in another thread' },
    ),
  ],
  'tools.matched-by-assistant-only': [
    deviation('tools.matched-on-any-role', 'Reads call ids off messages of every role.', callsOfEveryRole(), {
      trigger: 'the same id on a user message',
    }),
    deviation(
      'tools.matched-in-text',
      'Searches the stored messages for the text of the call id.',
      skipsMatch((draft, thread) => {
        const { tool_call_id: id } = draft
        return id !== undefined && [...thread.log].some((item) => Buffer.from(item).includes(id))
      }),
      { trigger: 'a user message that names the id' },
    ),
  ],
  'tools.matched-accepted': [
    deviation(
      'tools.first-call-only',
      'Matches only the first call of an assistant message.',
      deniesMatch((draft, thread) => callIndex(draft, thread) > 0),
      { trigger: 'the second call of a message' },
    ),
    deviation(
      'tools.calls-of-runs-unknown',
      'Does not remember the calls that a run asked for.',
      deniesMatch((draft, thread) => askedBy(draft, thread, true)),
      { trigger: 'a call that a run asked for' },
    ),
    deviation(
      'tools.calls-of-posts-unknown',
      'Does not remember the calls of posted assistant messages.',
      deniesMatch((draft, thread) => askedBy(draft, thread, false)),
      { trigger: 'a call of a posted message' },
    ),
    deviation(
      'tools.posted-call-ids-cut-short',
      'Keeps the first half of the call ids in a posted assistant message.',
      misparseRequests('createMessage', (input) => ({
        ...input,
        body: editAt('tool_calls.*.id', (id) => (typeof id === 'string' ? id.slice(0, Math.ceil(id.length / 2)) : id))(
          input.body as Json,
        ),
      })),
      { trigger: 'a call that a client writes' },
    ),
    deviation(
      'tools.second-turn-calls-unknown',
      'Matches only the calls of the first assistant message of a thread.',
      deniesMatch((draft, thread) => thread.answers > 1 && callIndex(draft, firstAnswerOf(thread)) < 0),
      { trigger: 'a thread that was answered before' },
    ),
    deviation(
      'tools.calls-of-first-messages-only',
      'Searches the first 30 messages of a thread for the call.',
      deniesMatch((draft, thread) => {
        const first = { ...thread, log: logOf([...thread.log].slice(0, 30)) }
        return callIndex(draft, thread) >= 0 && callIndex(draft, first) < 0
      }),
      { trigger: 'a call in a long thread' },
    ),
    deviation(
      'tools.calls-of-newest-answer-only',
      'Searches the newest assistant message alone for the call.',
      deniesMatch((draft, thread) => callIndex(draft, thread) >= 0 && callIndex(draft, newestAnswerOf(thread)) < 0),
      { trigger: 'an assistant message between a call and its result' },
    ),
  ],
  'tools.matched-behind-other-results': [
    deviation(
      'tools.result-behind-result-refused',
      'Demands the assistant message directly before a tool message.',
      deniesMatch((_draft, thread) => thread.lastRole === 'tool'),
      { trigger: 'the second of two results' },
    ),
    deviation(
      'tools.calls-closed-by-first-result',
      'Closes all calls of a message with the first result.',
      deniesMatch((_draft, thread) => thread.calls.some((state) => state === 'answered') && thread.lastRole === 'tool'),
      { trigger: 'the second of two results' },
    ),
  ],
  'tools.matched-exactly': [
    deviation(
      'tools.matched-by-prefix',
      'Compares call ids as far as the shorter one goes.',
      skipsMatch(
        ({ tool_call_id: id = '' }, thread) =>
          id !== '' && knows(thread, (known) => known.startsWith(id) || id.startsWith(known)),
      ),
      { trigger: 'a prefix of a call id' },
    ),
    deviation(
      'tools.matched-trimmed',
      'Trims call ids before comparing them.',
      skipsMatch(({ tool_call_id: id = '' }, thread) => knows(thread, (known) => known === id.trim())),
      { trigger: 'a call id with blanks around it' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'tools'>>

/** The call of a created tool message, or `null` on every other occasion. */
function resultIn({ command, thread }: HookContext): { readonly draft: MessageDraft; readonly thread: Thread } | null {
  if (command.operation !== 'createMessage' || command.message.role !== 'tool' || thread === null) return null
  return { draft: command.message, thread }
}

function callsIn(item: Uint8Array): readonly Json[] {
  const { tool_calls: calls } = messageOf(item)
  return Array.isArray(calls) ? calls : []
}

/** Place of the call among those of its message, -1 when there is none. */
function callIndex(draft: MessageDraft, thread: Thread): number {
  const asked = [...thread.log].findLast((item) =>
    callsIn(item).some((call) => isObject(call) && call.id === draft.tool_call_id),
  )
  return asked === undefined ? -1 : callsIn(asked).findIndex((call) => isObject(call) && call.id === draft.tool_call_id)
}

/** Answers of runs have meta_data of the assistant's schema; posted messages have none of their own. */
function askedBy(draft: MessageDraft, thread: Thread, run: boolean): boolean {
  const asked = [...thread.log].findLast((item) =>
    callsIn(item).some((call) => isObject(call) && call.id === draft.tool_call_id),
  )
  if (asked === undefined) return false
  return Object.keys((messageOf(asked).meta_data ?? {}) as JsonObject).length > 0 === run
}

function firstAnswerOf(thread: Thread): Thread {
  const end = [...thread.log].findIndex((item) => messageOf(item).role === 'assistant')
  return { ...thread, log: logOf([...thread.log].slice(0, end + 1)) }
}

function newestAnswerOf(thread: Thread): Thread {
  const items = [...thread.log]
  return { ...thread, log: logOf(items.slice(items.findLastIndex((item) => messageOf(item).role === 'assistant'))) }
}

/** Notes the call ids on messages of other roles as calls of their thread. */
function callsOfEveryRole(): HookOverride {
  return misparseRequests('createMessage', (input, { world }) => {
    const { body, pathId } = input
    const thread = world.state.threads.get(pathId)
    if (thread === undefined || !isObject(body as Json)) return input
    const { role, tool_call_id: id, tool_calls: calls } = body as JsonObject
    if (role !== 'user' && role !== 'system') return input
    const ids = [id, ...(Array.isArray(calls) ? calls.map((call: Json) => (isObject(call) ? call.id : null)) : [])]
    const noted = ids.reduce<Thread['calls']>(
      (all, call) => (typeof call === 'string' ? all.set(call, 'answered') : all),
      thread.calls,
    )
    world.state = withThread(world.state, { ...thread, calls: noted })
    return input
  })
}
