/**
 * The case as the oracles get it: every exchange read once, every request classified, threads and assistants folded.
 * Built from a trace and nothing else.
 */
import type { OperationId } from '../spec/index.ts'
import { type AssistantBook, assistantBook } from './classify/assistant-book.ts'
import { classifyBytes, classifyRequest } from './classify/classify-request.ts'
import type { RequestClass } from './classify/fault.ts'
import { type Reading, readExchange, readingContext } from './classify/reading.ts'
import type { Circumstances } from './classify/state-faults.ts'
import type { Trace } from './exchange.ts'
import { type JudgeProfile, judgeProfile } from './judge-profile.ts'
import { buildLedger, type Ledger } from './ledger/index.ts'

export interface Docket {
  readonly profile: JudgeProfile
  readonly readings: readonly Reading[]
  /** The readings of one operation, in the order of sending. */
  readonly of: (operation: OperationId) => readonly Reading[]
  readonly book: AssistantBook
  readonly ledger: Ledger
  /** What a request was, by its bytes and by what came before. */
  readonly requestOf: (reading: Reading) => RequestClass
  /** What a request was by its bytes alone. */
  readonly bytesOf: (reading: Reading) => RequestClass
}

/** Reads a trace. */
export function buildDocket(trace: Trace): Docket {
  const profile = judgeProfile(trace.header)
  const context = readingContext(profile.baseUrl, profile.source)
  const readings = trace.exchanges.map((exchange, index) => readExchange(exchange, index, context))
  const byOperation = new Map<OperationId, Reading[]>()
  for (const reading of readings) {
    if (reading.operation === null) continue
    const known = byOperation.get(reading.operation)
    if (known === undefined) byOperation.set(reading.operation, [reading])
    else known.push(reading)
  }
  const of = (operation: OperationId): readonly Reading[] => byOperation.get(operation) ?? []
  const around: Circumstances = {
    profile,
    book: assistantBook(of('listAssistants')),
    ledger: buildLedger(readings, profile),
  }
  const classes = readings.map((reading) => heedIntent(reading, classifyRequest(reading, around)))
  return {
    ...around,
    readings,
    of,
    requestOf: (reading) => classes[reading.index] ?? unclassified,
    bytesOf: (reading) => classifyBytes(reading, around),
  }
}

const unclassified: RequestClass = { validity: 'unsure', faults: [], doubts: [] }

/**
 * Where the suite expected the opposite of what the trace shows, something went another way than either knows: the request
 * then decides nothing. A difference in the bytes themselves is a fault of the suite and is told as one.
 */
function heedIntent({ exchange }: Reading, found: RequestClass): RequestClass {
  const expects = exchange.intent?.expects
  const disagrees =
    (expects === 'rejected' && found.validity === 'valid') || (expects === 'accepted' && found.validity === 'invalid')
  if (!disagrees) return found
  return { validity: 'unsure', faults: [], doubts: [{ about: disagreement, leniency: false }, ...found.doubts] }
}

/** The doubt about a request that the suite meant otherwise than the trace shows. */
export const disagreement = 'a request that the suite meant otherwise'
