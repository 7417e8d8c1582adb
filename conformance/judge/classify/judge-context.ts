/** Defines the context that classifies a request beside its bytes. */
import type { ThreadHistories } from '../history/thread-histories.ts'
import type { UploadedFiles } from '../history/uploaded-files.ts'
import type { JudgeProfile } from '../judge-profile.ts'
import type { AssistantRecord, AssistantRegistry } from './assistant-registry.ts'

/** The context from the rest of the trace. */
export interface JudgeContext {
  readonly profile: JudgeProfile
  readonly registry: AssistantRegistry
  readonly histories: ThreadHistories
  readonly files: UploadedFiles
  /** Assistants that answered a run without the fields that they require of completions. */
  readonly fieldlessRuns: ReadonlySet<AssistantRecord>
  /** Whether an accepted completion held a message of the role `assistant`. */
  readonly takesAssistantMessages: boolean
}
