/**
 * Finds the message that asked for the call which a tool message answers. The rules of tool messages compare the two ids,
 * and the asking message is often only setup.
 */
import { bodyBuffer, bufferOf, jsonOf, shortPathOf } from './body-text.ts'
import type { ReportedExchange } from './report.ts'

export interface AskedCall {
  /** The call id of the tool message. */
  readonly id: string
  /** The exchange whose response asks for it, the place of the id in it, and its path; `null` when none does. */
  readonly asked: { readonly exchange: string; readonly pointer: string; readonly path: string } | null
}

/** The call that the last exchange answers, looked for in those before it; `null` when it is no tool message. */
export function askedCall(exchanges: readonly ReportedExchange[]): AskedCall | null {
  const answer = exchanges.at(-1)
  const message = answer?.request.body == null ? null : jsonOf(bufferOf(answer.request.body))
  const id = fieldOf(message, 'role') === 'tool' ? fieldOf(message, 'tool_call_id') : undefined
  if (typeof id !== 'string' || id === '') return null
  for (const { id: exchange, request, response } of exchanges.slice(0, -1).toReversed()) {
    const body = jsonOf(bodyBuffer(response?.pieces ?? []))
    const pointer = fieldOf(body, 'role') === 'assistant' ? pointerTo(body, id) : null
    if (pointer !== null) return { id, asked: { exchange, pointer, path: shortPathOf(request.url) } }
  }
  return { id, asked: null }
}

/** The call for a line of text. */
export function callText({ id, asked }: AskedCall): string {
  return asked === null
    ? `${id}, for which no assistant message above asks`
    : `${id}, asked for by the assistant message of ${asked.exchange} (${asked.path})`
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}

/** Where a text stands in a document, the first place. */
function pointerTo(value: unknown, text: string): string | null {
  if (value === text) return ''
  if (typeof value !== 'object' || value === null) return null
  for (const [key, entry] of Object.entries(value)) {
    const rest = pointerTo(entry, text)
    if (rest !== null) return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}${rest}`
  }
  return null
}
