/**
 * Maps each gap to the observer that reads its answer from a trace. A gap that no trace can answer has the reason
 * instead.
 */
import type { GapId } from '../../../spec/index.ts'
import { sentMessagesStored } from '../oracles/completions/completion-threads.ts'
import { messageDuringRun, overlappingRuns } from './busy-threads.ts'
import { conversationObservers } from './conversations.ts'
import type { GapObserver } from './gap-observer.ts'
import { recordObservers } from './records.ts'
import { requestObservers } from './requests.ts'

/** Gap → observer, or the reason why a trace does not answer it. */
export const gapObservers: Readonly<Record<GapId, GapObserver | string>> = {
  ...requestObservers,
  ...conversationObservers,
  ...recordObservers,
  'http.request-size': 'Only a search for the limit would show it.',
  'http.request-coding': 'No probe compresses a body.',
  'http.head': 'No probe sends HEAD.',
  'http.path-spelling': 'An address outside the contract may be anything.',
  'http.cross-origin': 'No probe asks as a browser does.',
  'http.repeated-member': 'No probe names a field twice.',
  'http.accept': 'No probe asks for another media type.',
  'http.charset': 'No probe names another charset.',
  'completions.user-data-structure': 'A schema does not show in single requests.',
  'completions.sent-messages-stored': sentMessagesStored,
  'completions.open-tool-calls': 'No probe completes a thread whose call is open.',
  'streams.client-leaves': 'What a stream would have said is known to nobody once the client left.',
  'threads.which-assistant-runs': 'An answer does not name the assistant that gave it.',
  'threads.run-body': 'Fields that are ignored do not show.',
  'threads.overlapping-runs': overlappingRuns,
  'threads.message-during-run': messageDuringRun,
  'threads.message-size': 'Only a search for the limit would show it.',
  'threads.creation-body': 'Fields that are ignored do not show.',
  'tools.call-structure': 'The profile tells it; without the profile nobody can look for it.',
  'tools.result-field': 'The profile tells it; without the profile nobody can look for it.',
  'tools.call-id-case': 'One that is accepted may answer its call, so the suite sends none.',
  'tools.run-configuration': 'Fields that are ignored do not show.',
  'tools.calls-in-stream': 'The profile locates calls in whole messages only.',
  'pagination.null-cursor': 'No probe writes a null cursor out.',
  'files.max-size-unit': 'Only uploads of the very size would show it.',
  'files.attachment-field': 'What a message carries along does not show in its answer.',
  'files.early-attachment': 'The field that attaches a file is open, so that no request shows for sure that it does.',
  'files.unknown-attachment': 'The field that attaches a file is open, so that no request shows for sure that it does.',
  'tenancy.my-keys-bad-request': 'No request is known to provoke it.',
  'errors.which-key-is-limited': 'Only loads with several keys at once would show it.',
  'errors.limited-operations': 'Only a load on each operation would show it.',
  'errors.precedence': 'Each pair of errors would need a request of its own.',
}
