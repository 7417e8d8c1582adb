/**
 * Writes the output of `acs mock` when it is ready. It shows the URL, the demo keys, the assistants of each, and a first
 * request to copy.
 */
import pc from 'picocolors'
import type { ResolvedScenario } from '../mock-server/index.ts'
import { quoted } from './shell-argument.ts'
import type { ThreadCall } from './vendor-target.ts'

type Tenant = ResolvedScenario['tenants'][number]

/** The deliberate differences of the mock, which should be visible. */
interface NamedOverrides {
  readonly deviate?: readonly string[]
  readonly variant?: readonly string[]
  /** The request that creates threads, if it differs from the mock's own. */
  readonly threads?: ThreadCall | null
  /** The certificate, which may be signed by itself: the printed requests have to trust it. */
  readonly tlsCert?: string
}

export const mockBanner = (
  url: string,
  { tenants }: Pick<ResolvedScenario, 'tenants'>,
  { deviate = [], variant = [], threads = null, tlsCert }: NamedOverrides,
  color: boolean,
): string => {
  const paint = pc.createColors(color)
  const blocks = tenants.map(({ name, apiKeys, assistants }) =>
    [
      `${paint.bold(name)}  ${apiKeys.map(({ value, quota }) => `api-key: ${paint.cyan(value)}${quotaText(quota)}`).join('  ')}`,
      ...assistants.map((assistant) => `  ${assistant.id}  ${assistant.name}${traitsText(assistant)}`),
    ].join('\n'),
  )
  const overrides = [...deviate.map((id) => `violates  ${id}`), ...variant.map((id) => `varies    ${id}`)]
  const told = overrides.map((line) => `${paint.yellow(line)}\n`).join('')
  return `ACS mock on ${paint.bold(url)}  (Ctrl-C stops it)\ninspector ${paint.cyan(`${url}/_acs/ui`)}\n${told}\n${blocks.join('\n')}\n${quotaNote(tenants)}\nTry:\n${firstRequests(url, tenants, threads ?? ownThreads, tlsCert)}\n${refusalNote}`
}

const refusalNote =
  'A rejection has the header x-acs-reason: acs explain <reason> explains it. acs list gaps shows what the contract leaves open.\n'

/** The operations whose errors list rate_limit_gateway, in readable form. */
const quotaNote = (tenants: readonly Tenant[]): string =>
  tenants.some(({ apiKeys }) => apiKeys.some(({ quota }) => quota !== null))
    ? '  The quota counts completions, runs, message requests and my-api-keys, not assistants, files and new threads.\n'
    : ''

const quotaText = (quota: Tenant['apiKeys'][number]['quota']): string =>
  quota === null ? '' : ` (${quota.requests} requests in ${quota.window_seconds} s)`

const traitsText = ({ traits }: Tenant['assistants'][number]): string =>
  traits.length === 0 ? '' : `  (${traits.join('; ')})`

const ownThreads: ThreadCall = { method: 'POST', path: '/v1/threads', body: { assistant_id: '{{assistant_id}}' } }

const firstRequests = (
  url: string,
  tenants: readonly Tenant[],
  { method, path, body: sent }: ThreadCall,
  tlsCert: string | undefined,
): string => {
  const [tenant] = tenants
  const body = {
    assistant_id: tenant?.assistants[0]?.id,
    messages: [{ role: 'user', content: 'Hello' }],
  }
  const headers = `-H 'api-key: ${tenant?.apiKeys[0]?.value ?? ''}' -H 'content-type: application/json'`
  const curl = tlsCert === undefined ? 'curl' : `curl --cacert ${quoted(tlsCert)}`
  const thread = JSON.stringify(sent).replaceAll('{{assistant_id}}', body.assistant_id ?? '')
  const verb = method.toUpperCase() === 'POST' ? '' : ` -X ${method.toUpperCase()}`
  const target = URL.canParse(path) ? new URL(path).pathname : path
  return [
    `  ${curl} -N ${url}/v1/chat/completions/stream ${headers} -d '${JSON.stringify(body)}'`,
    `  ${curl}${verb} ${url}${target} ${headers} -d ${quoted(thread)}   # creates a thread for /v1/threads/{id}/messages and /run`,
  ].join('\n')
}
