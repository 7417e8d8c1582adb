/**
 * The case as the oracles get it: every exchange read once, every request classified, threads and assistants folded.
 * Built from a trace and nothing else.
 */
import type { OperationId } from '../../spec/index.ts'
import { type AssistantBook, assistantBook } from '../classify/assistant-book.ts'
import { byteFaults, classifyRequest } from '../classify/classify-request.ts'
import { type Fault, type FaultRule, onlyDoubt, type RequestClass, soleFault } from '../classify/fault.ts'
import { type Reading, readExchange, readingContext } from '../classify/reading.ts'
import type { Circumstances } from '../classify/state-faults.ts'
import type { Trace } from '../exchange.ts'
import { buildLedger, type Ledger } from '../ledger/index.ts'
import { type JudgeProfile, judgeProfile } from './judge-profile.ts'

export interface Docket {
  readonly profile: JudgeProfile
  readonly readings: readonly Reading[]
  /** The readings of one operation, in the order of sending. */
  readonly of: (operation: OperationId) => readonly Reading[]
  readonly book: AssistantBook
  readonly ledger: Ledger
  /** The readings that were answered with an error_code, in the order of sending. */
  readonly withCode: (code: string) => readonly Reading[]
  /** What a request was, by its bytes and by what came before. */
  readonly requestOf: (reading: Reading) => RequestClass
  /** The readings of an operation whose only certain fault is this one. */
  readonly withSoleFault: (operation: OperationId, rule: FaultRule) => readonly Reading[]
  /** The readings of an operation with nothing wrong and one thing open, whatever number of times. */
  readonly withOnlyDoubt: (operation: OperationId, about: string) => readonly Reading[]
  /** What was surely wrong with a request by its bytes alone. */
  readonly byteFaultsOf: (reading: Reading) => readonly Fault[]
}

/** Reads a trace. */
export function buildDocket(trace: Trace): Docket {
  const profile = judgeProfile(trace.header)
  const context = readingContext(profile.baseUrl, profile.source)
  const readings = [...trace.exchanges]
    .sort((left, right) => left.sentAtMs - right.sentAtMs)
    .map((exchange, index) => readExchange(exchange, index, context))
  const of = groupedBy(readings, ({ operation }) => operation)
  const around: Circumstances = {
    profile,
    book: assistantBook(of('listAssistants')),
    ledger: buildLedger(readings, profile),
  }
  const found = readings.map((reading) => classifyRequest(reading, around))
  const classes = readings.map((reading, index) => heedIntent(reading, found[index] ?? unclassified))
  const requestOf: Docket['requestOf'] = (reading) => classes[reading.index] ?? unclassified
  const byFault = groupedBy(readings, (reading) => {
    const fault = soleFault(requestOf(reading))
    return fault === null ? null : `${reading.operation} ${fault.rule}`
  })
  const byDoubt = groupedBy(readings, (reading) => {
    const about = onlyDoubt(requestOf(reading))
    return about === null ? null : `${reading.operation} ${about}`
  })
  return {
    ...around,
    readings,
    of,
    withCode: groupedBy(readings, ({ answer }) => answer.code),
    requestOf,
    withSoleFault: (operation, rule) => byFault(`${operation} ${rule}`),
    withOnlyDoubt: (operation, about) => byDoubt(`${operation} ${about}`),
    // Where nothing is wrong, neither are the bytes.
    byteFaultsOf: (reading) => ((found[reading.index]?.faults.length ?? 0) === 0 ? [] : byteFaults(reading, around)),
  }
}

/** Something that several oracles, or one for each of many readings, derive from a docket: made when it is first asked for. */
export function oncePerDocket<Made>(make: (docket: Docket) => Made): (docket: Docket) => Made {
  const made = new WeakMap<Docket, { readonly value: Made }>()
  return (docket) => {
    const known = made.get(docket)
    if (known !== undefined) return known.value
    const value = make(docket)
    made.set(docket, { value })
    return value
  }
}

/** Readings by a key, in the order of sending; those without a key are left out. */
export function groupedBy<Key extends string>(
  readings: readonly Reading[],
  keyOf: (reading: Reading) => Key | null,
): (key: Key) => readonly Reading[] {
  const groups = new Map<Key, Reading[]>()
  for (const reading of readings) {
    const key = keyOf(reading)
    if (key === null) continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [reading])
    else group.push(reading)
  }
  return (key) => groups.get(key) ?? []
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
