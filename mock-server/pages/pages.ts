/** Answers what lies beside the API: the document, a health check, a page for browsers. */
import { type JsonObject, loadDocument, renderDocument } from '../../spec/index.ts'
import { inspectorHeaders, inspectorPage } from '../inspector/page.ts'
import { exampleIdsOf } from '../worlds/examples.ts'
import type { World } from '../worlds/world.ts'
import { pathOf } from './page-path.ts'
import { startPage } from './start-page.ts'

export interface Page {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The page of a target, for a client that reaches the mock at `origin`; `edit` changes the document. */
export async function pageOf(
  { machine }: World,
  target: string,
  origin: string,
  edit: (document: JsonObject) => JsonObject = (document) => document,
): Promise<Page> {
  const path = pathOf(target)
  if (path === '/healthz') return { headers: { ...json, 'cache-control': 'no-store' }, body: '{"status":"ok"}' }
  if (path.startsWith('/_acs/ui')) return { headers: inspectorHeaders, body: inspectorPage }
  if (path === '/') return { headers: html, body: startPage(machine.scenario, origin) }
  const format = path.endsWith('.json') ? 'json' : 'yaml'
  const clients = { server: origin, examples: exampleIdsOf(machine) }
  const body = renderDocument(edit(await loadDocument({ profile: 'reference', clients })), format)
  return { headers: format === 'json' ? json : { 'content-type': 'application/yaml' }, body }
}

const json = { 'content-type': 'application/json' }
const html = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}
