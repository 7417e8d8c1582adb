/** What `acs mock` says when it is up: the URL, the demo keys, the assistants of each, and a first request to copy. */
import pc from 'picocolors'

/** What the banner needs to know of a scenario. */
export interface BannerScenario {
  readonly tenants: readonly {
    readonly name: string
    readonly keys: readonly { readonly key: string; readonly quota?: { readonly requests: number } }[]
    readonly assistants: readonly {
      readonly id: string
      readonly name: string
      readonly streaming: boolean
      readonly requiredFields: readonly string[]
    }[]
  }[]
}

export const mockBanner = (url: string, { tenants }: BannerScenario, color: boolean): string => {
  const paint = pc.createColors(color)
  const blocks = tenants.map(({ name, keys, assistants }) =>
    [
      `${paint.bold(name)}  ${keys.map(({ key, quota }) => `api-key: ${paint.cyan(key)}${quotaText(quota)}`).join('  ')}`,
      ...assistants.map((assistant) => `  ${assistant.id}  ${assistant.name}${traits(assistant)}`),
    ].join('\n'),
  )
  return `ACS mock on ${paint.bold(url)}  (Ctrl-C stops it)\n\n${blocks.join('\n')}\n\nTry:\n${firstRequest(url, tenants)}\n`
}

const quotaText = (quota: { readonly requests: number } | undefined): string =>
  quota === undefined ? '' : ` (${quota.requests} requests a window)`

const traits = (assistant: BannerScenario['tenants'][number]['assistants'][number]): string => {
  const told = [
    ...(assistant.streaming ? [] : ['does not stream']),
    ...(assistant.requiredFields.length === 0 ? [] : [`requires ${assistant.requiredFields.join(', ')}`]),
  ]
  return told.length === 0 ? '' : `  (${told.join('; ')})`
}

const firstRequest = (url: string, tenants: BannerScenario['tenants']): string => {
  const [tenant] = tenants
  const body = {
    assistant_id: tenant?.assistants[0]?.id,
    messages: [{ role: 'user', content: 'Hello' }],
  }
  return `  curl -N ${url}/v1/chat/completions/stream -H 'api-key: ${tenant?.keys[0]?.key ?? ''}' -H 'content-type: application/json' -d '${JSON.stringify(body)}'`
}
