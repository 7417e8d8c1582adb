/**
 * Names one exchange of a counterexample and its result.
 */
import type { OperationId } from '../../../spec/index.ts'
import type { Contradiction } from '../observation-log.ts'
import { answerName } from '../oracles/support/answer-name.ts'
import { textField } from '../read/json.ts'
import type { ParsedExchange } from '../read/parsed-exchange.ts'
import type { Counterexample } from '../verdict.ts'

/** One step of the story. */
export function stepOf(parsed: ParsedExchange, contradiction: Contradiction): Counterexample['steps'][number] {
  const isDecisive = contradiction.exchanges.at(-1) === parsed.id
  const shows = isDecisive
    ? `${answerName(parsed)}; expected ${contradiction.expected}, got ${contradiction.actual}`
    : answerName(parsed)
  return { exchange: parsed.id, name: nameOf(parsed), shows }
}

const names: Readonly<Record<OperationId, string>> = {
  createChatCompletion: 'ask for a completion',
  streamChatCompletion: 'ask for a streamed completion',
  streamChatCompletionEvents: 'ask for a completion as events',
  runThread: 'run the thread',
  streamThreadRun: 'run the thread as a stream',
  listMessages: 'list the messages',
  createMessage: 'add a message',
  listAssistants: 'list the assistants',
  getAssistant: 'read one assistant',
  createUploadGrant: 'ask for an upload grant',
  uploadFile: 'upload the file',
  listMyApiKeys: 'read the own keys',
  createThread: 'make a thread',
  getFileStatus: 'ask for the status of the file',
}

function nameOf(parsed: ParsedExchange): string {
  if (parsed.operation === null) return `${parsed.exchange.request.method} ${parsed.path}`
  const role =
    parsed.operation === 'createMessage' && parsed.body.kind === 'json' ? textField(parsed.body.value, 'role') : null
  const name = role === null ? names[parsed.operation] : `add a message of role ${role}`
  const second = parsed.tenant !== null && parsed.tenant !== 'primary' ? ` as ${parsed.tenant}` : ''
  const keyless = parsed.key === 'missing' && parsed.operation !== 'uploadFile' ? ' without a key' : ''
  return `${name}${second}${keyless}`
}
