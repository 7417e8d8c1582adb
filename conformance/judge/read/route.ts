/**
 * Finds the operation that a request addresses, from its method and URL alone.
 */
import { groupBy, type OperationId, operationIds, operations } from '../../../spec/index.ts'

interface Route {
  readonly operation: OperationId
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Whether only a lenient reading of the path leads here. */
  readonly isLenient: boolean
}

interface Address {
  readonly route: Route | null
  /** Path below the base URL, as sent. */
  readonly path: string
  readonly query: readonly (readonly [name: string, value: string])[]
}

const none: Address['query'] = []

interface Template {
  readonly operation: OperationId
  readonly segments: readonly string[]
}

/** Method and number of segments → templates: a path is compared with two or three of them. */
const templates: ReadonlyMap<string, readonly Template[]> = groupBy(
  operationIds.flatMap((operation): readonly Template[] => {
    const { path } = operations[operation]
    return path === null ? [] : [{ operation, segments: path.split('/') }]
  }),
  ({ operation, segments }) => `${operations[operation].method} ${segments.length}`,
)
const noTemplates: readonly Template[] = []

/** The address of a target, and its paths that the contract does not define. */
export interface Site {
  /** Path of the base URL, without a slash at its end. */
  readonly basePath: string
  /** Path template of the status of a file, instead of the reference profile's; `null` when the profile has none. */
  readonly statusPath: string | null
}

/** Reads a URL below the base URL; a URL elsewhere has no route. */
export function addressOf(method: string, url: string, { basePath, statusPath }: Site): Address {
  const { path, search } = split(url)
  const below = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : null
  const query = search === '' ? none : [...new URLSearchParams(search)]
  const route = below === null ? null : (routeOf(method, below) ?? statusRoute(method, below, statusPath))
  return { route, path: below ?? path, query }
}

function statusRoute(method: string, path: string, template: string | null): Route | null {
  if (template === null || method !== operations.getFileStatus.method) return null
  const params = matched(template.split('/'), path.split('/'))
  return params === null ? null : { operation: 'getFileStatus', params, isLenient: false }
}

/** The site that a profile describes. */
export const siteOf = (baseUrl: string, statusPath: string | null): Site => ({
  basePath: basePathOf(baseUrl),
  statusPath,
})

/** The path of a base URL, without a slash at its end. */
const basePathOf = (baseUrl: string): string => split(baseUrl).path.replace(/\/+$/, '')

/** Parsed by hand, since a URL parser would correct the URL that was sent. */
function split(url: string): { readonly path: string; readonly search: string } {
  const afterScheme = url.indexOf('://') + 3
  const start = url.indexOf('/', afterScheme)
  if (start < 0) return { path: '', search: '' }
  const end = url.indexOf('#', start)
  const target = end < 0 ? url.slice(start) : url.slice(start, end)
  const mark = target.indexOf('?')
  return mark < 0 ? { path: target, search: '' } : { path: target.slice(0, mark), search: target.slice(mark + 1) }
}

/** A slash at the end is where some services redirect to; other spellings are served by some as well. */
function routeOf(method: string, path: string): Route | null {
  const withoutSlash = path.endsWith('/') ? path.slice(0, -1) : path
  return routeTo(method, withoutSlash, false) ?? routeTo(method, plainPath(path), true)
}

function routeTo(method: string, path: string, isLenient: boolean): Route | null {
  const segments = path.split('/')
  for (const template of templates.get(`${method} ${segments.length}`) ?? noTemplates) {
    const params = matched(template.segments, segments)
    if (params !== null) return { operation: template.operation, params, isLenient }
  }
  return null
}

/** Without encoded slashes, empty segments and dots; names of the contract, which are all lower case, in that case. */
function plainPath(path: string): string {
  const segments: string[] = []
  for (const segment of path.replaceAll(/%2f/gi, '/').split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(decoded(segment).toLowerCase())
  }
  return `/${segments.join('/')}`
}

const isParameter = (part: string): boolean => part.startsWith('{')

function matched(template: readonly string[], segments: readonly string[]): Route['params'] | null {
  if (template.length !== segments.length) return null
  const fits = template.every((part, index) => (isParameter(part) ? segments[index] !== '' : part === segments[index]))
  if (!fits) return null
  const params: Record<string, string> = {}
  for (let index = 0; index < template.length; index += 1) {
    const part = template[index] ?? ''
    if (isParameter(part)) params[part.slice(1, -1)] = decoded(segments[index] ?? '')
  }
  return params
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
