/** The answers to gaps that the mock can give beside its own, with the variants that give them. */
import type { GapId } from '../../spec/index.ts'

type Answers = Readonly<Record<string, readonly string[]>>

/** By gap and answer in lower case; no variants: the mock does so by itself. */
export const vendorAnswers: Readonly<Partial<Record<GapId, Answers>>> = {
  'auth.other-places': { no: [], yes: ['auth.bearer-too'] },
  'completions.unknown-body-fields': { ignored: [], rejected: ['completions.unknown-fields-refused'] },
  'completions.user-id-required': { optional: [], required: ['completions.user-id-required'] },
  'completions.sent-messages-stored': { 'all of them': [], 'none of them': ['completions.sent-not-stored'] },
  'errors.all-faults-at-once': { all: [], first: ['errors.first-fault-only'] },
  'errors.malformed-thread-id': {
    thread_not_found: [],
    validation_error: ['threads.malformed-id-validation-error'],
  },
  'files.expires-in-unit': { seconds: [], milliseconds: ['files.milliseconds'] },
  'files.persist-spelling': { rejected: [], accepted: ['files.persist-spelt-freely'] },
  'pagination.end-signal': {
    null: [],
    absent: ['pagination.cursor-absent-at-end'],
    'an empty string': ['pagination.cursor-empty-at-end'],
    'a cursor to an empty page': ['pagination.cursor-to-empty-page'],
  },
  'pagination.integer-spelling': { rejected: [], accepted: ['pagination.integer-spelt-freely'] },
  'pagination.invalid-cursor': { rejected: [], 'the first page': ['pagination.bad-cursor-first-page'] },
  'pagination.maximum-limit': { rejected: [], clamped: ['pagination.limit-clamped'] },
  'resources.uuid-spelling': { rejected: [], accepted: ['completions.uuid-without-hyphens'] },
  'streams.blank-lines': { 'none seen': [], 'blank lines': ['streams.heartbeats'] },
  'streams.completion-without-support': {
    engine_does_not_support_streaming: [],
    'one whole chunk': ['streams.whole-assistant-streams-one-chunk'],
  },
  'streams.final-newline': { yes: [], no: ['streams.no-final-newline'] },
  'streams.line-end': { lf: [], crlf: ['streams.crlf'] },
  'streams.media-type': {
    'application/x-ndjson': [],
    'application/ndjson': ['streams.media-type-application-ndjson'],
    'application/jsonl': ['streams.media-type-application-jsonl'],
  },
  'streams.when-sources-come': {
    'the last': [],
    'the first': ['streams.sources-first'],
    every: ['streams.sources-always'],
  },
  'tenancy.key-shown': { whole: [], masked: ['tenancy.masked-keys'] },
  'threads.blank-content': { accepted: [], rejected: ['threads.blank-content-refused'] },
  'threads.late-system-message': { accepted: [], rejected: ['threads.late-system-refused'] },
  'threads.run-without-body': { accepted: [], rejected: ['threads.run-body-required'] },
  'threads.which-assistant-runs': {
    'one named in the body': [],
    'the one bound to the thread': ['threads.run-by-its-thread'],
  },
}
