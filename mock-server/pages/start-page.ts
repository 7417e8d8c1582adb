/**
 * Writes the page that a browser sees at the root of the mock. It has no script, and tells only the keys of the built-in
 * scenario, which are public.
 */
import { defaultScenario } from '../scenario/default-scenario.ts'
import type { ResolvedScenario, Tenant } from '../scenario/resolved-scenario.ts'

/** The page as HTML. Names of the scenario are data. */
export function startPage({ name, tenants, source }: ResolvedScenario, origin: string): string {
  const showsKeys = source === defaultScenario
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>ACS mock</title>
</head>
<body>
<main>
<h1>ACS mock</h1>
<p>A mock of the Assistant Conversation Service at <code>${escaped(origin)}</code>, with the scenario ${escaped(name)}. Every
request below <code>/v1</code> needs the header <code>api-key</code>; <code>acs mock</code> prints the keys when it starts.</p>
<h2>Where things are</h2>
<ul>
<li>The API document with the URL and ids of this mock: <a href="/openapi.json">/openapi.json</a>, <a href="/openapi.yaml">/openapi.yaml</a></li>
<li>Inspector: <a href="/_acs/ui">/_acs/ui</a> shows worlds, threads, live exchanges, clock and faults, with a chat</li>
<li>Admin API, the same functions for programs on this machine: <a href="/_acs">/_acs</a></li>
<li>Health: <a href="/healthz">/healthz</a></li>
<li>Documentation: <code>docs/mock.md</code> and <code>docs/clients.md</code> of acs-kit</li>
</ul>
<h2>Tenants and their assistants</h2>
${tenants.map((tenant) => tenantList(tenant, showsKeys)).join('\n')}
</main>
</body>
</html>
`
}

function tenantList({ name, apiKeys, assistants }: Tenant, showsKeys: boolean): string {
  const keys = showsKeys ? apiKeys.map((key) => `<li>${keyText(key)}</li>`) : []
  const items = assistants.map(
    ({ id, name: called, traits }) => `<li><code>${escaped(id)}</code> ${escaped(called + inBrackets(traits))}</li>`,
  )
  return `<h3>${escaped(name)}</h3>\n<ul>\n${[...keys, ...items].join('\n')}\n</ul>`
}

function keyText({ value, quota }: Tenant['apiKeys'][number]): string {
  const limits = quota === null ? [] : [`${quota.requests} requests in ${quota.window_seconds} s`]
  return `<code>api-key: ${escaped(value)}</code>${escaped(inBrackets(limits))}`
}

function inBrackets(phrases: readonly string[]): string {
  return phrases.length === 0 ? '' : ` (${phrases.join('; ')})`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
