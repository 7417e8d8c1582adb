/**
 * What is worth telling and fails nobody: other detail texts, codes in unlisted places, leniencies, errors inside streams,
 * and requests that went otherwise than the suite expected.
 */
import { type ErrorRow, errorTable, type OperationId } from '../../spec/index.ts'
import { fieldOf, quoted } from '../classify/json.ts'
import { isAccepted, type Reading } from '../classify/reading.ts'
import { brokeInside } from '../classify/stream-chunks.ts'
import { resemblesSuccess } from '../classify/success.ts'
import { codesInGaps } from '../gaps/index.ts'
import { type Docket, disagreement } from '../judging/docket.ts'
import type { Notice } from '../verdict.ts'

/** All notices, each told once with the first exchanges that show it. */
export function noticesOf(docket: Docket): readonly Notice[] {
  const board = new Board()
  const toldByGaps = codesInGaps(docket)
  for (const reading of docket.readings) {
    noteError(board, reading, toldByGaps.has(reading.id) || isOpen(docket, reading))
    noteLeniency(board, docket, reading)
    if (brokeInside(reading))
      board.add('error-in-stream', `${reading.operation} told of an error inside a stream that had started`, reading)
  }
  return board.notices()
}

function noteError(board: Board, reading: Reading, isToldByGap: boolean): undefined {
  const { code, body } = reading.answer
  if (code === null || reading.operation === null || reading.key !== 'sent') return
  const row: ErrorRow | undefined = Object.hasOwn(errorTable, code)
    ? errorTable[code as keyof typeof errorTable]
    : undefined
  if (row === undefined) {
    return board.add('unknown-code', `${quoted(code)} is not in the contract's table of errors`, reading)
  }
  const isListed = !withList.has(reading.operation) || row.operations.includes(reading.operation)
  if (!isListed && !isToldByGap) {
    board.add('unlisted-code', `${code} is not listed for ${reading.operation}`, reading)
  }
  const detail = body.kind === 'json' ? fieldOf(body.value, 'detail') : null
  if (row.detail !== null && typeof detail === 'string' && detail !== row.detail) {
    board.add('detail-text', `${code} has the detail ${quoted(detail)}; the table shows ${quoted(row.detail)}`, reading)
  }
}

/** Whether the contract leaves open if the request is right at all; then it cannot say with which code it is refused. */
function isOpen(docket: Docket, reading: Reading): boolean {
  const { faults, doubts } = docket.requestOf(reading)
  return faults.length === 0 && doubts.length > 0 && !doubts.some(({ about }) => about === disagreement)
}

/** Elsewhere the contract does not show which errors there are. */
const withList: ReadonlySet<OperationId> = new Set(
  Object.values(errorTable).flatMap(({ operations }) => operations as readonly OperationId[]),
)

function noteLeniency(board: Board, docket: Docket, reading: Reading): undefined {
  const { validity, doubts } = docket.requestOf(reading)
  if (validity !== 'unsure') return
  if (doubts.some(({ about }) => about === disagreement)) {
    board.add(
      'unexpected-situation',
      `${reading.operation} was asked in a situation that the suite had expected to be another`,
      reading,
    )
  }
  if (!isAccepted(reading) || !resemblesSuccess(reading)) return
  for (const { about, leniency } of doubts) {
    if (leniency) board.add('leniency', `${reading.operation} accepts ${about}`, reading)
  }
}

const keptExchanges = 5

/** Collects notices by their text. */
class Board {
  readonly #notices = new Map<string, { readonly code: string; readonly text: string; readonly exchanges: string[] }>()

  add(code: string, text: string, { id }: Reading): undefined {
    const key = `${code} ${text}`
    const known = this.#notices.get(key) ?? { code, text, exchanges: [] }
    this.#notices.set(key, known)
    if (known.exchanges.length < keptExchanges) known.exchanges.push(id)
  }

  notices(): readonly Notice[] {
    return [...this.#notices.values()]
  }
}
