/** Requirements of chapter http: what holds for every request and response. */

import { documentOperations, everyOperation, owedByEach } from '../operation-groups.ts'
import type { RequirementRow } from '../requirement.ts'

export const http = [
  {
    id: 'http.operation-served',
    basis: 'stated',
    rule: 'A request that meets every rule of its operation gets the success response of that operation.',
    section: 'Endpoints',
    owedBy: owedByEach(everyOperation),
    fix: 'Serve the operation under its path below the base URL and accept every request that the contract allows.',
  },
  {
    id: 'http.versioned-path',
    basis: 'stated',
    rule: 'Every endpoint is found under a path that starts with the version, /v1.',
    section: 'Versioning',
    owedBy: owedByEach(everyOperation),
    fix: 'Mount all routes below /v1, and serve each path as the contract spells it, without a redirect.',
  },
  {
    id: 'http.json-response',
    basis: 'stated',
    rule: 'The body of a response that is not a stream is one JSON document.',
    section: 'Endpoints',
    owedBy: owedByEach(documentOperations),
    fix: 'Send exactly one JSON document, in UTF-8, and nothing around it.',
  },
  {
    id: 'http.json-request',
    basis: 'implied',
    rule: 'A JSON request body means the same in every valid representation: other key order, white space, escape sequences.',
    section: 'Endpoints',
    owedBy: { createMessage: ['key-order', 'whitespace', 'escapes'] },
    fix: 'Read request bodies with a conforming JSON parser; do not match on the text.',
  },
  {
    id: 'http.deprecation',
    level: 'may',
    basis: 'stated',
    rule: 'Deprecation and further versions follow rules that the contract does not give.',
    section: 'Versioning',
    owedBy: {},
    excluded: 'The contract names no rule that a server could break.',
  },
  {
    id: 'http.no-webhooks',
    level: 'may',
    basis: 'stated',
    rule: 'Events reach a client only through the NDJSON streams; there is no other delivery.',
    section: 'Events',
    owedBy: {},
    excluded: 'The absence of a mechanism cannot be seen from outside, and offering one breaks nothing.',
  },
] as const satisfies readonly RequirementRow[]
