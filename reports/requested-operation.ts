/**
 * Names an operation by the path that was requested, where the profile maps another one than the usual.
 * The contract does not show the path of a file's status: a wrong one in the profile must not look like a fault of the service.
 */
import type { Verdict } from '../conformance/index.ts'
import { operationName } from './headline.ts'
import type { Report, ReportedExchange } from './report.ts'

type Shown = Pick<Verdict, 'operation' | 'exchanges'>

/** `GET /v1/file/{file_id}/status`; the usual name where that was requested, or nothing shows what was. */
export function requestedName(
  { operation, exchanges: cited }: Shown,
  { run, exchanges }: Pick<Report, 'run' | 'exchanges'>,
): string {
  const usual = operationName(operation)
  if (operation !== 'getFileStatus') return usual
  const ids = new Set(cited)
  const names = exchanges
    .filter(({ id, intent }) => ids.has(id) && intent?.operation === operation)
    .map((exchange) => templateOf(exchange, run.target))
  return names.find((name) => name.includes('{file_id}')) ?? names.find((name) => !isUsual.test(name)) ?? usual
}

/** With an id that is no UUID. */
const isUsual = /^GET \/v1\/files\/[^/?]*\/status$|^$/

const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi

/** Method and path below the base URL, the id in it as a placeholder. */
function templateOf({ request }: ReportedExchange, target: string): string {
  if (!URL.canParse(request.url) || !URL.canParse(target)) return ''
  const { pathname, search } = new URL(request.url)
  const base = new URL(target).pathname.replace(/\/+$/, '')
  const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname
  return `${request.method} ${path}${search}`.replace(uuid, '{file_id}')
}
