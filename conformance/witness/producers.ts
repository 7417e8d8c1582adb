/**
 * Data dependence between exchanges: an id, a cursor or a signed URL in a request comes from the answer that showed it first.
 */
import { textOfPieces } from '../bytes.ts'
import { fieldOf } from '../classify/json.ts'
import { documentOf, type Reading } from '../classify/reading.ts'

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** Gives for each reading the earlier ones whose answers it used. */
export function producersIn(readings: readonly Reading[]): (reading: Reading) => readonly Reading[] {
  const first = new Map<string, Reading>()
  for (const reading of readings) {
    for (const token of producedBy(reading)) if (!first.has(token)) first.set(token, reading)
  }
  return (reading) => {
    const found = new Set<Reading>()
    for (const token of usedBy(reading)) {
      const producer = first.get(token)
      if (producer !== undefined && producer.index < reading.index) found.add(producer)
    }
    return [...found]
  }
}

function* producedBy(reading: Reading): Generator<string> {
  const { response } = reading.exchange
  if (response === null) return
  for (const [id] of textOfPieces(response.pieces).matchAll(uuids)) yield id.toLowerCase()
  const document = documentOf(reading)
  for (const name of ['cursor', 'file_url']) {
    const value = fieldOf(document, name)
    if (typeof value === 'string' && value !== '') yield value
  }
}

/** What a request could have learned from an answer; ids that the suite made up have no producer and fall out. */
function* usedBy({ exchange: { request }, query }: Reading): Generator<string> {
  const body = request.body !== null && 'utf8' in request.body ? request.body.utf8 : ''
  for (const [id] of `${request.url} ${body}`.matchAll(uuids)) yield id.toLowerCase()
  for (const [, value] of query) yield value
  yield request.url
}
