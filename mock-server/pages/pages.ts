/** Answers requests beside the API: the document, a health check, a page for browsers. */
import { type JsonObject, loadDocument, renderDocument } from '../../spec/index.ts'
import { inspectorHeaders, inspectorPage } from '../inspector/page.ts'
import { exampleIdsOf } from '../worlds/examples.ts'
import type { WorldRegistry } from '../worlds/world-registry.ts'
import { pathOf, worldDocumentOf } from './page-path.ts'
import { startPage } from './start-page.ts'

export interface Page {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The page of a target, for a client that reaches the mock at `origin`; `edit` changes the document. */
export async function pageOf(
  book: WorldRegistry,
  target: string,
  origin: string,
  edit: (document: JsonObject) => JsonObject = (document) => document,
): Promise<Page> {
  const named = worldDocumentOf(target)
  const path = named?.path ?? pathOf(target)
  // A document makes no world, so it shows the ids of the main one until there is one.
  const { machine } = (named === null ? undefined : book.get(named.world)) ?? book.main
  if (path === '/healthz') return { headers: { ...json, 'cache-control': 'no-store' }, body: '{"status":"ok"}' }
  if (path.startsWith('/_acs/ui')) return { headers: inspectorHeaders, body: inspectorPage }
  if (path === '/') return { headers: html, body: startPage(machine.scenario, origin) }
  const format = path.endsWith('.json') ? 'json' : 'yaml'
  const server = named === null ? origin : `${origin}/w/${named.world}`
  const clients = { server, examples: exampleIdsOf(machine) }
  const body = renderDocument(edit(await loadDocument({ profile: 'reference', clients })), format)
  return { headers: format === 'json' ? json : { 'content-type': 'application/yaml' }, body }
}

const json = { 'content-type': 'application/json' }
const html = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}
