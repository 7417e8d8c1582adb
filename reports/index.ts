/** The door of reports/: one report, many renderings. */
export { renderBadge } from './badge.ts'
export {
  applyBaseline,
  type Baseline,
  type BaselineEntry,
  BaselineError,
  type BaselineResult,
  parseBaseline,
  writeBaseline,
} from './compare/baseline.ts'
export { type Change, type Comparison, compareReports } from './compare/compare-reports.ts'
export { renderComparisonMarkdown, renderComparisonText } from './compare/comparison-text.ts'
export { type Matrix, matrixOf, type NamedReport } from './compare/matrix-of.ts'
export { renderMatrixHtml, renderMatrixMarkdown } from './compare/matrix-text.ts'
export { MergeError, mergeReports } from './compare/merge-reports.ts'
export { createReport, type ReportOptions } from './create-report.ts'
export { renderCtrf } from './ctrf.ts'
export { curlOf } from './curl.ts'
export { type CardPlace, type CardStep, type FailureCard, failureCards } from './failure-card.ts'
export { renderHar } from './har.ts'
export { type HtmlOptions, renderHtml } from './html/render-html.ts'
export { renderJunit } from './junit.ts'
export { type MarkdownOptions, renderMarkdown } from './markdown.ts'
export { parseReport, ReportError, reportSchema } from './parse-report.ts'
export { type ProgressOptions, progressView } from './progress.ts'
export type { QuestionText, Report, ReportCost, ReportedExchange, ReportRun, RuleText, Shard } from './report.ts'
export { renderSarif, type SarifOptions } from './sarif.ts'
export { serializeReport } from './serialize-report.ts'
export { countOutcomes, isBlocking, obligationKey } from './standing.ts'
export { renderText, type TextOptions } from './terminal-text.ts'
