/** Gaps of chapter assistants: open questions about assistant records. */
import type { GapRow } from '../gap.ts'

export const assistantsGaps = [
  {
    id: 'assistants.unknown-error',
    question:
      'Which error answers a request for an unknown or foreign assistant? Authentication names assistant_not_available, but the table of errors does not list it here.',
    section: 'Authentication',
    mark: 'not shown',
    answers: ['assistant_not_available', 'resource_not_found', '<another code>'],
    consistency: 'An unknown and a foreign assistant are answered alike.',
    mockAnswer: 'assistant_not_available',
    operations: ['getAssistant'],
  },
  {
    id: 'assistants.list-order',
    question: 'In which order are assistants listed?',
    section: 'Endpoints / GET /v1/assistants',
    answers: ['stable', 'not stable'],
    mockAnswer: 'stable',
    operations: ['listAssistants'],
  },
  {
    id: 'assistants.required-field-paths',
    question: 'Which paths besides __root__ and user_data may request_required_fields contain?',
    section: 'Resources and their fields / Assistant',
    answers: ['none', '<paths>'],
    mockAnswer: 'none',
    operations: ['listAssistants'],
  },
] as const satisfies readonly GapRow[]
