/** Rows of the reason table that belong to the admin API. */
import type { Reason } from './reason.ts'

export const adminReasons = {
  'admin-not-allowed': {
    code: 'unauthorized',
    rule: 'The admin API is open on this machine only; with a token it is open to every caller that has the token.',
    section: 'Authentication',
    fix: 'Start the mock with --admin-token and send the token as `authorization: Bearer <token>`.',
  },
  'admin-unknown-path': {
    code: 'resource_not_found',
    rule: 'The admin API has no such path.',
    section: 'Endpoints',
    fix: 'GET /_acs lists its paths.',
  },
  'admin-wrong-method': {
    code: 'method_not_allowed',
    rule: 'The admin path exists, but not with this method.',
    section: 'Endpoints',
    fix: 'GET /_acs lists paths with their methods.',
  },
  'admin-invalid-fields': {
    code: 'validation_error',
    rule: 'A field of the admin request is not what it should be; detail lists each of them.',
    section: 'Errors',
    fix: 'Correct every entry of detail; GET /_acs shows the fields of each path.',
  },
  'admin-body-too-large': {
    code: 'bad_request',
    rule: 'The body is larger than the admin API accepts.',
    section: 'Limits',
    fix: 'Send less: bodies of admin requests may have 16 MiB. Export and import worlds one by one.',
  },
  'admin-not-found': {
    code: 'resource_not_found',
    rule: 'There is no world, snapshot, fault rule, thread or exchange of that name, id or number.',
    section: 'Errors',
    fix: 'GET /_acs/worlds, its journal and contents, and GET /_acs/faults/rules list what there is; a world is made by its first request or by POST /_acs/worlds.',
  },
  'admin-not-running': {
    code: 'resource_not_found',
    rule: 'No running exchange of this world has the id, or it does not support this action.',
    section: 'Errors',
    fix: 'GET /_acs/events tells what runs; only streams have chunks to drop.',
  },
} as const satisfies Readonly<Record<string, Reason>>
