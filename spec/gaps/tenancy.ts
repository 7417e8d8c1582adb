/** Gaps of chapter tenancy: open questions about keys of a tenant. */
import type { GapRow } from '../gap.ts'

export const tenancyGaps = [
  {
    id: 'tenancy.key-shown',
    question: 'Is the value of a key shown in full or masked?',
    section: 'Resources and their fields / Tenant',
    answers: ['whole', 'masked'],
    consistency: 'All keys of a tenant are shown in the same way.',
    mockAnswer: 'whole',
    operations: ['listMyApiKeys'],
  },
  {
    id: 'tenancy.my-keys-bad-request',
    question: 'Which request to my-api-keys is a bad_request or a validation_error?',
    section: 'Endpoints / GET /v1/tenants/my-api-keys',
    answers: ['<a request>'],
    mockAnswer: 'none',
    operations: ['listMyApiKeys'],
  },
] as const satisfies readonly GapRow[]
