/**
 * The evidence: one HTTP exchange as sent and received, and the trace that holds them in order.
 * Everything later (classification, oracles, reports) reads only this; secrets are pseudonyms before it exists.
 */
import type { OperationId } from '../../spec/index.ts'

/** Raw bytes on their way through JSON: readable text when it is valid UTF-8, base64 otherwise. */
export type Bytes = { readonly utf8: string } | { readonly base64: string }

/** Header lines in wire order, names as sent, repeated names repeated. */
export type HeaderLines = readonly (readonly [name: string, value: string])[]

export interface RecordedRequest {
  readonly method: string
  /** Absolute URL as sent. */
  readonly url: string
  readonly headers: HeaderLines
  readonly body: Bytes | null
  /** The request line, when it was not `METHOD target HTTP/1.1`; then `method` and `url` are only the intended ones. */
  readonly line?: string
  /** How many bytes at the end of the body were not kept; the body then does not show the full request. */
  readonly omittedBytes?: number
}

/** One piece as the socket delivered it; a piece is not a line. */
export interface ReceivedPiece {
  /** Milliseconds on the trace's monotonic clock. */
  readonly atMs: number
  readonly bytes: Bytes
}

export interface RecordedResponse {
  readonly status: number
  readonly headers: HeaderLines
  /** When the head arrived, trace clock. */
  readonly headAtMs: number
  /** The body after transfer decoding, content coding undone. */
  readonly pieces: readonly ReceivedPiece[]
}

/**
 * The ending of the exchange. `aborted`: the suite itself disconnected. `capped`: a size or time limit of the suite's
 * was hit.
 */
export type Ending = 'complete' | 'cut' | 'timed-out' | 'unreachable' | 'aborted' | 'capped'

/**
 * The intent of the probe; never evidence against a target. It detects faults of the suite, makes a request undecided that
 * differs from the intent, and marks thread ids that the suite made up or got from a command.
 */
export interface Intent {
  readonly probe: string
  readonly operation: OperationId | null
  /** `valid`, or the operator that broke the request, for example `drop:/body/assistant_id`. */
  readonly purpose: string
  readonly expects: 'accepted' | 'rejected' | 'either'
  /** The purpose of a thread from the profile's source: a probe, or the name of a thread that probes share. */
  readonly for?: string | undefined
}

/** Failure text of an exchange whose run died: whether it was sent is unknown. */
export const interruptedRun = 'the run was interrupted, perhaps while this was on its way'

/** Failure text of an exchange that was in flight when the run was stopped. */
export const stoppedRun = 'the run was stopped'

/** Whether the suite itself ended the exchange; a resumed run sends the request again. */
export const endedWithRun = ({ failure }: Pick<Exchange, 'failure'>): boolean =>
  failure === stoppedRun || failure === interruptedRun

export interface Exchange {
  readonly kind: 'exchange'
  /** `E1`, `E2`, … in the order of sending. */
  readonly id: string
  /** The profile's name of the key that was used (`primary`, `secondary`, `throttled`), or `null` for none or a made-up one. */
  readonly credential: string | null
  readonly sentAtMs: number
  readonly endedAtMs: number
  readonly request: RecordedRequest
  readonly response: RecordedResponse | null
  readonly ending: Ending
  /** One line about a transport failure. */
  readonly failure?: string
  readonly intent: Intent | null
  /** Longest stall of the suite's own event loop while it waited; explains odd arrival times. */
  readonly loopLagMs?: number
}

export interface TraceHeader {
  readonly kind: 'header'
  readonly format: 'acs-trace/1'
  readonly suiteVersion: string
  readonly contractDigest: string
  readonly profileDigest: string
  /** The redacted profile of the judgement: all data that an oracle may use. */
  readonly profile: unknown
  readonly seed: number
  readonly startedAt: string
  readonly target: string
  /** The source of the recording: a run of the suite, a proxy, or an imported HAR. */
  readonly source: 'suite' | 'proxy' | 'har'
  /** Tenants whose whole traffic is in the recording; absent when others may write to their threads. */
  readonly exclusive?: readonly string[]
  /** The plan of the run; absent in recorded traffic. */
  readonly plan?: {
    readonly tier: string
    readonly maxExchanges: number | null
    readonly maxModelCalls: number | null
    /** The additional budget for repetitions. */
    readonly reserve?: { readonly exchanges: number; readonly modelCalls: number }
    /** Probes that could play at the same time, when more than one. */
    readonly workers?: number
    readonly shard?: { readonly index: number; readonly count: number }
    /** The glob of the requirements that were asked for, when not all were. */
    readonly only?: string
  }
  /** The run was interrupted, and went on with what had been recorded. */
  readonly resumed?: boolean
}

/** A step that a probe could not do, and the reason, which becomes that of an `unexercised` verdict. */
export interface ProbeNote {
  readonly kind: 'note'
  readonly probe: string
  readonly requirements: readonly string[]
  readonly operation: OperationId | null
  readonly reason: 'budget' | 'no-fixture' | 'blocked' | 'not-claimed' | 'refused-by-target' | 'not-selected'
  readonly text: string
}

export interface TraceFooter {
  readonly kind: 'footer'
  readonly exchanges: number
  readonly modelCalls: number
  readonly durationMs: number
  readonly complete: boolean
  /** Why it is not complete: `interrupted`, `budget`, `unreachable`, … */
  readonly reason?: string
}

export type TraceRecord = TraceHeader | Exchange | ProbeNote | TraceFooter

/** A whole trace; without a footer there is no verdict. */
export interface Trace {
  readonly header: TraceHeader
  readonly exchanges: readonly Exchange[]
  readonly notes: readonly ProbeNote[]
  readonly footer: TraceFooter | null
}
