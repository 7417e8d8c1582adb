/**
 * Resolves the world of a request and the path inside it. A world is named by the path (`/w/<world>/v1/…`), by the header
 * `x-acs-world` or after an @ in the API key, in that order; otherwise it is the default world. A new name creates a
 * world, but only for a caller with a valid key and a known operation: any client can send other requests.
 */

import { type EngineRequest, headerOf } from '../exchange/request.ts'
import type { ServedWorld } from '../exchange/served-request.ts'
import type { Rejection } from '../reasons/reasons.ts'
import { callerOf } from './authorize.ts'
import { routeOf } from './routes.ts'
import { isWorldName, worldNameForm } from './world-name.ts'

/** The worlds of a mock, as far as the engine looks them up. */
export interface WorldDirectory {
  /** The world of requests that name none. */
  readonly main: ServedWorld
  get(name: string): ServedWorld | undefined
  /** The world of a name, created if needed, or the reason why there is none. */
  open(name: string): ServedWorld | 'bad-world-name' | 'too-many-worlds'
}

export interface Address {
  /** Set when the named world is not available. */
  readonly rejection: Rejection | null
  /** The default world replaces one that is not available, or that this request does not create. */
  readonly world: ServedWorld
  /** Path without query and without the world's prefix. */
  readonly path: string
  readonly query: string | null
  /** URL under which this world's operations are reached. */
  readonly baseUrl: string
}

/** Finds the world and the path of a request. */
export function addressOf(request: EngineRequest, worlds: WorldDirectory): Address {
  const { target } = request
  const mark = target.indexOf('?')
  const whole = mark < 0 ? target : target.slice(0, mark)
  const query = mark < 0 ? null : target.slice(mark + 1)
  const end = whole.startsWith('/w/') ? whole.indexOf('/', 3) : -1
  const path = end < 0 ? whole : whole.slice(end)
  const named = end < 0 ? nameIn(request) : { name: whole.slice(3, end), loc: ['path', 'world'] }
  if (named === null) return { rejection: null, world: worlds.main, path, query, baseUrl: request.origin }
  const found = worldOf(named.name, request, path, worlds)
  if (typeof found !== 'string') {
    const baseUrl = found === worlds.main ? request.origin : `${request.origin}/w/${found.name}`
    return { rejection: null, world: found, path, query, baseUrl }
  }
  const fault = { loc: named.loc, message: `must be ${worldNameForm}`, type: 'string_pattern_mismatch' }
  const rejection = found === 'bad-world-name' ? { reason: found, faults: [fault] } : { reason: found }
  return { rejection, world: worlds.main, path, query, baseUrl: request.origin }
}

/** The world of a name, or why this request does not get it; the default one if the request is refused in any case. */
function worldOf(
  name: string,
  request: EngineRequest,
  path: string,
  worlds: WorldDirectory,
): ServedWorld | 'bad-world-name' | 'too-many-worlds' | 'unknown-file' {
  const known = worlds.get(name)
  if (known !== undefined) return known
  if (!isWorldName(name)) return 'bad-world-name'
  const { main } = worlds
  const route = routeOf(request.method, path)
  if (route.kind !== 'operation') return main
  // A world that is not there has granted no upload.
  if (route.operation === 'uploadFile') return 'unknown-file'
  const anybody = main.hooks.isOverridden.authorize
  return anybody || callerOf(request, main.machine.scenario) !== null ? worlds.open(name) : main
}

function nameIn(request: EngineRequest): { readonly name: string; readonly loc: readonly string[] } | null {
  const header = headerOf(request.headers, 'x-acs-world')
  if (header !== undefined) return { name: header, loc: ['header', 'x-acs-world'] }
  const key = headerOf(request.headers, 'api-key')
  const at = key === undefined ? -1 : key.lastIndexOf('@')
  return key === undefined || at < 0 ? null : { name: key.slice(at + 1), loc: ['header', 'api-key'] }
}
