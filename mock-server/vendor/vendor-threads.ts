/** Threads and runs as a vendor's clients ask for them: another path, another body, another place of the id. */
import type { HookOverride } from '../exchange/hooks.ts'
import type { EngineRequest } from '../exchange/request.ts'
import { isObject } from '../overrides/json-edit.ts'
import { overrideObject } from '../overrides/replies.ts'
import { misparseRequests } from '../overrides/rules.ts'
import { placeOf, stepsOf, valueAt, withValueAt } from './pointer.ts'
import type { ThreadRequest } from './vendor-target.ts'

const assistantPlaceholder = '{{assistant_id}}'
/** Where the mock itself makes threads. */
export const ownThreadPath = '/v1/threads'

/** The path of a vendor's request for a thread, without a query. */
export function threadPathOf({ path }: ThreadRequest): string {
  return URL.canParse(path) ? new URL(path).pathname : (path.split('?', 1)[0] ?? path)
}

/** Reads the assistant of a request where the template names it. */
export function assistantOverrides(
  operations: 'createThread' | readonly ['runThread', 'streamThreadRun'],
  template: unknown,
): readonly HookOverride[] {
  const place = placeOf(template, assistantPlaceholder)
  if (place === null || place.join('/') === 'assistant_id') return []
  return [
    misparseRequests(operations, (input) => {
      const { body } = input
      if (!isObject(body)) return input
      const assistant = valueAt(body, place)
      return assistant === undefined ? input : { ...input, body: { ...body, assistant_id: assistant } }
    }),
  ]
}

/** Puts the id of a new thread where the pointer says. */
export function threadIdOverrides({ pointer }: ThreadRequest): readonly HookOverride[] {
  if (pointer === '/id') return []
  return [
    overrideObject('createThread', ({ id = null, ...record }) => {
      const steps = stepsOf(pointer)
      return withValueAt(withValueAt({}, steps.slice(0, -1), record), steps, id)
    }),
  ]
}

/** Leads the vendor's request for a thread to the mock's own; `null` where they are the same. */
export function threadReroute(thread: ThreadRequest): ((request: EngineRequest) => EngineRequest) | null {
  const { method } = thread
  const wanted = threadPathOf(thread)
  if (method.toUpperCase() === 'POST' && wanted === ownThreadPath) return null
  return (request) => {
    if (request.method !== method.toUpperCase()) return request
    const [whole = '', ...query] = request.target.split('?')
    const prefix = /^\/w\/[^/]*(?=\/)/.exec(whole)?.[0] ?? ''
    if (whole.slice(prefix.length) !== wanted) return request
    return { ...request, method: 'POST', target: [prefix + ownThreadPath, ...query].join('?') }
  }
}
