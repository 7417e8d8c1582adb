/**
 * Reads the thread and the assistant of a request from its path, query and body.
 * Only rules that match by one of the two ask for it.
 */
import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import { readBody } from '../http/json-body.ts'
import type { Assistant } from '../scenario/resolved-scenario.ts'

interface Subject {
  readonly threadId: string | null
  readonly assistant: Assistant | null
}

/** Thread and assistant of a request, as far as it names them and they exist for the caller. */
export function subjectOf(exchange: InFlightRequest): Subject {
  const threadId = threadIdOf(exchange.request.target)
  const named = assistantIdIn(exchange)
  const bound = threadId === null ? undefined : exchange.world.state.threads.get(threadId)?.assistantId
  const wanted = named ?? bound
  const assistant = exchange.caller?.tenant.assistants.find(({ id }) => id === wanted)
  return { threadId, assistant: assistant ?? null }
}

function threadIdOf(target: string): string | null {
  const inPath = /\/v1\/threads\/([^/?]+)/.exec(target)?.[1]
  const inQuery = /[?&]thread_id=([^&]+)/.exec(target)?.[1]
  return (inPath ?? inQuery)?.toLowerCase() ?? null
}

function assistantIdIn({ request }: InFlightRequest): string | undefined {
  if (request.body.kind !== 'bytes' || request.method !== 'POST') {
    return /\/v1\/assistants\/([^/?]+)/.exec(request.target)?.[1]?.toLowerCase()
  }
  const parsed = readBody(request)
  if (parsed.kind === 'rejected') return undefined
  const { value } = parsed
  const id: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'assistant_id') : undefined
  return typeof id === 'string' ? id.toLowerCase() : undefined
}
