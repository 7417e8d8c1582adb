/** The door of conformance/: probes provoke, a trace records, oracles judge. */

export { bytesFrom, bytesOf, joinPieces, textOf, textOfPieces } from './bytes.ts'
export {
  type Client,
  ClientClosed,
  type ClientOptions,
  type Credential,
  createClient,
  type SendRawRequest,
  type SendRequest,
} from './client.ts'
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
export { type FetchHandler, fetchClient, headersAsWritten } from './fetch-client.ts'
export { globMatcher } from './glob.ts'
export { HarError, type HarOptions, harToTrace } from './har.ts'
export { type JudgeOptions, judge } from './judging/judge.ts'
export { BudgetExhausted, type Cost, createMeter, type Meter, type MeterOptions } from './meter.ts'
export {
  type DecodedLine,
  type DecodedStream,
  decodeStream,
  type StreamProblem,
  type StreamProblemKind,
} from './ndjson.ts'
export { type Tier, tiers } from './planning/budget-tiers.ts'
export { type Plan, type PlanOptions, planRun } from './planning/plan.ts'
export { renderPlan } from './planning/render-plan.ts'
export { bareProfile } from './profile/bare-profile.ts'
export { InitError, type InitProfileOptions, type InitProfileResult, initProfile } from './profile/init.ts'
export { type LoadProfileOptions, loadProfile, type ParseProfileOptions, parseProfile } from './profile/load-profile.ts'
export { isLoopback } from './profile/loopback.ts'
export { ProfileError, type ProfileProblem } from './profile/profile-error.ts'
export { profileDigest, redactProfile, secretsOf } from './profile/redact-profile.ts'
export type { TargetProfile, TenantName, ThreadSource, ToolMapping } from './profile/target-profile.ts'
export { type SourcedThread, type ThreadSourcing, type ThreadWish, threadSource } from './profile/thread-source.ts'
export { createPseudonyms, type Pseudonyms } from './pseudonyms.ts'
export { type ConfirmOptions, confirm } from './replaying/confirm.ts'
export { type ReplayOptions, replay } from './replaying/replay.ts'
export { type ReplayFile, type ReplayStep, replayFileOf } from './replaying/replay-file.ts'
export { type RunOptions, run } from './running/run.ts'
export type { RunEvent } from './running/run-event.ts'
export { type ObservedTraceOptions, observedTrace } from './trace/observed-trace.ts'
export { createTraceWriter, type TraceWriter } from './trace/trace-writer.ts'
export {
  decodeTrace,
  encodeRecord,
  encodeTrace,
  readRecords,
  readTrace,
  recordsOf,
  TraceError,
  type TraceSource,
} from './trace.ts'
export { suiteVersion } from './trace-header.ts'
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
export { type Watch, type WatchOptions, watch } from './watch.ts'
