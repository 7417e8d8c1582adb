/** Every probe in the order of playing: answers first, so that refusals meet live state; what exhausts a quota late; the last look last. */
import { askedTools } from './asked-tools.ts'
import { assistants } from './assistants.ts'
import { auth } from './auth.ts'
import { completionRefusals } from './completion-refusals.ts'
import { completions } from './completions.ts'
import { conversations } from './conversations.ts'
import { errors } from './errors.ts'
import { files } from './files.ts'
import { final } from './final.ts'
import { firstAnswers, lastAnswers } from './first-answers.ts'
import { firstAssistants } from './first-assistants.ts'
import { firstFiles } from './first-files.ts'
import { firstKeys } from './first-keys.ts'
import { firstMessages } from './first-messages.ts'
import { firstRefusals } from './first-refusals.ts'
import { firstRuns } from './first-runs.ts'
import { foreignContinuation } from './foreign-continuation.ts'
import { generatedRequests } from './generated.ts'
import { http } from './http.ts'
import { pagination } from './pagination.ts'
import type { Probe } from './probe.ts'
import { rareForms } from './rare-forms.ts'
import { runs } from './runs.ts'
import { streams } from './streams.ts'
import { tenancy } from './tenancy.ts'
import { threadRefusals } from './thread-refusals.ts'
import { threads } from './threads.ts'
import { tools } from './tools.ts'

export const allProbes: readonly Probe[] = [
  ...firstAssistants,
  ...assistants,
  ...firstAnswers,
  ...completions,
  ...streams,
  ...firstMessages,
  ...firstRuns,
  ...threads,
  ...runs,
  ...firstRefusals,
  ...completionRefusals,
  ...rareForms,
  ...threadRefusals,
  ...tools,
  ...askedTools,
  ...firstKeys,
  ...tenancy,
  ...pagination,
  ...firstFiles,
  ...files,
  ...http,
  ...auth,
  ...conversations,
  ...generatedRequests,
  ...errors,
  ...foreignContinuation,
  ...lastAnswers,
  ...final,
]
