/** The door of conformance/: probes provoke, a trace records, oracles judge. */

export { applyTransport } from './client/apply-transport.ts'
export { type Client, createClient } from './client/client.ts'
export { type FetchHandler, fetchClient, headersAsWritten } from './client/fetch-client.ts'
export { type Cost, createMeter } from './client/meter.ts'
export type { ClientOptions } from './client/send-request.ts'
export { HarError, harToTrace } from './imported-traffic/har/har.ts'
export { hasCalledModel, observedTrace } from './imported-traffic/imported-trace.ts'
export { judge } from './judge/judge.ts'
export { isBlockingRule } from './judge/run-outcome.ts'
export type { Judgement, Notice, Observation, Outcome, RunOutcome, Verdict } from './judge/verdict.ts'
export { judgeLongFile } from './judge-file/judge-long-file.ts'
export { type Plan, planRun } from './planning/plan.ts'
export { renderPlan } from './planning/render-plan.ts'
export { stateCoverage } from './planning/state-coverage.ts'
export { initProfile, initTenants } from './preflight/init/init-profile.ts'
export { askKeys, keyTextProblem } from './preflight/key-check.ts'
export { unnamedRuns } from './probe-runtime/assistant-summary.ts'
export { capsFor, type Tier } from './profile/budget-tiers.ts'
export { globMatcher } from './profile/glob.ts'
export { loadProfile, parseProfile } from './profile/load-profile.ts'
export { isLoopback } from './profile/loopback.ts'
export { minimalProfile } from './profile/minimal-profile.ts'
export { ProfileError } from './profile/profile-error.ts'
export { secretsOf } from './profile/redact-profile.ts'
export type { TargetProfile, TenantName } from './profile/target-profile.ts'
export { createPseudonyms, type Pseudonyms } from './pseudonyms/pseudonyms.ts'
export { type Reenactment, reenact } from './reenact/reenact.ts'
export { confirm, type ReplayResult } from './replay/confirm.ts'
export { disturbancesIn } from './replay/disturbances.ts'
export { readReplayFile } from './replay/read-replay-file.ts'
export { replay } from './replay/replay.ts'
export { type ReplayFile, type ReplayStep, replayFileOf } from './replay/replay-file.ts'
export { type ReplayOutcome, replayOutcome } from './replay/replay-outcome.ts'
export { resume } from './resume/resume.ts'
export { askTarget, type TargetProblem } from './run/ask-target.ts'
export { examineTarget } from './run/examine-target.ts'
export { type RunOptions, run } from './run/run.ts'
export type { RunEvent } from './run/run-event.ts'
export { contradictionsIn, mostSettingsRequests } from './run/settings-check.ts'
export { textOf, textOfPieces } from './trace/bytes.ts'
export type {
  Bytes,
  Exchange,
  HeaderLines,
  ReceivedPiece,
  RecordedResponse,
  Trace,
  TraceRecord,
} from './trace/exchange.ts'
export { mergeTraces } from './trace/merge-traces.ts'
export { decodeTrace, encodeRecord, encodeTrace, recordsOf, TraceError } from './trace/trace.ts'
export { watch } from './watch/watch.ts'
