/**
 * Writes what `acs mock` prints when it is ready. This is the URL, the demo keys, the assistants of each, and a first
 * request to copy.
 */
import pc from 'picocolors'
import type { ResolvedScenario } from '../mock-server/index.ts'

type Tenant = ResolvedScenario['tenants'][number]

/** How the mock differs on purpose: it should be seen that something is wrong with it. */
interface NamedOverrides {
  readonly deviate?: readonly string[]
  readonly variant?: readonly string[]
}

export const mockBanner = (
  url: string,
  { tenants }: Pick<ResolvedScenario, 'tenants'>,
  { deviate = [], variant = [] }: NamedOverrides,
  color: boolean,
): string => {
  const paint = pc.createColors(color)
  const blocks = tenants.map(({ name, apiKeys, assistants }) =>
    [
      `${paint.bold(name)}  ${apiKeys.map(({ value, quota }) => `api-key: ${paint.cyan(value)}${quotaText(quota)}`).join('  ')}`,
      ...assistants.map((assistant) => `  ${assistant.id}  ${assistant.name}${traits(assistant)}`),
    ].join('\n'),
  )
  const overrides = [...deviate.map((id) => `violates  ${id}`), ...variant.map((id) => `varies    ${id}`)]
  const told = overrides.map((line) => `${paint.yellow(line)}\n`).join('')
  return `ACS mock on ${paint.bold(url)}  (Ctrl-C stops it)\ninspector ${paint.cyan(`${url}/_acs/ui`)}\n${told}\n${blocks.join('\n')}\n\nTry:\n${firstRequest(url, tenants)}\n`
}

const quotaText = (quota: Tenant['apiKeys'][number]['quota']): string =>
  quota === null ? '' : ` (${quota.requests} requests in ${quota.window_seconds} s)`

const traits = (assistant: Tenant['assistants'][number]): string => {
  const told = [
    ...(assistant.streaming ? [] : ['does not stream']),
    ...requiredFields(assistant.requiredFields).map((field) => `requires ${field}`),
  ]
  return told.length === 0 ? '' : `  (${told.join('; ')})`
}

/** `user_data` and its `licence` are one field to a person: `user_data.licence`. */
const requiredFields = (byPath: Tenant['assistants'][number]['requiredFields']): readonly string[] =>
  Object.entries(byPath).flatMap(([path, fields]) =>
    path === '__root__' ? fields.filter((field) => !(field in byPath)) : fields.map((field) => `${path}.${field}`),
  )

const firstRequest = (url: string, tenants: readonly Tenant[]): string => {
  const [tenant] = tenants
  const body = {
    assistant_id: tenant?.assistants[0]?.id,
    messages: [{ role: 'user', content: 'Hello' }],
  }
  return `  curl -N ${url}/v1/chat/completions/stream -H 'api-key: ${tenant?.apiKeys[0]?.value ?? ''}' -H 'content-type: application/json' -d '${JSON.stringify(body)}'`
}
