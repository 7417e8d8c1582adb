/** The door of reports/: one report, many renderings. */
export { createReport, type ReportOptions } from './create-report.ts'
export { type CardPlace, type CardStep, type FailureCard, failureCards } from './failure-card.ts'
export { renderJunit } from './junit.ts'
export { parseReport, ReportError, reportSchema } from './parse-report.ts'
export type { QuestionText, Report, ReportCost, ReportedExchange, ReportRun, RuleText, Shard } from './report.ts'
export { serializeReport } from './serialize-report.ts'
export { countOutcomes, isBlocking, obligationKey } from './standing.ts'
export { renderText, type TextOptions } from './terminal-text.ts'
