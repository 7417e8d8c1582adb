/**
 * The analysis of a trace for the oracles: every exchange parsed once, every request classified, threads and assistants
 * reconstructed. It is built from the trace alone.
 */
import type { OperationId } from '../../spec/index.ts'
import { groupBy } from '../../spec/index.ts'
import type { Trace } from '../trace/exchange.ts'
import type { AmbiguityText } from './classify/ambiguity.ts'
import { type AssistantRegistry, assistantRegistry } from './classify/assistant-registry.ts'
import { byteFaults, classifyRequest } from './classify/classify-request.ts'
import { showsAssistantMessage } from './classify/completed-roles.ts'
import { withDoubtedKeys } from './classify/doubtful-keys.ts'
import { fieldlessRuns } from './classify/fieldless-runs.ts'
import type { JudgeContext } from './classify/judge-context.ts'
import { refusedFields } from './classify/refused-fields.ts'
import {
  type FaultRule,
  onlyAmbiguity,
  type RequestClass,
  type RequestFault,
  soleFault,
} from './classify/request-fault.ts'
import { reconstructThreads, type ThreadHistories } from './history/thread-histories.ts'
import { type UploadedFiles, uploadedFiles } from './history/uploaded-files.ts'
import { type JudgeProfile, judgeProfile } from './judge-profile.ts'
import { memoPer } from './memo.ts'
import { type ParsedExchange, parseContext, parseExchange } from './read/parsed-exchange.ts'

export interface TraceAnalysis {
  readonly profile: JudgeProfile
  readonly parsedExchanges: readonly ParsedExchange[]
  /** The exchanges of one operation, in the order of sending. */
  readonly of: (operation: OperationId) => readonly ParsedExchange[]
  readonly registry: AssistantRegistry
  readonly histories: ThreadHistories
  /** Uploaded files, by file_id. */
  readonly files: UploadedFiles
  /** Requests with a field that only the profile knows, and that the target names as the reason of refusals. */
  readonly refusedFields: ReadonlyMap<ParsedExchange, string>
  /** The exchanges that were answered with an error_code, in the order of sending. */
  readonly withCode: (code: string) => readonly ParsedExchange[]
  /** The class of a request, by its bytes and by earlier exchanges. */
  readonly requestOf: (parsed: ParsedExchange) => RequestClass
  /** The exchanges of an operation whose only certain fault is this one. */
  readonly withSoleFault: (operation: OperationId, rule: FaultRule) => readonly ParsedExchange[]
  /** The exchanges of an operation with more than one certain fault. */
  readonly withSeveralFaults: (operation: OperationId) => readonly ParsedExchange[]
  /** The exchanges of an operation with nothing wrong and one thing open, whatever number of times. */
  readonly withOnlyAmbiguity: (operation: OperationId, about: AmbiguityText) => readonly ParsedExchange[]
  /** The certain faults of a request by its bytes alone. */
  readonly byteFaultsOf: (parsed: ParsedExchange) => readonly RequestFault[]
}

/** Reads a trace. */
export function analyzeTrace(trace: Trace): TraceAnalysis {
  const profile = judgeProfile(trace.header)
  const context = parseContext(profile)
  const read = [...trace.exchanges]
    .sort((left, right) => left.sentAtMs - right.sentAtMs)
    .map((exchange, index) => parseExchange(exchange, index, context))
  const parsedExchanges = withDoubtedKeys(read, profile.source)
  const of = groupedBy(parsedExchanges, ({ operation }) => operation)
  const known = {
    profile,
    registry: assistantRegistry(of('listAssistants')),
    histories: reconstructThreads(parsedExchanges, profile),
    files: uploadedFiles(of, profile.files),
  }
  const around: JudgeContext = {
    ...known,
    fieldlessRuns: fieldlessRuns(parsedExchanges, known),
    takesAssistantMessages: parsedExchanges.some(showsAssistantMessage),
  }
  const found = parsedExchanges.map((parsed) => classifyRequest(parsed, around))
  const refused = refusedFields(parsedExchanges, around)
  const classes = parsedExchanges.map((parsed, index) =>
    refused.has(parsed) ? withRefusedField : withIntent(parsed, found[index] ?? unclassified),
  )
  const requestOf: TraceAnalysis['requestOf'] = (parsed) => classes[parsed.index] ?? unclassified
  const byFault = groupedBy(parsedExchanges, (parsed) => {
    const fault = parsed.key === 'doubted' ? null : soleFault(requestOf(parsed))
    return fault === null ? null : `${parsed.operation} ${fault.rule}`
  })
  const bySeveral = groupedBy(parsedExchanges, (parsed) =>
    parsed.key !== 'doubted' && requestOf(parsed).faults.length > 1 ? parsed.operation : null,
  )
  const byAmbiguity = groupedBy(parsedExchanges, (parsed) => {
    const about = onlyAmbiguity(requestOf(parsed))
    return about === null ? null : `${parsed.operation} ${about}`
  })
  return {
    ...around,
    refusedFields: refused,
    parsedExchanges,
    of,
    withCode: groupedBy(parsedExchanges, ({ answer, key }) => (key === 'doubted' ? null : answer.code)),
    requestOf,
    withSoleFault: (operation, rule) => byFault(`${operation} ${rule}`),
    withSeveralFaults: bySeveral,
    withOnlyAmbiguity: (operation, about) => byAmbiguity(`${operation} ${about}`),
    // Where nothing is wrong, neither are the bytes.
    byteFaultsOf: (parsed) => ((found[parsed.index]?.faults.length ?? 0) === 0 ? [] : byteFaults(parsed, around)),
  }
}

/** Something that several oracles, or one for each of many exchanges, derive from a trace, made when it is first asked for. */
export const memoPerTrace: <Made>(make: (analysis: TraceAnalysis) => Made) => (analysis: TraceAnalysis) => Made =
  memoPer

/** Exchanges by a key, in the order of sending; those without a key are left out. */
export function groupedBy<Key extends string>(
  parsedExchanges: readonly ParsedExchange[],
  keyOf: (parsed: ParsedExchange) => Key | null,
): (key: Key) => readonly ParsedExchange[] {
  const groups = groupBy(parsedExchanges, keyOf)
  return (key) => groups.get(key) ?? []
}

const unclassified: RequestClass = { validity: 'unsure', faults: [], ambiguities: [] }

const withRefusedField: RequestClass = {
  validity: 'unsure',
  faults: [],
  ambiguities: [{ about: 'a body field that only the profile knows, and that the target refuses', leniency: false }],
}

/**
 * If the suite expected the opposite of what the trace shows, the request decides nothing, since the cause is unknown. A
 * difference in the bytes themselves is a fault of the suite and is reported as one.
 */
function withIntent({ exchange }: ParsedExchange, found: RequestClass): RequestClass {
  const expects = exchange.intent?.expects
  const disagrees =
    (expects === 'rejected' && found.validity === 'valid') || (expects === 'accepted' && found.validity === 'invalid')
  if (!disagrees) return found
  return {
    validity: 'unsure',
    faults: [],
    ambiguities: [{ about: disagreement, leniency: false }, ...found.ambiguities],
  }
}

/** The doubt about a request whose intent differs from the trace. */
export const disagreement: AmbiguityText = 'a request that the suite meant otherwise'
