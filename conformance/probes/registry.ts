/**
 * Lists every probe in the order of a run. Answers come first, so that refusals meet live state. What exhausts a quota
 * comes late, and the final read comes last.
 */

import { assistantProbes } from './assistants/assistants.ts'
import { authProbes } from './auth/auth.ts'
import { completionProbes } from './completions/completions.ts'
import { edgeCaseProbes } from './completions/edge-cases.ts'
import { emptyContentProbes } from './completions/empty-content.ts'
import { rejectedCompletionProbes } from './completions/rejected-completions.ts'
import { sameQuestionProbes } from './completions/same-questions.ts'
import { behindLimitProbes } from './errors/behind-limit.ts'
import { errorProbes } from './errors/errors.ts'
import { manyRefusalProbes } from './errors/many-refusals.ts'
import { fileProbes } from './files/files.ts'
import { generatedRequestProbes } from './http/generated-requests.ts'
import { httpProbes } from './http/http.ts'
import { brokenOffProbes } from './interference/broken-off.ts'
import { walksAtOnceProbes } from './interference/walks-at-once.ts'
import { writesAtOnceProbes } from './interference/writes-at-once.ts'
import { paginationProbes } from './pagination/pagination.ts'
import type { Probe } from './probe.ts'
import { smokeAnswerProbes, smokeLastAnswerProbes } from './smoke/answers.ts'
import { smokeAssistantProbes } from './smoke/assistants.ts'
import { smokeFileProbes } from './smoke/files.ts'
import { smokeKeyProbes } from './smoke/keys.ts'
import { smokeMessageProbes } from './smoke/messages.ts'
import { smokeRejectionProbes } from './smoke/rejections.ts'
import { smokeRunProbes } from './smoke/runs.ts'
import { disturbedStreamProbes } from './streams/disturbed-streams.ts'
import { streamProbes } from './streams/streams.ts'
import { crossTenantContinuationProbes, repeatedQuestionProbes } from './tenancy/cross-tenant-continuation.ts'
import { foreignReferenceProbes } from './tenancy/foreign-references.ts'
import { tenancyProbes } from './tenancy/tenancy.ts'
import { besideManyProbes } from './threads/beside-many.ts'
import { conversationProbes } from './threads/conversations.ts'
import { everyStateProbes } from './threads/every-state.ts'
import { finalProbes } from './threads/final-reread.ts'
import { rejectedMessageProbes } from './threads/rejected-messages.ts'
import { repeatedQuestionInThreadProbes } from './threads/repeated-question.ts'
import { runProbeList } from './threads/runs.ts'
import { threadProbes } from './threads/threads.ts'
import { askingCompletionProbes } from './tools/asking-completions.ts'
import { assistantInitiatedToolProbes } from './tools/assistant-initiated-tools.ts'
import { repeatedCallProbes } from './tools/repeated-calls.ts'
import { toolProbes } from './tools/tools.ts'

export const allProbes: readonly Probe[] = [
  ...smokeAssistantProbes,
  ...assistantProbes,
  ...smokeAnswerProbes,
  ...completionProbes,
  ...streamProbes,
  ...smokeMessageProbes,
  ...smokeRunProbes,
  ...threadProbes,
  ...runProbeList,
  ...smokeRejectionProbes,
  ...rejectedCompletionProbes,
  ...edgeCaseProbes,
  ...rejectedMessageProbes,
  ...toolProbes,
  ...everyStateProbes,
  ...repeatedQuestionInThreadProbes,
  ...repeatedCallProbes,
  ...assistantInitiatedToolProbes,
  ...smokeKeyProbes,
  ...tenancyProbes,
  ...smokeFileProbes,
  ...fileProbes,
  ...paginationProbes,
  ...httpProbes,
  ...authProbes,
  ...sameQuestionProbes,
  ...disturbedStreamProbes,
  ...askingCompletionProbes,
  ...conversationProbes,
  ...generatedRequestProbes,
  ...crossTenantContinuationProbes,
  ...foreignReferenceProbes,
  ...emptyContentProbes,
  ...manyRefusalProbes,
  ...errorProbes,
  ...brokenOffProbes,
  ...walksAtOnceProbes,
  ...writesAtOnceProbes,
  ...repeatedQuestionProbes,
  ...smokeLastAnswerProbes,
  ...behindLimitProbes,
  ...besideManyProbes,
  ...finalProbes,
]
