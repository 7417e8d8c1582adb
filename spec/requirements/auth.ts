/** Requirements of chapter auth: the api-key header. */

import { everyOperation, owedByEach } from '../operation-groups.ts'
import type { RequirementRow } from '../requirement.ts'

export const auth = [
  {
    id: 'auth.key-required',
    basis: 'stated',
    rule: 'A request without the api-key header never gets the success response.',
    section: 'Authentication',
    owedBy: owedByEach(everyOperation),
    fix: 'Before anything else, look up the owner of the api-key; reject the request if the header is missing or the key has no owner.',
  },
  {
    id: 'auth.unknown-key-refused',
    basis: 'stated',
    rule: 'A request whose api-key belongs to no tenant never gets the success response.',
    section: 'Authentication',
    owedBy: owedByEach(everyOperation),
    fix: 'Look the key up, and reject the request if no tenant owns it.',
  },
  {
    id: 'auth.header-name-any-case',
    basis: 'convention',
    rule: 'The name of the api-key header is matched without regard to case, as HTTP asks (RFC 9110, 5.1).',
    section: 'Authentication',
    owedBy: owedByEach(['listAssistants']),
    fix: 'Use the header access of the HTTP library, which ignores case.',
  },
  {
    id: 'auth.key-names-tenant',
    basis: 'stated',
    rule: 'The key decides whose data is served: keys of two tenants read two tenant records, keys of one tenant the same one.',
    section: 'Authentication',
    owedBy: owedByEach(['listMyApiKeys']),
    needs: ['tenancy'],
    fix: 'Derive the tenant from the key on every request, never from a cache shared by tenants, and list all keys of the tenant.',
  },
] as const satisfies readonly RequirementRow[]
