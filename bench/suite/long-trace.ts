/**
 * Makes a long trace by repeating a recorded one with fresh ids, so that repetitions share no threads.
 * Each repetition is later than the one before. Assistants, tenants and keys stay the same, and so do ids inside texts,
 * which a stream may have split.
 */
import { type Exchange, type ReceivedPiece, type Trace, textOfPieces } from '../../conformance/index.ts'

/** The trace so many times over; its judgement has the same verdicts with more witnesses. */
export const repeated = (trace: Trace, times: number): Trace => {
  const rounds = repetitions(trace)
  const exchanges = Array.from({ length: times }, () => rounds.next().value ?? []).flat()
  const footer = trace.footer === null ? null : { ...trace.footer, exchanges: exchanges.length }
  return { ...trace, exchanges, footer }
}

/** The exchanges of the trace again and again, without end. */
export function* repetitions(trace: Trace): Generator<readonly Exchange[], undefined> {
  const whole = trace.exchanges.map(withWholeLines)
  const passing = passingIds(whole)
  const texts = whole.map((exchange) => JSON.stringify(exchange))
  const durationMs = (trace.footer?.durationMs ?? 0) + 1000
  for (let round = 0; ; round += 1) {
    yield texts.map((text, index) =>
      shifted(
        JSON.parse(renamed(text, round, passing)) as Exchange,
        round * texts.length + index + 1,
        round * durationMs,
      ),
    )
  }
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const anyId = new RegExp(uuid, 'g')
/** An id field of a body, which is text inside of the record's own JSON. */
const idField = new RegExp(`(?:id|thread_id|message_id|file_id)\\\\":\\\\"(${uuid})`, 'g')

/** Ids that the target gave to what it made, and made-up ones in URLs; not those of assistants, tenants and keys, which last. */
const passingIds = (exchanges: readonly Exchange[]): ReadonlySet<string> => {
  const answers = exchanges.map(({ request, response }) => ({
    lasting: /\/v1\/(assistants|tenants)/.test(request.url),
    text: JSON.stringify(response?.pieces ?? []),
  }))
  const lasting = new Set(answers.filter((answer) => answer.lasting).flatMap(({ text }) => text.match(anyId) ?? []))
  const given = answers.flatMap(({ text }) => [...text.matchAll(idField)].map(([, id = '']) => id))
  const asked = exchanges.flatMap(({ request }) => request.url.match(anyId) ?? [])
  return new Set([...given, ...asked].filter((id) => !lasting.has(id)))
}

/**
 * A piece that ends within a line is joined with the next one: the id that a socket cut in two would keep its old name, and
 * one beside a character that was cut stands in base64.
 */
const withWholeLines = (exchange: Exchange): Exchange => {
  const { response } = exchange
  if (response === null) return exchange
  const pieces: ReceivedPiece[] = []
  let open: ReceivedPiece[] = []
  for (const piece of response.pieces) {
    open.push(piece)
    const text = textOfPieces(open)
    if (!text.endsWith('\n') && piece !== response.pieces.at(-1)) continue
    pieces.push({ atMs: piece.atMs, bytes: { utf8: text } })
    open = []
  }
  return { ...exchange, response: { ...response, pieces } }
}

/** The exchange's text with every passing id moved by the number of the repetition. */
const renamed = (text: string, round: number, passing: ReadonlySet<string>): string =>
  round === 0 ? text : text.replaceAll(anyId, (id) => (passing.has(id) ? moved(id, round) : id))

/** The first eight digits carry the repetition, so that equal ids stay equal and no two repetitions meet. */
const moved = (id: string, round: number): string => {
  const head = (Number.parseInt(id.slice(0, 8), 16) ^ Math.imul(round, 0x9e3779b1)) >>> 0
  return head.toString(16).padStart(8, '0') + id.slice(8)
}

const shifted = (exchange: Exchange, number: number, byMs: number): Exchange => {
  const { response } = exchange
  return {
    ...exchange,
    id: `E${number}`,
    sentAtMs: exchange.sentAtMs + byMs,
    endedAtMs: exchange.endedAtMs + byMs,
    response:
      response === null
        ? null
        : {
            ...response,
            headAtMs: response.headAtMs + byMs,
            pieces: response.pieces.map((piece) => ({ ...piece, atMs: piece.atMs + byMs })),
          },
  }
}
