/** The door of conformance/: probes provoke, a trace records, oracles judge. */
export type {
  Bytes,
  Ending,
  Exchange,
  HeaderLines,
  Intent,
  ProbeNote,
  ReceivedPiece,
  RecordedRequest,
  RecordedResponse,
  Trace,
  TraceFooter,
  TraceHeader,
  TraceRecord,
} from './exchange.ts'
export type { TargetProfile, TenantName, ThreadSource, ToolMapping } from './profile/target-profile.ts'
export type {
  Evidence,
  Finding,
  Judgement,
  Notice,
  Observation,
  Outcome,
  RunOutcome,
  Verdict,
  Witness,
} from './verdict.ts'
