/** The door of reports/: one report, many renderings. */
export { renderBadge } from './badge.ts'
export { type ArtefactName, artefactNames, type Bundle, packBundle, unpackBundle } from './certificate/bundle.ts'
export { CertificateError, type CertificateInput, createBundle, seedFromNonce } from './certificate/create-bundle.ts'
export { conformantOnly, type Demands } from './certificate/demands.ts'
export { DemandError, parseDemands } from './certificate/demands-text.ts'
export { parsePolicy, policySchema } from './certificate/parse-policy.ts'
export type { Reenact, Rejudge } from './certificate/rejudge.ts'
export { digestOf, requirementSet } from './certificate/requirement-set.ts'
export { generateSigningKeys, KeyError, readPrivateKey, type SigningKeys } from './certificate/signing-keys.ts'
export type { Product, CertificateClaims } from './certificate/statement.ts'
export { renderVerification } from './certificate/verification-text.ts'
export {
  type CertificateStatus,
  type Verification,
  type VerifyOptions,
  verifyBundle,
} from './certificate/verify-bundle.ts'
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
export { type Content, html, type Markup } from './html/markup.ts'
export { page } from './html/page.ts'
export { type HtmlOptions, renderHtml } from './html/render-html.ts'
export { renderJunit } from './junit.ts'
export { type MarkdownOptions, renderMarkdown } from './markdown.ts'
export { parseReport, ReportError, reportSchema } from './parse-report.ts'
export { type ProgressOptions, progressView } from './progress.ts'
export type { QuestionText, Report, ReportCost, ReportedExchange, ReportRun, RuleText, Shard } from './report.ts'
export { visibleLine } from './sanitize-text.ts'
export { renderSarif, type SarifOptions } from './sarif.ts'
export { serializeReport } from './serialize-report.ts'
export { countOutcomes, isBlocking, obligationKey } from './severity.ts'
export { renderText, type TextOptions } from './terminal-text.ts'
