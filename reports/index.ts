/** The door of reports/: one report, many renderings. */
export { renderBadge } from './badge.ts'
export { boardSite } from './board/board-site.ts'
export { certifiedRun } from './board/certified-run.ts'
export { type Bundle, packBundle } from './certificate/bundle.ts'
export { createBundle, seedFromNonce } from './certificate/create-bundle.ts'
export { DemandError, parseDemands } from './certificate/demands-text.ts'
export { parsePolicy } from './certificate/parse-policy.ts'
export { digestOf, requirementSet } from './certificate/requirement-set.ts'
export { generateSigningKeys, readPrivateKey, type SigningKeys } from './certificate/signing-keys.ts'
export { renderVerificationHtml } from './certificate/verification-page.ts'
export { renderVerification } from './certificate/verification-text.ts'
export {
  type VerifyOptions,
  verifyBundle,
} from './certificate/verify-bundle.ts'
export {
  applyBaseline,
  parseBaseline,
  writeBaseline,
} from './compare/baseline.ts'
export { compareReports } from './compare/compare-reports.ts'
export { comparisonForms } from './compare/comparison-page.ts'
export { matrixOf, type NamedReport } from './compare/matrix-of.ts'
export { matrixForms } from './compare/matrix-page.ts'
export { createReport } from './create-report.ts'
export { renderCtrf } from './ctrf.ts'
export { renderFindingTests } from './finding-tests/render-finding-tests.ts'
export { renderAnnotations } from './github-annotations.ts'
export { renderHar } from './har.ts'
export { html, type Markup } from './html/markup.ts'
export { page } from './html/page.ts'
export { renderHtml } from './html/render-html.ts'
export { renderJunit } from './junit.ts'
export { renderMarkdown } from './markdown.ts'
export { parseReport } from './parse-report.ts'
export { progressView } from './progress.ts'
export { withReplays } from './replays.ts'
export type { Report } from './report.ts'
export { visibleLine } from './sanitize-text.ts'
export { renderSarif } from './sarif.ts'
export { serializeReport } from './serialize-report.ts'
export { obligationKey } from './severity.ts'
export { renderText } from './terminal-text.ts'
