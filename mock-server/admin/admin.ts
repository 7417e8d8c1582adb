/**
 * The admin API below `/_acs`: worlds, clocks, faults and journals of a running mock, for shells and other languages.
 * It is the library over HTTP; `Mock` and `WorldHandle` offer all its functions.
 */
import { nearestName } from '../../spec/index.ts'
import { FaultError } from '../faults/fault-error.ts'
import { OptionError } from '../option-error.ts'
import { ScenarioFailure } from '../scenario/scenario-failure.ts'
import { ImportError } from '../state-file/check-state.ts'
import { SeedError } from '../worlds/seed-error.ts'
import { denialReason } from './admin-auth.ts'
import { adminPrefix } from './admin-path.ts'
import {
  AdminRefusal,
  type AdminRequest,
  type AdminResponse,
  jsonResponse,
  refuseField,
  rejectionResponse,
} from './admin-request.ts'
import { type AdminContext, type AdministeredMock, type AdminRoute, TextAnswer } from './admin-route.ts'
import { adminRoutes } from './admin-routes.ts'
import { bodyFields, queryFields } from './fields.ts'

export interface Admin {
  /** Answers a request; never rejects. `token` is required from callers on other machines. */
  handle(request: AdminRequest, token: string | null): Promise<AdminResponse>
}

/** The admin API of a mock. */
export function createAdmin(mock: AdministeredMock): Admin {
  const context: AdminContext = { mock, snapshots: new Map() }
  return {
    async handle(request, token) {
      try {
        const cause = denialReason(request, token)
        if (cause !== null) return rejectionResponse({ reason: 'admin-not-allowed' }, cause)
        return await answer(context, request)
      } catch (error) {
        const { rejection, headers, detail } = refusalOf(error, request.method === 'POST' ? 'body' : 'query')
        const response = rejectionResponse(rejection, detail)
        return { ...response, headers: { ...response.headers, ...headers } }
      }
    },
  }
}

async function answer(context: AdminContext, request: AdminRequest): Promise<AdminResponse> {
  const [, whole = '', search = ''] = /^([^?]*)\??(.*)$/.exec(request.target) ?? []
  const path = whole.slice(adminPrefix.length).replace(/\/$/, '')
  // A HEAD is answered as a GET, whose body the shells leave out; events would have no end.
  const method = request.method === 'HEAD' && path !== '/events' ? 'GET' : request.method
  if (path === '' && method === 'GET') return jsonResponse(200, directory())
  const { route, segments } = routeOf(method, path)
  const fields =
    route.method === 'POST'
      ? bodyFields(request.body, route.fields)
      : queryFields(new URLSearchParams(search), route.fields)
  // Refused before anything is done if the change could not be stored.
  if (method !== 'GET') await settled(context.mock)
  const value = await route.act({ context, path: segments, fields, signal: request.signal ?? null })
  await settled(context.mock)
  if (value instanceof TextAnswer) {
    return { status: 200, headers: { ...value.headers, 'content-type': value.contentType }, body: value.text }
  }
  return jsonResponse(200, value)
}

async function settled(mock: AdministeredMock): Promise<void> {
  await mock.settled().catch(() => {
    throw new AdminRefusal('state-unwritable')
  })
}

function directory() {
  return adminRoutes.map(({ method, path, about, fields }) => ({
    request: `${method} ${adminPrefix}${path}`,
    about,
    fields,
  }))
}

function routeOf(
  method: string,
  path: string,
): { readonly route: AdminRoute; readonly segments: Readonly<Record<string, string>> } {
  const allowed = new Set<string>()
  for (const route of adminRoutes) {
    const segments = segmentsOf(route.path, path)
    if (segments === null) continue
    if (route.method === method) return { route, segments }
    allowed.add(route.method)
    if (route.method === 'GET' && path !== '/events') allowed.add('HEAD')
  }
  if (allowed.size === 0) throw unknownPath(path)
  throw new AdminRefusal('admin-wrong-method', undefined, { headers: { allow: [...allowed].join(', ') } })
}

function unknownPath(path: string): AdminRefusal {
  const given = path.split('/')
  const filled = adminRoutes.map((route) =>
    route.path
      .split('/')
      .map((segment, index) => (segment.startsWith('{') ? (given[index] ?? segment) : segment))
      .join('/'),
  )
  const near = nearestName(path, filled)
  const hint = near === null ? `GET ${adminPrefix} lists all paths` : `did you mean "${adminPrefix}${near}"?`
  const detail = `the admin API has no path "${adminPrefix}${path}"; ${hint}`
  return new AdminRefusal('admin-unknown-path', undefined, { detail })
}

function segmentsOf(template: string, path: string): Readonly<Record<string, string>> | null {
  const wanted = template.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return null
  const segments: Record<string, string> = {}
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? ''
    if (segment.startsWith('{')) segments[segment.slice(1, -1)] = value
    else if (segment !== value) return null
  }
  return segments
}

/** `startAt` of the library is `start_at` here. */
const wireName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** An error of the library as a refusal; any other error is a fault of the mock. */
function refusalOf(error: unknown, place: 'body' | 'query'): AdminRefusal {
  if (error instanceof AdminRefusal) return error
  if (error instanceof OptionError) return refuseField([place, wireName(error.field)], error.problem)
  if (error instanceof FaultError) return refuseField(['body', ...error.field.split('.')], error.problem)
  if (error instanceof SeedError) {
    const faults = error.faults.map((fault) => ({ ...fault, loc: ['body', ...fault.loc] }))
    return new AdminRefusal('admin-invalid-fields', faults)
  }
  if (error instanceof ImportError || error instanceof RangeError) return refuseField(['body'], error.message)
  return new AdminRefusal(error instanceof ScenarioFailure ? 'scenario-failure' : 'mock-failure')
}
