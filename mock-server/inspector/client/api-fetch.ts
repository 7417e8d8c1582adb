/** Sends a request of the API itself into a world, as any client would. */

/** `path` starts with `/v1`. */
export function apiFetch(world: string, key: string, method: string, path: string, body?: string): Promise<Response> {
  const headers: Record<string, string> = { 'api-key': key, 'user-id': 'inspector' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  return fetch(`/w/${encodeURIComponent(world)}${path}`, { method, headers, ...(body === undefined ? null : { body }) })
}
