/**
 * Whether a real service would pay for a model call if it accepted a request. It is derived from the bytes on the wire and
 * from the probe's intent, so that a mistake in a probe cannot exceed the cap.
 */
import { type Operation, type OperationId, operations } from '../../spec/index.ts'

const table: Readonly<Record<OperationId, Operation>> = operations

const modelRoutes = Object.values(table)
  .filter((operation) => operation.callsModel && operation.path !== null)
  .map((operation) => ({
    method: operation.method,
    path: new RegExp(`${(operation.path ?? '').replace(/\{[^}]+\}/g, '[^/]+')}/*$`),
  }))

const pathOf = (url: string): string => {
  try {
    return decodeURIComponent(new URL(url).pathname).replace(/\/{2,}/g, '/')
  } catch {
    return url.replace(/[?#].*$/s, '')
  }
}

/** Whether the request could reach the model. */
export const callsModel = (operation: OperationId | null, method: string, url: string): boolean => {
  const named = operation === null ? null : table[operation]
  if (named?.callsModel === true && named.method === method) return true
  const routes = modelRoutes.filter((route) => route.method === method)
  if (routes.length === 0) return false
  const path = pathOf(url)
  return routes.some((route) => route.path.test(path))
}
