/** Renders a document as YAML or JSON. Apart from the document, so that a bundle without YAML needs no YAML library. */
import { createRequire } from 'node:module'
import type { JsonObject } from './json.ts'

/** The text of a document. The YAML also means the same in YAML 1.1, where a bare timestamp would be a date. */
export const renderDocument = (document: JsonObject, format: 'yaml' | 'json'): string => {
  if (format === 'json') return `${JSON.stringify(document, null, 2)}\n`
  // Required here and not imported at the top: most runs never write YAML and should not load the library.
  const { stringify } = createRequire(import.meta.url)('yaml') as typeof import('yaml')
  return stringify(document, { lineWidth: 120, aliasDuplicateObjects: false, compat: 'yaml-1.1' })
}
