/** Gaps of chapter resources: open questions about ids and threads. */
import type { GapRow } from '../gap.ts'

export const resourcesGaps = [
  {
    id: 'resources.uuid-spelling',
    question: 'Are other spellings of a UUID (upper case, without hyphens, urn:uuid:) accepted in requests?',
    section: 'Resources and their fields',
    answers: ['accepted', 'rejected'],
    mockAnswer: 'upper case accepted, the others rejected',
    operations: ['createChatCompletion', 'listMessages'],
  },
  {
    id: 'resources.thread-record',
    question: 'Which fields does a thread have?',
    section: 'Resources and their fields / Gaps in resources',
    mark: 'not shown',
    answers: ['<fields>'],
    consistency: 'Its id is the thread_id of its messages.',
    mockAnswer: 'id, assistant_id, created_at',
  },
  {
    id: 'resources.stamps-and-date',
    question: 'How far is the created_at of a new resource from the Date header of the same response?',
    section: 'Resources and their fields',
    answers: ['the same time', '<hours> h ahead', '<hours> h behind', 'another time'],
    consistency: 'All answers agree; whole quarters of an hour are the mark of a local time that is written as UTC.',
    mockAnswer: 'the same time',
    operations: ['createMessage', 'createChatCompletion', 'runThread'],
  },
] as const satisfies readonly GapRow[]
