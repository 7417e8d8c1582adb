/**
 * How one exchange is named in a story, and what it shows there.
 */
import type { OperationId } from '../../spec/index.ts'
import { textField } from '../classify/json.ts'
import type { Reading } from '../classify/reading.ts'
import type { Contradiction } from '../judging/testimony.ts'
import { answerName } from '../oracles/oracle.ts'
import type { Witness } from '../verdict.ts'

/** One step of the story. */
export function stepOf(reading: Reading, contradiction: Contradiction): Witness['steps'][number] {
  const isDecisive = contradiction.exchanges.at(-1) === reading.id
  const shows = isDecisive
    ? `${answerName(reading)}; expected ${contradiction.expected}, got ${contradiction.actual}`
    : answerName(reading)
  return { exchange: reading.id, name: nameOf(reading), shows }
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

function nameOf(reading: Reading): string {
  if (reading.operation === null) return `${reading.exchange.request.method} ${reading.path}`
  const role =
    reading.operation === 'createMessage' && reading.body.kind === 'json' ? textField(reading.body.value, 'role') : null
  const name = role === null ? names[reading.operation] : `add a message of role ${role}`
  const second = reading.tenant !== null && reading.tenant !== 'primary' ? ` as ${reading.tenant}` : ''
  const keyless = reading.key === 'missing' && reading.operation !== 'uploadFile' ? ' without a key' : ''
  return `${name}${second}${keyless}`
}
