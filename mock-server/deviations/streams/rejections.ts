/** Deviations of chapter streams in the accepted requests: streaming support, the same rules in both forms. */

import { overrideRejection } from '../../overrides/errors.ts'
import { dropField, editAt, replaceWith } from '../../overrides/json-edit.ts'
import { overrideReply } from '../../overrides/replies.ts'
import {
  acceptBodies,
  acceptRequests,
  addRule,
  duringOperations,
  messagesIn,
  rejectRequests,
  skipRule,
} from '../../overrides/rules.ts'
import type { Json } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

export const streamRefusals = {
  'streams.streaming-assistant-streams': [
    deviation(
      'streams.completions-never-stream',
      'Refuses to stream completions with assistants that say they can.',
      addRule('streaming-not-supported', duringOperations('streamChatCompletion')),
    ),
    deviation(
      'streams.every-record-says-streaming',
      'Says streaming: true of every assistant.',
      overrideReply(['listAssistants', 'getAssistant'], (json) =>
        Array.isArray(json)
          ? json.map(editAt('streaming', replaceWith(true)))
          : editAt('streaming', replaceWith(true))(json),
      ),
      { trigger: 'an assistant that gives whole answers only' },
    ),
    deviation(
      'streams.only-first-assistant-streams',
      "Streams with the tenant's first assistant only, whatever the records say.",
      addRule('streaming-not-supported', ({ command }) => {
        if (command.operation !== 'streamChatCompletion') return false
        return command.caller.tenant.assistants[0]?.id !== command.assistantId
      }),
      { trigger: 'another assistant than the first' },
    ),
  ],
  'streams.run-refused-without-support': [
    deviation(
      'streams.support-never-checked',
      'Streams runs of assistants that do not stream.',
      skipRule('streaming-not-supported', duringOperations('streamThreadRun')),
    ),
    deviation(
      'streams.support-refused-as-bad-request',
      'Refuses a streamed run without support as bad_request.',
      overrideRejection('streamThreadRun', 'engine_does_not_support_streaming', (json: Json) =>
        editAt('error_code', replaceWith('bad_request'))(json),
      ),
    ),
    deviation(
      'streams.support-checked-for-first-answer',
      'Checks for streaming support before the first answer of a thread only.',
      skipRule(
        'streaming-not-supported',
        ({ command, thread }) => command.operation === 'streamThreadRun' && (thread?.answers ?? 0) > 0,
      ),
      { trigger: 'a thread that was answered before' },
    ),
  ],
  'streams.same-acceptance': [
    deviation(
      'streams.streamed-form-needs-no-user-message',
      'Streams completions without any user message.',
      acceptBodies('streamChatCompletion', (body) => ({
        ...body,
        messages: [...((body.messages ?? []) as readonly Json[]), { role: 'user', content: ' ' }],
      })),
    ),
    deviation(
      'streams.streamed-form-refuses-system',
      'Refuses system messages in the streamed form of completions.',
      rejectRequests('streamChatCompletion', (input) => messagesIn(input).some(({ role }) => role === 'system'), {
        reason: 'invalid-fields',
        faults: [{ loc: ['body', 'messages', 0, 'role'], message: 'must be user or assistant', type: 'literal_error' }],
      }),
      { trigger: 'a system message' },
    ),
    deviation(
      'streams.streamed-form-ignores-user-id',
      'Checks the user_id of plain completions only.',
      acceptRequests('streamChatCompletion', (input) => ({
        ...input,
        body: editAt('user_id', dropField)(input.body as Json),
      })),
    ),
    deviation(
      'streams.streamed-form-other-code',
      'Refuses an unavailable assistant with bad_request in the streamed form.',
      overrideRejection(
        'streamChatCompletion',
        'assistant_not_available',
        editAt('error_code', replaceWith('bad_request')),
      ),
    ),
    deviation(
      'streams.streamed-run-needs-no-user-message',
      'Streams runs on threads without a user message that end on a tool message.',
      skipRule('no-user-message', duringOperations('streamThreadRun')),
      { trigger: 'a thread of tool messages' },
    ),
    deviation(
      'streams.streamed-run-refuses-second-turn',
      'Refuses streamed runs on threads that were answered before.',
      addRule(
        'no-message-to-answer',
        ({ command, thread }) => command.operation === 'streamThreadRun' && (thread?.answers ?? 0) > 0,
      ),
      { trigger: 'a thread that was answered before' },
    ),
    deviation(
      'streams.streamed-run-ignores-open-calls',
      'Streams runs while tool calls are open.',
      skipRule('open-tool-calls', duringOperations('streamThreadRun')),
      { trigger: 'an open tool call after which a user message stands' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'streams'>>
