/**
 * Finds data dependences between exchanges. An id, a cursor or a signed URL in a request comes from the answer that
 * showed it first.
 */
import { textOfPieces } from '../../trace/bytes.ts'
import { fieldOf } from '../read/json.ts'
import { documentOf, type ParsedExchange, uploadUrl } from '../read/parsed-exchange.ts'

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** Gives for each reading the earlier ones whose answers it used. */
export function producersIn(
  parsedExchanges: readonly ParsedExchange[],
): (parsed: ParsedExchange) => readonly ParsedExchange[] {
  const first = new Map<string, ParsedExchange>()
  for (const parsed of parsedExchanges) {
    for (const token of producedBy(parsed)) if (!first.has(token)) first.set(token, parsed)
  }
  return (parsed) => {
    const found = new Set<ParsedExchange>()
    for (const token of usedBy(parsed)) {
      const producer = first.get(token)
      if (producer !== undefined && producer.index < parsed.index) found.add(producer)
    }
    return [...found]
  }
}

function* producedBy(parsed: ParsedExchange): Generator<string> {
  const { response } = parsed.exchange
  if (response === null) return
  for (const [id] of textOfPieces(response.pieces).matchAll(uuids)) yield id.toLowerCase()
  const document = documentOf(parsed)
  for (const value of [fieldOf(document, 'cursor'), uploadUrl(document)]) {
    if (typeof value === 'string' && value !== '') yield value
  }
}

/** What a request could have learned from an answer; ids that the suite made up have no producer and fall out. */
function* usedBy({ exchange: { request }, query }: ParsedExchange): Generator<string> {
  const body = request.body !== null && 'utf8' in request.body ? request.body.utf8 : ''
  for (const [id] of `${request.url} ${body}`.matchAll(uuids)) yield id.toLowerCase()
  for (const [, value] of query) yield value
  yield request.url
}
