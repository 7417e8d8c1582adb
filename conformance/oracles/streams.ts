/** Oracles of chapter streams: framing, what every chunk holds, and that a stream is one message of one thread. */
import type { OperationId, TestableId } from '../../spec/index.ts'
import { canonicalUuid, isTimestamp } from '../classify/forms.ts'
import { fieldOf, isObject, nameOf, quoted, textField } from '../classify/json.ts'
import { documentOf, isAccepted, type Reading } from '../classify/reading.ts'
import { chunksOf } from '../classify/stream-chunks.ts'
import type { Docket } from '../judging/docket.ts'
import type { Testimony } from '../judging/testimony.ts'
import type { DecodedLine } from '../ndjson.ts'
import { type Oracle, streamOperations } from './oracle.ts'
import { runRefusedWithoutSupport, sameAcceptance, streamingAssistantStreams } from './stream-acceptance.ts'
import { blockHasType, blocksDelta, deltaRole, reasoningBlock, textDelta } from './stream-deltas.ts'
import { progressive } from './stream-pace.ts'
import { joinedEqualsStored } from './stream-stored.ts'
import { wholeAnswer } from './whole-answers.ts'

/** Every stream that began, with its operation. */
export function* streamsOf(docket: Docket, operations: readonly OperationId[] = streamOperations) {
  for (const operation of operations) {
    for (const reading of docket.of(operation)) {
      const { stream } = reading.answer
      if (stream !== null) yield { operation, reading, stream }
    }
  }
}

const ndjsonLines: Oracle = (docket, testify) => {
  for (const { operation, reading, stream } of streamsOf(docket)) {
    const [bad] = stream.lines.filter((line, index) => !isObject(line.value) && !isExcused(reading, line, index))
    // Bytes that are no text are told as such.
    if (bad !== undefined && stream.problems.some(({ kind, line }) => kind === 'invalid-utf8' && line === bad.index))
      continue
    if (bad === undefined) {
      if (stream.lines.length > 0) testify.held(operation, null, reading.id)
      continue
    }
    testify.contradicted(operation, null, {
      exchanges: [reading.id],
      expected: 'one whole JSON object in each line',
      actual: `${framingOf(bad.text)}: ${quoted(bad.text)}`,
      pointer: `line ${bad.index + 1}`,
      because: `Line ${bad.index + 1} of the stream in ${reading.id} is not one JSON object (${framingOf(bad.text)}).`,
    })
  }
}

/** What is left of a line when a stream breaks off; and the last line after whole ones, which is another rule's. */
function isExcused(reading: Reading, line: DecodedLine, index: number): boolean {
  const isLast = index === (reading.answer.stream?.lines.length ?? 0) - 1
  if (line.error?.startsWith('longer than') === true) return true
  if (!isLast || line.endsWith !== 'none' || line.error === null) return false
  return reading.exchange.ending !== 'complete' || index > 0
}

function framingOf(text: string): string {
  if (/^(?:data|event|id|retry):/.test(text)) return 'server-sent events'
  if (text.startsWith('[')) return 'a JSON array'
  return /^[\s{}\]"]/.test(text) ? 'a JSON text over several lines' : 'not JSON'
}

const utf8: Oracle = (docket, testify) => {
  for (const { operation, reading, stream } of streamsOf(docket)) {
    const cut = reading.exchange.ending !== 'complete'
    const lastLine = stream.lines.at(-1)
    const [bad] = stream.problems.filter(
      ({ kind, line }) => kind === 'invalid-utf8' && !(cut && line === lastLine?.index && lastLine.endsWith === 'none'),
    )
    if (bad === undefined) testify.held(operation, null, reading.id)
    else {
      testify.contradicted(operation, null, {
        exchanges: [reading.id],
        expected: 'UTF-8',
        actual: bad.text,
        pointer: `line ${bad.line + 1}`,
        because: `Line ${bad.line + 1} of the stream in ${reading.id} holds bytes that are not UTF-8.`,
      })
    }
  }
}

const notEmpty: Oracle = (docket, testify) => {
  for (const { operation, reading, stream } of streamsOf(docket)) {
    if (!isAccepted(reading)) continue
    if (stream.lines.length > 0) testify.held(operation, null, reading.id)
    else {
      testify.contradicted(operation, null, {
        exchanges: [reading.id],
        expected: 'at least one chunk',
        actual: 'an empty stream',
        because: `${reading.id} is accepted, and its stream ends without a chunk.`,
      })
    }
  }
}

const endsWhole: Oracle = (docket, testify) => {
  for (const { operation, reading, stream } of streamsOf(docket)) {
    const last = stream.lines.at(-1)
    if (last === undefined) continue
    if (!isAccepted(reading)) {
      testify.ambiguous(operation, null, reading.id, `The stream of ${reading.id} was ${reading.exchange.ending}.`)
    } else if (last.error === null || last.endsWith !== 'none' || stream.lines.length === 1)
      testify.held(operation, null, reading.id)
    else {
      testify.contradicted(operation, null, {
        exchanges: [reading.id],
        expected: 'a whole chunk at the end',
        actual: quoted(last.text),
        pointer: `line ${last.index + 1}`,
        because: `The stream of ${reading.id} ends regularly in the middle of line ${last.index + 1}.`,
      })
    }
  }
}

/** An oracle for a field that all chunks of a stream share. */
const sharedField =
  (name: 'message_id' | 'thread_id'): Oracle =>
  (docket, testify) => {
    for (const { operation, reading } of streamsOf(docket)) {
      let first: string | null = null
      const other = chunksOf(reading).find(({ value }) => {
        const given = textField(value, name)
        first ??= given
        return given !== null && given !== first
      })
      if (first === null) continue
      if (other === undefined) testify.held(operation, null, reading.id)
      else contradictLine(testify, operation, reading, other, name, `${name} ${first} of the first chunk`)
    }
  }

const createdAtOrder: Oracle = (docket, testify) => {
  for (const { operation, reading } of streamsOf(docket)) {
    const chunks = chunksOf(reading)
    if (!chunks.some(isStamped)) continue
    // Where no text is less than the one ahead, no timestamp among them is.
    const isSorted = chunks.every((line, index) => index === 0 || stampOf(line) >= stampOf(chunks[index - 1]))
    const stamped = isSorted ? [] : chunks.filter(isStamped)
    const back = stamped.find((line, index) => index > 0 && stampOf(line) < stampOf(stamped[index - 1]))
    if (back === undefined) testify.held(operation, null, reading.id)
    else
      contradictLine(
        testify,
        operation,
        reading,
        back,
        'created_at',
        'a created_at that is not before that of the chunk ahead',
      )
  }
}

const stampOf = (line: DecodedLine | undefined): string => textField(line?.value, 'created_at') ?? ''
const isStamped = (line: DecodedLine): boolean => isTimestamp(stampOf(line))

function contradictLine(
  testify: Testimony,
  operation: OperationId,
  reading: Reading,
  line: DecodedLine,
  name: string,
  expected: string,
): undefined {
  const actual = nameOf(fieldOf(line.value, name))
  testify.contradicted(operation, null, {
    exchanges: [reading.id],
    expected,
    actual,
    pointer: `line ${line.index + 1} /${name}`,
    because: `In the stream of ${reading.id}, line ${line.index + 1} has ${name} ${actual}; expected was ${expected}.`,
  })
}

const answerBelongsToThread: Oracle = (docket, testify) => {
  const judge = (operation: OperationId, reading: Reading, value: unknown, pointer: string): undefined => {
    const answered = textField(value, 'thread_id')
    const asked = reading.params.thread_id ?? ''
    if (answered === null) return
    if (canonicalUuid(answered) === canonicalUuid(asked)) return testify.held(operation, null, reading.id)
    testify.contradicted(operation, null, {
      exchanges: [reading.id],
      expected: asked,
      actual: answered,
      pointer,
      because: `${reading.id} runs thread ${asked}, and the answer carries thread_id ${answered}.`,
    })
  }
  for (const reading of docket.of('runThread')) judge('runThread', reading, documentOf(reading), '/thread_id')
  for (const { operation, reading } of streamsOf(docket, ['streamThreadRun'])) {
    for (const { index, value } of chunksOf(reading)) judge(operation, reading, value, `line ${index + 1} /thread_id`)
  }
}

/** The oracles of chapter streams. */
export const streamsOracles: Readonly<Record<TestableId<'streams'>, Oracle>> = {
  'streams.ndjson-lines': ndjsonLines,
  'streams.utf8': utf8,
  'streams.not-empty': notEmpty,
  'streams.text-delta': textDelta,
  'streams.blocks-delta': blocksDelta,
  'streams.block-has-type': blockHasType,
  'streams.reasoning-block': reasoningBlock,
  'streams.delta-role': deltaRole,
  'streams.one-message': sharedField('message_id'),
  'streams.one-thread': sharedField('thread_id'),
  'streams.created-at-order': createdAtOrder,
  'streams.joined-equals-stored': joinedEqualsStored,
  'streams.progressive': progressive,
  'streams.ends-whole': endsWhole,
  'streams.streaming-assistant-streams': streamingAssistantStreams,
  'streams.run-refused-without-support': runRefusedWithoutSupport,
  'streams.same-acceptance': sameAcceptance,
  'streams.whole-form-does-not-stream': (docket, testify) => wholeAnswer(docket, testify, 'runThread'),
  'streams.answer-belongs-to-thread': answerBelongsToThread,
}
