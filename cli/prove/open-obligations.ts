/**
 * Lists the obligations that no deviation breaks alone yet, each with the reason.
 * A whole proof prints them; an obligation that is neither proven nor listed here is wrong.
 */
const sameBody = 'the suite respells order, white space and escapes in one body, so that a refusal has several causes'
const sameThread = 'runs of both kinds are refused in the same thread, so that a trace has several causes'
const noLegalRun = 'the suite runs no thread with the legal assistant'
const noStreamedRoot = 'the suite leaves out fields required at the root in plain completions only'

/** By obligation: `requirement operation facet`. */
export const openObligations: Readonly<Record<string, string>> = {
  'http.json-request createMessage key-order': sameBody,
  'http.json-request createMessage whitespace': sameBody,
  'http.json-request createMessage escapes': sameBody,
  'threads.rejected-leaves-no-trace createChatCompletion': 'no deviation leaves a trace of a refused completion',
  'threads.rejected-leaves-no-trace runThread': sameThread,
  'threads.rejected-leaves-no-trace streamThreadRun': sameThread,
  'resources.legal-meta-data runThread type': noLegalRun,
  'resources.legal-meta-data runThread legal_advice': noLegalRun,
  'resources.legal-meta-data runThread intent': noLegalRun,
  'completions.required-fields-enforced streamChatCompletion __root__': noStreamedRoot,
  'completions.required-fields-enforced streamChatCompletionEvents __root__': noStreamedRoot,
  'pagination.limit-fills-page listMessages limit-1': 'the judge takes an empty page for a list with a gap',
  'assistants.required-fields-map listAssistants': 'the deviations of the list show in the record as well',
  'streams.progressive streamThreadRun': 'the suite meets no streamed run whose chunks are spread over time',
}
