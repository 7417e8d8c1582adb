/** Gaps of chapter resources: open questions about ids and threads. */
import type { Gap } from '../gap.ts'

export const resourcesGaps = [
  {
    id: 'resources.uuid-spelling',
    question: 'Are other spellings of a UUID (upper case, without hyphens, urn:uuid:) accepted in requests?',
    section: 'Resources and their fields',
    mark: 'silent',
    answers: ['accepted', 'rejected'],
    consistency: null,
    mockAnswer: 'upper case accepted, the others rejected',
    operations: ['createChatCompletion', 'listMessages'],
  },
  {
    id: 'resources.thread-record',
    question: 'Which fields has a thread?',
    section: 'Resources and their fields / Gaps in resources',
    mark: 'not shown',
    answers: ['<fields>'],
    consistency: 'Its id is the thread_id of its messages.',
    mockAnswer: 'id, assistant_id, created_at',
    operations: [],
  },
] as const satisfies readonly Gap[]
