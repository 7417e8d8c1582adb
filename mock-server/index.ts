/** The door of mock-server/: a stateful mock of the service, as a library. */
export { loadDeviations, loadVariants } from './catalogue.ts'
export type { AdjustableClock } from './clock/adjustable-clock.ts'
export type { ClockMode, ClockOptions } from './clock/clock.ts'
export type { FaultHook, Interference } from './exchange/fault-hook.ts'
export type { ChunkPlace, Deviation, HookName, HookOverride, Hooks, WrapContext } from './exchange/hooks.ts'
export type { ClientOutcome, InFlightRequest } from './exchange/in-flight-request.ts'
export type { EngineRequest } from './exchange/request.ts'
export type { ResponseHead, Sink } from './exchange/sink.ts'
export type { FaultName } from './fault-catalogue/fault-catalogue.ts'
export type { InjectedFault } from './fault-catalogue/injection-record.ts'
export type { FaultEntry, Faults } from './faults/fault-registry.ts'
export { FaultError, type FaultMatch, type FaultRule, type FaultRuleDraft } from './faults/fault-rule.ts'
export {
  type Journal,
  type JournalFormat,
  JournalTimeout,
  journalFormats,
} from './journal/journal.ts'
export type { JournalEntry } from './journal/journal-entry.ts'
export type { JournalFilter } from './journal/journal-filter.ts'
export { logLine } from './journal/log-line.ts'
export { createRedaction, type Redaction } from './journal/redaction.ts'
export type { Listener, ListenOptions } from './listener/listen.ts'
export type { ChunkDraft } from './machine/chunk.ts'
export type { Command, MessageDraft } from './machine/command.ts'
export type { DomainHooks, HookContext, PageSelection } from './machine/domain-hooks.ts'
export type { Outcome, Reply } from './machine/reply.ts'
export type { Answer, Run, ToolCall } from './machine/run.ts'
export type { State, Thread } from './machine/state.ts'
export { createMock, type Mock } from './mock.ts'
export { type ErrorCode, errorCodes, type FieldFault, type Reason } from './reasons/reason.ts'
export { type ReasonId, type Rejection, reasons } from './reasons/reasons.ts'
export { createRecording } from './recording/recording.ts'
export { defaultScenario } from './scenario/default-scenario.ts'
export { loadScenario, scenarioYaml } from './scenario/load-scenario.ts'
export type { ResolvedScenario } from './scenario/resolved-scenario.ts'
export type {
  AnswerFunction,
  AnswerRequest,
  AssistantScript,
  FaultScript,
  Quota,
  Scenario,
  TenantScript,
  TurnScript,
} from './scenario/scenario.ts'
export { ScenarioError } from './scenario/scenario-problem.ts'
export { ImportError } from './state-file/check-state.ts'
export type { ExportedState } from './state-file/state-file.ts'
export { StateError } from './store/state-error.ts'
export type { ProfilePatch, Variant } from './variants/variant.ts'
export { vendorMock } from './vendor/vendor.ts'
export type { MockOptions, WorldOptions } from './worlds/mock-options.ts'
export { SeedError } from './worlds/seed-error.ts'
export type { FileSeed } from './worlds/seed-file.ts'
export type { SeededThread, ThreadSeed } from './worlds/seed-thread.ts'
export type { Snapshot } from './worlds/world.ts'
export type { WorldFaults, WorldHandle } from './worlds/world-handle.ts'
