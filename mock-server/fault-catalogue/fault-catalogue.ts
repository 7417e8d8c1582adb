/**
 * The fault catalogue: every deliberate fault by name, its scope and its settings. Errors come from the
 * contract's table, with the operations that list them; faults of the transport name a position in the answer, or come
 * from a proxy in front.
 */
import { type ErrorCode, errorTable, type OperationId, operationIds, operations } from '../../spec/index.ts'

/** A number that can be set on a fault. */
export interface FaultParameter {
  readonly meaning: string
  readonly preset: number
  readonly least: number
  readonly most: number
}

/** `error`: the contract's error body; `stream`: needs an NDJSON answer; `document`: needs any other; `any`: neither. */
export type FaultScope = 'error' | 'stream' | 'document' | 'any'

export interface FaultRow {
  readonly scope: FaultScope
  readonly description: string
  /** The first one may be given without its name. */
  readonly parameters: Readonly<Record<string, FaultParameter>>
}

const number = (meaning: string, preset: number, least: number, most = 1_000_000): FaultParameter => ({
  meaning,
  preset,
  least,
  most,
})

const after = (preset: number) => ({
  after: number('chunks of a stream that go out before; 0 means right after the headers, of any answer', preset, 0),
})
const chunk = { chunk: number('which chunk, from 1', 1, 1) }
const at = { at: number('bytes that go out before; 0 means half of them', 0, 0, 100_000_000) }
const ms = (preset: number) => ({ ms: number("milliseconds on the world's clock", preset, 0, 86_400_000) })
const character = { chunk: number('which chunk, from 1; 0 means the first that has such a character', 0, 0) }

const transportFaults = {
  'gateway-error': {
    scope: 'any',
    description: 'Responds with an HTML page, as a proxy in front of the service does; the request is not executed.',
    parameters: { status: number('status of the response', 502, 400, 599) },
  },
  'late-headers': {
    scope: 'any',
    description: 'Nothing happens for a while, then the request is executed and answered.',
    parameters: ms(1000),
  },
  'reset-before-headers': {
    scope: 'any',
    description: 'The request is executed, then the connection is reset before the headers.',
    parameters: {},
  },
  'wrong-content-length': {
    scope: 'document',
    description: 'content-length says more (or less) than there are bytes; then the connection closes.',
    parameters: { by: number('bytes added to the true length', 10, -1000) },
  },
  'cut-in-body': { scope: 'document', description: 'The connection closes inside the body.', parameters: at },
  stall: {
    scope: 'any',
    description: 'The answer pauses, then goes on.',
    parameters: { ...ms(1000), ...after(0) },
  },
  'reset-after-chunk': { scope: 'any', description: 'The connection is reset (RST).', parameters: after(1) },
  'cut-after-chunk': {
    scope: 'any',
    description: 'The connection closes between two chunks, without the end of the body.',
    parameters: after(1),
  },
  'end-after-chunk': {
    scope: 'stream',
    description: 'The stream ends normally, but too early.',
    parameters: after(1),
  },
  'cut-in-line': {
    scope: 'stream',
    description: 'The connection closes inside a line.',
    parameters: { ...chunk, ...at },
  },
  'cut-in-character': {
    scope: 'stream',
    description: 'The connection closes inside the UTF-8 sequence of one character.',
    parameters: character,
  },
  'split-in-line': {
    scope: 'stream',
    description: 'One line is sent in two pieces with a pause between them: not an error, but a test of the client.',
    parameters: { ...chunk, ...at, ...ms(10) },
  },
  'split-in-character': {
    scope: 'stream',
    description: 'The bytes of one character are sent in two pieces with a pause between them.',
    parameters: { ...character, ...ms(10) },
  },
  'duplicate-chunk': { scope: 'stream', description: 'One line is sent twice.', parameters: chunk },
  'truncated-last-line': {
    scope: 'stream',
    description: 'The last line stops half-way, and the stream ends normally.',
    parameters: {},
  },
  'no-final-newline': { scope: 'stream', description: 'The last line has no line feed.', parameters: {} },
} as const satisfies Readonly<Record<string, FaultRow>>

export type TransportFault = keyof typeof transportFaults
export type FaultName = ErrorCode | TransportFault

const retryAfter = { retry_after: number('seconds in the header retry-after', 1, 0) }

const errorFaults = Object.fromEntries(
  (Object.keys(errorTable) as ErrorCode[]).map((code): [ErrorCode, FaultRow] => [
    code,
    {
      scope: 'error',
      description: `Responds with the error ${code}; the request is not executed.`,
      parameters: code === 'rate_limit_gateway' ? retryAfter : {},
    },
  ]),
) as Readonly<Record<ErrorCode, FaultRow>>

const rows: Readonly<Record<string, FaultRow>> = { ...errorFaults, ...transportFaults }

/** Every name in the catalogue, errors first. */
export const faultNames: readonly FaultName[] = Object.keys(rows) as FaultName[]

/** The row of a name, if there is such a fault. */
export function faultRow(name: string): FaultRow | undefined {
  return Object.hasOwn(rows, name) ? rows[name] : undefined
}

/** Whether the name is one of the contract's error codes. */
export function isErrorCode(name: FaultName): name is ErrorCode {
  return Object.hasOwn(errorTable, name)
}

/** Whether the fault is a response instead of the mock's: an error of the contract or of a gateway. */
export function isErrorFault(name: FaultName): boolean {
  return isErrorCode(name) || name === 'gateway-error'
}

/** Operations on which a fault can apply; its numbers, where they are given, may leave fewer. */
export function operationsOf(name: FaultName, numbers: Readonly<Record<string, number>> = {}): readonly OperationId[] {
  // Any request can be over the limit, whatever the table of errors lists (contract: Limits).
  if (name === 'rate_limit_gateway') return operationIds
  if (isErrorCode(name)) {
    const listed: readonly OperationId[] = errorTable[name].operations
    // The contract does not show the errors of the events stream, which does the work of the other one.
    return listed.includes('streamChatCompletion') ? [...listed, 'streamChatCompletionEvents'] : listed
  }
  const { scope } = transportFaults[name]
  const streamed = operationIds.filter((id) => operations[id].stream !== null)
  // Only a stream has chunks that could go out before.
  if (scope === 'any') return (numbers.after ?? 0) > 0 ? streamed : operationIds
  const fitting = scope === 'stream' ? streamed : operationIds.filter((id) => operations[id].stream === null)
  // The answer to an upload has no body.
  return name === 'cut-in-body' ? fitting.filter((id) => id !== 'uploadFile') : fitting
}
