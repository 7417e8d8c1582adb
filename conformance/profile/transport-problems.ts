/** Finds problems with the transport of a profile that no schema can express. */
import { hasReference } from './environment.ts'
import type { DataProblem } from './schema-problems.ts'
import type { TransportProfile } from './target-profile.ts'
import { nameOfPath } from './yaml-location.ts'

/** Headers of the suite itself, and those of the connection. */
const takenNames =
  /^(?:api-key|accept-encoding|content-.*|connection|expect|host|keep-alive|te|trailer|transfer-encoding|traceparent|upgrade)$/i

/** Problems of a transport that fits the schema. */
export function transportProblems({ headers = {}, proxy }: TransportProfile = {}): readonly DataProblem[] {
  const names = Object.keys(headers).filter((name) => takenNames.test(name))
  return [
    ...names.map((name) => headerProblem(name)),
    ...(proxy === undefined || isProxy(proxy) ? [] : [proxyProblem()]),
  ]
}

/** The URL of a proxy, also of one written without a scheme; `null` for a text that is not one. */
export function proxyUrl(text: string): URL | null {
  const written = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(written) ? new URL(written) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : null
}

function isProxy(text: string): boolean {
  return text === 'direct' || hasReference(text) || proxyUrl(text) !== null
}

function headerProblem(name: string): DataProblem {
  const path = ['transport', 'headers', name]
  const fix = /^api-key$/i.test(name) ? 'keys belong under tenants' : 'remove it'
  return { path, at: 'key', reason: `${nameOfPath(path)} is a header that the suite writes itself`, fix }
}

function proxyProblem(): DataProblem {
  const path = ['transport', 'proxy']
  const fix = 'write it like http://proxy.example:3128, or direct'
  return { path, at: 'value', reason: `${nameOfPath(path)} is not the URL of an http or https proxy`, fix }
}
