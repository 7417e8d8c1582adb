/** Rows of the reason table that belong to HTTP itself: routes, methods, forms and sizes of requests. */
import type { Reason } from '../machine/rejection-reasons.ts'

export const httpReasons = {
  'http.unknown-route': {
    code: 'resource_not_found',
    rule: 'No operation has this path.',
    section: 'Endpoints',
    fix: 'Every path starts with /v1 (or /w/<world>/v1); `acs list operations` shows them.',
  },
  'http.wrong-method': {
    code: 'method_not_allowed',
    rule: 'The path exists, but not with this method.',
    section: 'Endpoints',
    fix: 'Use a method of the response header allow.',
  },
  'http.malformed': {
    code: 'bad_request',
    rule: 'The request is not well-formed HTTP.',
    section: 'Endpoints',
    fix: 'Check the request line, the header syntax and the content length.',
  },
  'http.unknown-coding': {
    code: 'bad_request',
    rule: 'Bodies come as they are: no content-encoding, and no transfer-encoding but chunked.',
    section: 'Endpoints',
    fix: 'Send the body without compression.',
  },
  'http.no-host': {
    code: 'bad_request',
    rule: 'HTTP/1.1 asks for the header host.',
    section: 'Endpoints',
    fix: 'Send the header host.',
  },
  'http.unknown-expectation': {
    code: 'bad_request',
    rule: 'The only expectation that HTTP knows is 100-continue.',
    section: 'Endpoints',
    fix: 'Leave the header expect out.',
  },
  'http.too-large': {
    code: 'validation_error',
    rule: 'The body is larger than the mock takes.',
    section: 'Limits',
    fix: 'Send less: JSON bodies may have 1 MiB.',
  },
  'http.too-slow': {
    code: 'bad_request',
    rule: 'The request did not arrive within the time limit.',
    section: 'Limits',
    fix: 'Send the head and the body without long pauses.',
  },
} as const satisfies Readonly<Record<string, Reason>>
