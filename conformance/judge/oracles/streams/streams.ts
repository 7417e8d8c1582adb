/** Oracles of chapter streams: framing, what every chunk holds, and that a stream is one message of one thread. */
import { type OperationId, streamOperations, type TestableId } from '../../../../spec/index.ts'
import type { DecodedLine } from '../../../trace/ndjson/ndjson.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { isSameUuid, isTimestamp } from '../../read/formats.ts'
import { fieldOf, isObject, nameOf, quoted, textField } from '../../read/json.ts'
import { documentOf, isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { chunksOf } from '../../read/stream-chunks.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { type Oracle, perExchange, perTenant, perThread, perTrace, type ScopedOracle } from '../support/oracle.ts'
import { wholeAnswer } from '../support/single-document.ts'
import { runRefusedWithoutSupport, sameAcceptance, streamingAssistantStreams } from './acceptance.ts'
import { blockHasType, blocksDelta, deltaRole, reasoningBlock, textDelta } from './deltas.ts'
import { progressive } from './progressive-delivery.ts'
import { joinedEqualsStored, sourcesKept, wholeCharacters } from './stored-message.ts'

/** Every stream that began, with its operation. */
function* streamsOf(analysis: TraceAnalysis, operations: readonly OperationId[] = streamOperations) {
  for (const operation of operations) {
    for (const parsed of analysis.of(operation)) {
      const { stream } = parsed.answer
      if (stream !== null) yield { operation, parsed, stream }
    }
  }
}

const ndjsonLines: Oracle = (analysis, observe) => {
  for (const { operation, parsed, stream } of streamsOf(analysis)) {
    const [bad] = stream.lines.filter((line, index) => !isObject(line.value) && !isExcused(parsed, line, index))
    // Bytes that are not text are reported as such.
    if (bad !== undefined && stream.problems.some(({ kind, line }) => kind === 'invalid-utf8' && line === bad.index))
      continue
    if (bad === undefined) {
      if (stream.lines.length > 0) observe.held(operation, null, parsed.id)
      continue
    }
    observe.contradicted(operation, null, {
      exchanges: [parsed.id],
      expected: 'one whole JSON object in each line',
      actual: `${framingOf(bad.text)}: ${quoted(bad.text, isCutInString(bad.text) ? shownFrom(bad.text) : 0)}`,
      pointer: `line ${bad.index + 1}`,
      because: `Line ${bad.index + 1} of the stream in ${parsed.id} is not one JSON object (${framingOf(bad.text)}).`,
      headline: `line ${bad.index + 1} of the stream is not one JSON object (${framingOf(bad.text)})`,
    })
  }
}

/** The rest of a line when a stream breaks off; and the last line after whole ones, which another rule covers. */
function isExcused(parsed: ParsedExchange, line: DecodedLine, index: number): boolean {
  const isLast = index === (parsed.answer.stream?.lines.length ?? 0) - 1
  if (line.error?.startsWith('longer than') === true) return true
  if (!isLast || line.endsWith !== 'none' || line.error === null) return false
  return parsed.exchange.ending !== 'complete' || index > 0
}

/** The characters of a line that are shown before the line feed that cuts a string. */
const shownBefore = 70
const shownFrom = (text: string): number => Math.max(0, text.length - shownBefore)

/** Whether the line opens an object and ends inside of a string, as one does that holds an unescaped line feed. */
function isCutInString(text: string): boolean {
  const quotes = text.replace(/\\./g, '').split('"').length - 1
  return text.startsWith('{"') && quotes % 2 === 1
}

function framingOf(text: string): string {
  if (isCutInString(text)) return 'a string with an unescaped line feed'
  if (/^(?:data|event|id|retry):/.test(text)) return 'server-sent events'
  if (text.startsWith('[')) return 'a JSON array'
  return /^[\s{}\]"]/.test(text) ? 'a JSON text over several lines' : 'not JSON'
}

const utf8: Oracle = (analysis, observe) => {
  wholeCharacters(analysis, observe)
  for (const { operation, parsed, stream } of streamsOf(analysis)) {
    const cut = parsed.exchange.ending !== 'complete'
    const lastLine = stream.lines.at(-1)
    const isCutLine = (line: number) => cut && line === lastLine?.index && lastLine.endsWith === 'none'
    const bad = stream.problems.find(
      ({ kind, line }) => kind === 'byte-order-mark' || (kind === 'invalid-utf8' && !isCutLine(line)),
    )
    if (bad === undefined) observe.held(operation, null, parsed.id)
    else {
      const isMark = bad.kind === 'byte-order-mark'
      observe.contradicted(operation, null, {
        exchanges: [parsed.id],
        expected: isMark ? 'no byte order mark' : 'UTF-8',
        actual: bad.text,
        pointer: `line ${bad.line + 1}`,
        because: isMark
          ? `The stream in ${parsed.id} begins with a byte order mark, which JSON in a network must not have.`
          : `Line ${bad.line + 1} of the stream in ${parsed.id} holds bytes that are not UTF-8.`,
        headline: isMark
          ? 'the stream begins with a byte order mark, which JSON in a network must not have'
          : `line ${bad.line + 1} of the stream holds bytes that are not UTF-8`,
      })
    }
  }
}

const notEmpty: Oracle = (analysis, observe) => {
  for (const { operation, parsed, stream } of streamsOf(analysis)) {
    if (!isAccepted(parsed)) continue
    if (stream.lines.length > 0) observe.held(operation, null, parsed.id)
    else {
      observe.contradicted(operation, null, {
        exchanges: [parsed.id],
        expected: 'at least one chunk',
        actual: 'an empty stream',
        because: `${parsed.id} is accepted, and its stream ends without a chunk.`,
        headline: 'the stream ends without a chunk',
      })
    }
  }
}

const endsWhole: Oracle = (analysis, observe) => {
  for (const { operation, parsed, stream } of streamsOf(analysis)) {
    const last = stream.lines.at(-1)
    if (last === undefined) continue
    if (!isAccepted(parsed)) {
      observe.ambiguous(operation, null, parsed.id, `The stream of ${parsed.id} was ${parsed.exchange.ending}.`)
    } else if (last.error === null || last.endsWith !== 'none' || stream.lines.length === 1)
      observe.held(operation, null, parsed.id)
    else {
      observe.contradicted(operation, null, {
        exchanges: [parsed.id],
        expected: 'a whole chunk at the end',
        actual: quoted(last.text),
        pointer: `line ${last.index + 1}`,
        because: `The stream of ${parsed.id} ends normally in the middle of line ${last.index + 1}.`,
        headline: `the stream ends normally in the middle of line ${last.index + 1}`,
      })
    }
  }
}

/** An oracle for a field that all chunks of a stream share. */
const sharedField =
  (name: 'message_id' | 'thread_id'): Oracle =>
  (analysis, observe) => {
    for (const { operation, parsed } of streamsOf(analysis)) {
      let first: string | null = null
      const other = chunksOf(parsed).find(({ value }) => {
        const given = textField(value, name)
        first ??= given
        return given !== null && given !== first
      })
      if (first === null) continue
      if (other === undefined) observe.held(operation, null, parsed.id)
      else contradictLine(observe, operation, parsed, other, name, `${name} ${first} of the first chunk`)
    }
  }

const createdAtOrder: Oracle = (analysis, observe) => {
  for (const { operation, parsed } of streamsOf(analysis)) {
    const chunks = chunksOf(parsed)
    if (!chunks.some(isStamped)) continue
    // If no text is less than the previous one, no timestamp is either.
    const isSorted = chunks.every((line, index) => index === 0 || stampOf(line) >= stampOf(chunks[index - 1]))
    const stamped = isSorted ? [] : chunks.filter(isStamped)
    const back = stamped.find((line, index) => index > 0 && stampOf(line) < stampOf(stamped[index - 1]))
    if (back === undefined) observe.held(operation, null, parsed.id)
    else
      contradictLine(
        observe,
        operation,
        parsed,
        back,
        'created_at',
        'a created_at that is not before that of the chunk ahead',
      )
  }
}

const stampOf = (line: DecodedLine | undefined): string => textField(line?.value, 'created_at') ?? ''
const isStamped = (line: DecodedLine): boolean => isTimestamp(stampOf(line))

function contradictLine(
  observe: ObservationLog,
  operation: OperationId,
  parsed: ParsedExchange,
  line: DecodedLine,
  name: string,
  expected: string,
): undefined {
  const actual = nameOf(fieldOf(line.value, name))
  const fault =
    name === 'created_at' ? 'is stamped earlier than the line before it' : `has another ${name} than the first line`
  observe.contradicted(operation, null, {
    exchanges: [parsed.id],
    expected,
    actual,
    pointer: `line ${line.index + 1} /${name}`,
    because: `In the stream of ${parsed.id}, line ${line.index + 1} has ${name} ${actual} instead of ${expected}.`,
    headline: `line ${line.index + 1} of the stream ${fault}`,
  })
}

const answerBelongsToThread: Oracle = (analysis, observe) => {
  const judge = (operation: OperationId, parsed: ParsedExchange, value: unknown, pointer: string): undefined => {
    const answered = textField(value, 'thread_id')
    const asked = parsed.params.thread_id ?? ''
    if (answered === null) return
    if (isSameUuid(answered, asked)) return observe.held(operation, null, parsed.id)
    observe.contradicted(operation, null, {
      exchanges: [parsed.id],
      expected: asked,
      actual: answered,
      pointer,
      because: `${parsed.id} runs thread ${asked}, and the answer carries thread_id ${answered}.`,
      headline: 'the answer carries the thread_id of another thread',
    })
  }
  for (const parsed of analysis.of('runThread')) judge('runThread', parsed, documentOf(parsed), '/thread_id')
  for (const { operation, parsed } of streamsOf(analysis, ['streamThreadRun'])) {
    for (const { index, value } of chunksOf(parsed)) judge(operation, parsed, value, `line ${index + 1} /thread_id`)
  }
}

/** The oracles of chapter streams. */
export const streamsOracles: Readonly<Record<TestableId<'streams'>, ScopedOracle>> = {
  'streams.ndjson-lines': perExchange(ndjsonLines),
  'streams.utf8': perThread(utf8),
  'streams.not-empty': perExchange(notEmpty),
  'streams.text-delta': perExchange(textDelta),
  'streams.blocks-delta': perExchange(blocksDelta),
  'streams.block-has-type': perExchange(blockHasType),
  'streams.reasoning-block': perExchange(reasoningBlock),
  'streams.delta-role': perExchange(deltaRole),
  'streams.one-message': perExchange(sharedField('message_id')),
  'streams.one-thread': perExchange(sharedField('thread_id')),
  'streams.created-at-order': perExchange(createdAtOrder),
  'streams.joined-equals-stored': perThread(joinedEqualsStored),
  'streams.sources-kept': perThread(sourcesKept),
  'streams.progressive': perExchange(progressive),
  'streams.ends-whole': perExchange(endsWhole),
  'streams.streaming-assistant-streams': perTenant(streamingAssistantStreams),
  'streams.run-refused-without-support': perTrace(runRefusedWithoutSupport),
  'streams.same-acceptance': perTrace(sameAcceptance),
  'streams.whole-form-does-not-stream': perExchange((analysis, observe) => wholeAnswer(analysis, observe, 'runThread')),
  'streams.answer-belongs-to-thread': perExchange(answerBelongsToThread),
}
