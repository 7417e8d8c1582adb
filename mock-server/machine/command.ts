/**
 * The commands of the machine: requests that passed validation, plus the inner commands of the shells.
 * A command names its caller and is plain data; time comes in beside it, as the tick.
 */
import type { Caller } from '../scenario/resolved-scenario.ts'
import type { Json } from '../scenario/scenario.ts'
import type { CompletionOperation, Run, RunOperation, ToolCall } from './run.ts'
import type { Role } from './state.ts'

interface Called {
  readonly caller: Caller
}

/** A message as a client gives it. */
export interface MessageDraft {
  readonly role: Role
  readonly content: string
  readonly tool_call_id?: string
  readonly tool_calls?: readonly ToolCall[]
  readonly file_ids?: readonly string[]
  readonly meta_data?: Json
  readonly sources?: Json
}

export interface CompletionCommand extends Called {
  readonly operation: CompletionOperation
  readonly assistantId: string
  readonly threadId: string | null
  readonly messages: readonly MessageDraft[]
  /** Digest of the request; keys the new thread's id. */
  readonly digest: string
}

export interface RunCommand extends Called {
  readonly operation: RunOperation
  readonly threadId: string
  /** Another assistant than the thread's own. */
  readonly assistantId: string | null
  readonly toolsOffered: boolean
  /** Whether the assistant must not ask for a tool. */
  readonly toolsExcluded: boolean
}

export interface CreateThreadCommand extends Called {
  readonly operation: 'createThread'
  readonly assistantId: string | null
  readonly digest: string
}

export interface CreateMessageCommand extends Called {
  readonly operation: 'createMessage'
  readonly threadId: string
  readonly message: MessageDraft
}

export interface ListMessagesCommand extends Called {
  readonly operation: 'listMessages'
  readonly threadId: string
  readonly limit: number
  readonly cursor: string | null
}

export interface ListAssistantsCommand extends Called {
  readonly operation: 'listAssistants'
}

export interface GetAssistantCommand extends Called {
  readonly operation: 'getAssistant'
  readonly assistantId: string
}

export interface ListMyApiKeysCommand extends Called {
  readonly operation: 'listMyApiKeys'
}

export interface CreateUploadGrantCommand extends Called {
  readonly operation: 'createUploadGrant'
  readonly filename: string
  readonly persist: boolean
  readonly userId: string
  /** Where the mock is reached, with the world's path: the signed URL starts with it. */
  readonly baseUrl: string
  readonly digest: string
}

/** The signed URL carries the right to upload, so there is no caller. */
export interface UploadFileCommand {
  readonly operation: 'uploadFile'
  readonly fileId: string
  readonly expires: string
  readonly signature: string
  readonly mediaType: string
  readonly sizeBytes: number
  readonly sha256: string
}

export interface GetFileStatusCommand extends Called {
  readonly operation: 'getFileStatus'
  readonly fileId: string
}

/** Stores the answer of a run that was sent to its end. */
export interface FinishRunCommand {
  readonly operation: 'finishRun'
  readonly run: Run
}

/** A command that comes from a request. */
export type RequestCommand =
  | CompletionCommand
  | RunCommand
  | CreateThreadCommand
  | CreateMessageCommand
  | ListMessagesCommand
  | ListAssistantsCommand
  | GetAssistantCommand
  | ListMyApiKeysCommand
  | CreateUploadGrantCommand
  | UploadFileCommand
  | GetFileStatusCommand

export type Command = RequestCommand | FinishRunCommand
