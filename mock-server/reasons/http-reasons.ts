/**
 * Rows of the reason table that belong to the HTTP shell.
 * They concern keys, worlds, quotas, routes, methods, forms and sizes of requests, and failures of the mock itself.
 */
import type { Reason } from './reason.ts'

export const httpReasons = {
  'missing-key': {
    code: 'unauthorized',
    rule: 'Every endpoint needs the header api-key.',
    section: 'Authentication',
    fix: 'Send one of the keys that `acs mock` printed in the header api-key.',
  },
  'unknown-key': {
    code: 'unauthorized',
    rule: 'The key must be one of a tenant of this world.',
    section: 'Authentication',
    fix: 'Send a key of the scenario, in exactly one api-key header.',
  },
  'unknown-route': {
    code: 'resource_not_found',
    rule: 'No operation has this path.',
    section: 'Endpoints',
    fix: 'Every path starts with /v1 (or /w/<world>/v1); `acs list operations` shows them.',
  },
  'wrong-method': {
    code: 'method_not_allowed',
    rule: 'The path exists, but not with this method.',
    section: 'Endpoints',
    fix: 'Use a method of the response header allow.',
  },
  'malformed-http': {
    code: 'bad_request',
    rule: 'The request is not well-formed HTTP.',
    section: 'Endpoints',
    fix: 'Check the request line, the header syntax and the content length.',
  },
  'unknown-coding': {
    code: 'bad_request',
    rule: 'Request bodies must not have a content-encoding, nor a transfer-encoding other than chunked.',
    section: 'Endpoints',
    fix: 'Send the body without compression.',
  },
  'no-host-header': {
    code: 'bad_request',
    rule: 'HTTP/1.1 requires the header host.',
    section: 'Endpoints',
    fix: 'Send the header host.',
  },
  'unknown-expectation': {
    code: 'bad_request',
    rule: 'The only supported expectation is 100-continue.',
    section: 'Endpoints',
    fix: 'Leave the header expect out.',
  },
  'body-too-large': {
    code: 'validation_error',
    rule: 'The body is larger than the mock accepts.',
    section: 'Limits',
    fix: 'Send less: JSON bodies may have 1 MiB.',
  },
  'request-too-slow': {
    code: 'bad_request',
    rule: 'The request did not arrive within the time limit.',
    section: 'Limits',
    fix: 'Send the headers within 10 s and the whole request within 30 s (the defaults).',
  },
  'mock-failure': {
    code: 'internal_service_error',
    rule: 'The mock itself failed; the journal entry of the exchange tells how.',
    section: 'Errors',
    fix: 'Report it: this is a fault of the mock, not of the request.',
  },
  'scenario-failure': {
    code: 'internal_service_error',
    rule: 'The scenario failed: an answer function threw or returned what breaks the contract, or an expression took too long.',
    section: 'Errors',
    fix: 'Correct the scenario: scenario_fault in the journal entry, and a warning of the mock, name the place.',
  },
  'state-unwritable': {
    code: 'internal_service_error',
    rule: 'The state directory cannot be written, so the mock does not acknowledge the request.',
    section: 'Errors',
    fix: 'Free space on the disk, or make the directory writable; the mock continues by itself.',
  },
  'bad-world-name': {
    code: 'validation_error',
    rule: 'The name of a world has 1 to 64 of the characters A-Z a-z 0-9 . _ -, and is neither . nor ..',
    section: 'Gaps in resources',
    fix: 'Choose another value for x-acs-world, the /w/<world> path or the part of the key after @.',
  },
  'too-many-worlds': {
    code: 'internal_service_error',
    rule: 'The mock keeps a limited number of worlds at once.',
    section: 'Limits',
    fix: 'Destroy worlds that are done with, or raise the limit when starting the mock.',
  },
  'quota-spent': {
    code: 'rate_limit_gateway',
    rule: 'The key has spent its quota for the current window.',
    section: 'Limits',
    fix: 'Wait for the seconds in retry-after, or move the clock of the world.',
  },
  'body-not-json': {
    code: 'validation_error',
    rule: 'The body must be one JSON document in UTF-8.',
    section: 'Endpoints',
    fix: 'Send JSON; check quotes, commas and the encoding.',
  },
  'body-too-complex': {
    code: 'validation_error',
    rule: 'The body is nested deeper, or holds more values, than the mock accepts.',
    section: 'Limits',
    fix: 'Reduce the nesting and the number of values.',
  },
  'invalid-fields': {
    code: 'validation_error',
    rule: 'A field of the request does not fit its schema; detail lists each of them.',
    section: 'Errors',
    fix: 'Correct every entry of detail; loc is the path to the field.',
  },
} as const satisfies Readonly<Record<string, Reason>>
