/** The door of mock-server/: a stateful mock of the service, as a library. */
export { type DeviationCatalogue, loadDeviations, loadVariants } from './catalogue.ts'
export type { AdjustableClock } from './clock/adjustable-clock.ts'
export type { ClockMode, ClockOptions, ClockReading, WorldClock } from './clock/clock.ts'
export type { FaultName, FaultParameter, FaultScope } from './faults/atlas.ts'
export type { FaultEntry, Faults } from './faults/fault-book.ts'
export type { FaultCounts, InjectedFault } from './faults/fault-mark.ts'
export { FaultError, type FaultMatch, type FaultRule, type FaultRuleDraft } from './faults/fault-rule.ts'
export type { ClientOutcome, Exchange } from './http/exchange.ts'
export type { Interfere, Interference } from './http/interference.ts'
export type { EngineRequest } from './http/request.ts'
export type { ResponseHead, Sink } from './http/sink.ts'
export {
  type EntryView,
  type Journal,
  type JournalFilter,
  type JournalFormat,
  type JournalLimits,
  JournalTimeout,
  journalFormats,
} from './journal/journal.ts'
export type { JournalEntry } from './journal/journal-entry.ts'
export { logLine } from './journal/log-line.ts'
export { createRedaction, type Redaction } from './journal/redaction.ts'
export type { Listener, ListenOptions } from './listener/listen.ts'
export type { Command, MessageDraft, ToolCall } from './machine/command.ts'
export type { Laws, Occasion, PageSelection } from './machine/laws.ts'
export {
  type ErrorCode,
  errorCodes,
  type FieldFault,
  type Reason,
  type ReasonId,
  type Rejection,
  reasons,
} from './machine/rejection.ts'
export type { Outcome, Reply } from './machine/reply.ts'
export type { Answer, Run } from './machine/run.ts'
export type { State, Thread } from './machine/state.ts'
export { createMock, type Mock, type MockOptions, type WorldOptions } from './mock.ts'
export type { Cast } from './scenario/cast.ts'
export { defaultScenario } from './scenario/default-scenario.ts'
export { type LoadScenarioOptions, loadScenario, scenarioYaml } from './scenario/load-scenario.ts'
export type { AssistantScript, FaultScript, Quota, Scenario, TenantScript, TurnScript } from './scenario/scenario.ts'
export { ScenarioError } from './scenario/scenario-problem.ts'
export type { Bend, ChunkPlace, Deviation, SeamName, Seams, WrapContext } from './seams.ts'
export { StateError } from './store/state-error.ts'
export type { ChunkDraft } from './streams/chunk.ts'
export type { ProfilePatch, Variant } from './variants/variant.ts'
export { SeedError, type SeededThread, type ThreadSeed } from './worlds/seed-thread.ts'
export type { Snapshot } from './worlds/world.ts'
export type { WorldFaults, WorldHandle } from './worlds/world-handle.ts'
