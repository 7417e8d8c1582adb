/** Deviations of chapter streams that need several chunks to be seen: ids, order, the joined text. */
import type { HookOverride } from '../../exchange/hooks.ts'
import { acceptsLines, answerInChunks } from '../../overrides/chunked-answers.ts'
import { editTextAt, isObject } from '../../overrides/json-edit.ts'
import { originOf, overrideStoredMessages } from '../../overrides/records.ts'
import { overrideAccepted, overrideReplyWithMemory, overrideText } from '../../overrides/replies.ts'
import {
  contentOf,
  everyChunk,
  firstChunk,
  lastChunk,
  laterChunks,
  overrideChunk,
  overrideDrafts,
  streamedOperations,
  textStreams,
  withContent,
} from '../../overrides/streams.ts'
import * as corruption from '../../overrides/text-corruption.ts'
import type { Json } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'
import * as draftEdits from './draft-edits.ts'

const otherText = (edit: (content: string, place: { index: number; last: boolean }) => string) =>
  overrideDrafts(textStreams, (drafts) =>
    drafts.map((draft, index) =>
      withContent(draft, edit(contentOf(draft), { index, last: index === drafts.length - 1 })),
    ),
  )

export const streamContents = {
  'streams.one-message': [
    deviation(
      'streams.fresh-id-per-chunk',
      'Draws a message_id for every chunk.',
      overrideChunk('streamChatCompletion', everyChunk, (json, { index }) =>
        editTextAt('message_id', (id) => corruption.siblingOf(id, index))(json),
      ),
    ),
    deviation(
      'streams.last-chunk-of-another-message',
      'Gives the last chunk an id of its own.',
      overrideChunk(
        streamedOperations,
        lastChunk,
        editTextAt('message_id', (id) => corruption.siblingOf(id)),
      ),
      { trigger: 'the last chunk' },
    ),
    deviation(
      'streams.first-chunk-with-run-id',
      'Sends the id of the run, not of the message, with the first chunk.',
      overrideChunk(
        'streamThreadRun',
        (place) => place.index === 0 && !place.last,
        editTextAt('message_id', (id) => corruption.siblingOf(id)),
      ),
      { trigger: 'the first chunk' },
    ),
  ],
  'streams.one-thread': [
    deviation(
      'streams.thread-changes-behind-first-chunk',
      'Sends a provisional thread_id with the first chunk and the stored one with the rest.',
      overrideChunk(
        'streamChatCompletion',
        (place) => place.index === 0 && !place.last,
        editTextAt('thread_id', (id) => corruption.siblingOf(id)),
      ),
      { trigger: 'the first chunk' },
    ),
    deviation(
      'streams.last-chunk-of-another-thread',
      'Sends another thread_id with the last chunk.',
      overrideChunk(
        ['streamChatCompletionEvents', 'streamThreadRun'],
        lastChunk,
        editTextAt('thread_id', (id) => corruption.siblingOf(id)),
      ),
      { trigger: 'the last chunk' },
    ),
  ],
  'streams.created-at-order': [
    deviation(
      'streams.last-chunk-stamped-at-start',
      'Stamps the last chunk with the moment at which the run began.',
      overrideChunk(
        streamedOperations,
        lastChunk,
        editTextAt('created_at', (timestamp) => corruption.movedBy(timestamp, -2_000_000)),
      ),
      { trigger: 'the last chunk' },
    ),
    deviation(
      'streams.two-clocks',
      'Stamps every other chunk on a machine whose clock is a second behind.',
      overrideChunk(
        streamedOperations,
        ({ index }) => index % 2 === 1,
        editTextAt('created_at', (timestamp) => corruption.movedBy(timestamp, -1_000_000)),
      ),
      { trigger: 'every second chunk' },
    ),
    deviation(
      'streams.first-chunk-stamped-at-end',
      'Stamps the first chunk with the estimated end of the answer.',
      overrideChunk(
        'streamChatCompletionEvents',
        firstChunk,
        editTextAt('created_at', (timestamp) => corruption.movedBy(timestamp, 60_000_000)),
      ),
      { trigger: 'the first chunk' },
    ),
  ],
  'streams.joined-equals-stored': [
    deviation(
      'streams.fragments-trimmed',
      'Trims every fragment.',
      otherText((content) => content.trim()),
    ),
    deviation(
      'streams.last-fragment-lost',
      'Replaces the text of the last chunk by nothing when it adds the sources.',
      otherText((content, place) => (place.last && place.index > 0 ? '' : content)),
      { trigger: 'an answer of more than one chunk' },
    ),
    deviation(
      'streams.last-full-fragment-lost',
      'Cuts an answer into pieces of eight characters and loses the last one where it is full.',
      overrideDrafts(textStreams, draftEdits.lastFullLost),
      { trigger: 'an answer whose length is a multiple of eight' },
    ),
    deviation(
      'streams.fragment-twice',
      'Sends the second fragment twice after a retry.',
      overrideDrafts(textStreams, draftEdits.secondTwice),
      { trigger: 'an answer of more than one chunk' },
    ),
    deviation(
      'streams.fragments-swapped',
      'Sends the second and third fragment in the order in which workers end.',
      overrideDrafts(textStreams, draftEdits.swapped),
      { trigger: 'an answer of more than three chunks' },
    ),
    deviation('streams.fragments-escaped', 'Escapes fragments for HTML.', otherText(corruption.htmlEscaped), {
      trigger: 'an answer with & < > or quotes',
    }),
    deviation(
      'streams.fragments-decoded-alone',
      'Cuts an answer into eight pieces of as many bytes and decodes each of them alone.',
      overrideDrafts(textStreams, draftEdits.decodedAlone),
      { trigger: 'a character of several bytes where a piece ends' },
    ),
    deviation(
      'streams.equal-fragments-once',
      'Cuts an answer into pieces of eight characters and drops those that repeat the one before.',
      overrideDrafts(textStreams, draftEdits.equalOnce),
      { trigger: 'an answer with equal characters in a row' },
    ),
    deviation(
      'streams.equal-eighths-once',
      'Cuts an answer into eight pieces of the same length and drops those that repeat the one before.',
      overrideDrafts(textStreams, draftEdits.equalEighthsOnce),
      { trigger: 'an answer that is one character for three eighths' },
    ),
    deviation(
      'streams.blank-fragments-dropped',
      'Cuts an answer into pieces of 22 characters and drops those that are blank.',
      overrideDrafts(textStreams, draftEdits.withoutBlankPieces),
      { trigger: 'an answer with 43 blanks in a row' },
    ),
    deviation(
      'streams.emoji-cut',
      'Replaces the halves of surrogate pairs when cutting fragments.',
      otherText(corruption.halvesReplaced),
      { trigger: 'an answer beyond the BMP' },
    ),
    deviation(
      'streams.fragments-composed',
      'Composes the characters of fragments (NFC).',
      otherText((content) => content.normalize('NFC')),
      { trigger: 'an answer with combining marks' },
    ),
    deviation(
      'streams.carriage-returns-lost',
      'Turns CR LF into LF on the way.',
      overrideDrafts(textStreams, draftEdits.withoutCarriageReturns),
      { trigger: 'an answer with CR LF' },
    ),
    deviation(
      'streams.runs-of-blanks-shrink',
      'Leaves at most two characters of white space in a row.',
      otherText((content) => content.replace(/(\s\s)\s+/g, '$1')),
      { trigger: 'an answer with three blanks in a row' },
    ),
    deviation(
      'streams.text-behind-4096-bytes-lost',
      'Stops forwarding text when a buffer of 4,096 bytes is full.',
      overrideDrafts(textStreams, draftEdits.firstBytes),
      { trigger: 'an answer above 4,096 bytes' },
    ),
    deviation(
      'streams.stored-answer-trimmed',
      'Trims the answer of a streamed form before storing it.',
      overrideStoredMessages((message, context) =>
        context.command.operation === 'finishRun' && originOf(context).startsWith('stream')
          ? { ...message, content: String(message.content).trim() }
          : message,
      ),
      { trigger: 'an answer that ends on a blank' },
    ),
    deviation(
      'streams.last-chunk-repeats-all',
      'Sends the whole text again with the last chunk.',
      overrideDrafts(textStreams, (drafts) =>
        drafts.map((draft, index) =>
          index > 0 && index === drafts.length - 1 ? withContent(draft, drafts.map(contentOf).join('')) : draft,
        ),
      ),
      { trigger: 'an answer of more than one chunk' },
    ),
  ],
  'streams.whole-form-does-not-stream': [
    deviation(
      'streams.plain-run-in-chunks',
      'Answers a plain run with the chunks of the streamed one.',
      overrideText('runThread', answerInChunks),
    ),
    deviation(
      'streams.plain-run-in-accepted-chunks',
      'Answers a plain run with chunks where the caller accepts NDJSON as well.',
      overrideText('runThread', (json, exchange) => (acceptsLines(exchange) ? answerInChunks(json) : json)),
      { trigger: 'a caller that accepts NDJSON' },
    ),
    deviation(
      'streams.plain-run-with-progress-lines',
      'Sends a line of progress before the answer of a plain run.',
      overrideText('runThread', (json) => `{"status":"in_progress"}\n${json}`),
    ),
  ],
  'streams.answer-belongs-to-thread': [
    deviation(
      'streams.run-answer-of-another-thread',
      'Answers a run with the thread_id of a copy of the thread.',
      overrideAccepted(
        'runThread',
        editTextAt('thread_id', (id) => corruption.siblingOf(id)),
      ),
    ),
    deviation(
      'streams.run-answer-kept-for-question',
      'Keeps the whole answer of a run for its question, also in other threads.',
      keptForQuestion(),
      { trigger: 'the same question in two threads' },
    ),
    deviation(
      'streams.run-chunks-of-another-thread',
      'Streams a run under the thread_id of a copy of the thread.',
      overrideChunk(
        'streamThreadRun',
        everyChunk,
        editTextAt('thread_id', (id) => corruption.siblingOf(id)),
      ),
    ),
    deviation(
      'streams.run-id-as-thread-id',
      'Puts the id of the message into thread_id, after the first chunk.',
      overrideChunk('streamThreadRun', laterChunks, (json) =>
        isObject(json) ? { ...json, thread_id: json.message_id ?? '' } : json,
      ),
      { trigger: 'all chunks but the first' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'streams'>>

/** Answers a run of the newest question of a thread as the first run of this question, whole. */
function keptForQuestion(): HookOverride {
  const remember = () => ({ questions: new Map<string, string>(), answers: new Map<string, Json>() })
  return overrideReplyWithMemory(['createMessage', 'runThread'], remember, (json, { command }, memory) => {
    if (command?.operation === 'createMessage' && command.message.role === 'user')
      memory.questions.set(command.threadId, command.message.content)
    if (command?.operation !== 'runThread') return json
    const question = memory.questions.get(command.threadId)
    if (question === undefined) return json
    const answer = memory.answers.get(question) ?? json
    memory.answers.set(question, answer)
    return answer
  })
}
