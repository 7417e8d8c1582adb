/**
 * Legal ways to report upstream failures. No request brings these errors about, so the profile says how; an
 * answer that came too late may have been paid for, so the service claims no tools, which leaves a model call for it.
 */
import { type ConformanceLevel, conformanceLevels } from '../../spec/index.ts'
import { overrideErrorBody } from '../overrides/errors.ts'
import { overrideHeaders, overrideStatus } from '../overrides/heads.ts'
import type { ProfilePatch, Variant } from './variant.ts'

const codes = ['api_timeout_error', 'internal_service_error', 'bad_request', 'tenant_not_found'] as const

const provoked: ProfilePatch = {
  claims: conformanceLevels.filter((level: ConformanceLevel) => level !== 'tools'),
  provoke: Object.fromEntries(codes.map((code) => [code, { headers: { 'x-acs-fault': code } }])),
}

export const troubleVariants: readonly Variant[] = [
  {
    id: 'errors.troubles-are-500',
    because: 'errors.status-of-code',
    description: 'Whatever goes wrong behind the service has status 500.',
    overrides: [overrideStatus((status) => (status > 500 ? 500 : status))],
    profile: provoked,
  },
  {
    id: 'errors.troubles-under-200',
    because: 'errors.status-of-code',
    description: 'Only the body identifies an error, also one of a backing service.',
    overrides: [overrideStatus((status) => (status >= 400 ? 200 : status))],
    profile: provoked,
  },
  {
    id: 'errors.troubles-in-own-words',
    because: { freedom: 'The table of errors does not say that its texts are exact.' },
    description: 'Errors carry a number to quote and the time at which to come back.',
    departsFrom: ['errors.detail-text'],
    overrides: [
      overrideErrorBody((sent) =>
        typeof sent.detail === 'string' ? { ...sent, detail: `${sent.detail} [7f3a]` } : sent,
      ),
      overrideHeaders((headers) => ({ ...headers, 'x-request-id': '7f3a' })),
    ],
    profile: provoked,
  },
]
