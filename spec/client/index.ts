/** Exports what a client of the service needs beside its transport; it runs in browsers. */
export { errorCodes } from './error-codes.ts'
export { isErrorBody, isErrorCode, isValidationError } from './guards.ts'
export { type NdjsonSource, type ReadNdjsonOptions, readNdjson } from './read-ndjson.ts'
export type {
  Assistant,
  AssistantMessage,
  BlockChunk,
  BlockStreamItem,
  ContentBlock,
  ErrorBody,
  ErrorCode,
  FieldError,
  Message,
  MessagePage,
  PlainError,
  Role,
  Source,
  TextChunk,
  TextStreamItem,
  Thread,
  ToolCall,
  ValidationError,
} from './wire.ts'
