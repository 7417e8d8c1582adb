/** Gaps of chapter pagination: open questions about cursors, limits and the end of the list. */
import type { GapRow } from '../gap.ts'

const list = 'Endpoints / GET /v1/threads/{thread_id}/messages'

export const paginationGaps = [
  {
    id: 'pagination.end-signal',
    question: 'What does the cursor of the last page look like?',
    section: 'Resources and their fields / Message page',
    mark: 'not stated',
    answers: ['null', 'absent', 'an empty string', 'a cursor to an empty page'],
    consistency: 'Every walk ends in the same way.',
    mockAnswer: 'null',
    operations: ['listMessages'],
  },
  {
    id: 'pagination.maximum-limit',
    question: 'What is the largest limit, and is a larger one clamped or rejected?',
    section: 'Limits',
    mark: 'not shown',
    answers: ['clamped', 'rejected', 'unlimited'],
    mockAnswer: 'rejected above 1000',
    operations: ['listMessages'],
  },
  {
    id: 'pagination.limit-below-one',
    question: 'How does the service answer a limit of 0 or less?',
    section: list,
    answers: ['rejected', 'an empty page', 'clamped'],
    mockAnswer: 'rejected',
    operations: ['listMessages'],
  },
  {
    id: 'pagination.invalid-cursor',
    question: 'How does the service answer an invented or damaged cursor?',
    section: list,
    answers: ['rejected', 'the first page', 'an empty page'],
    mockAnswer: 'rejected',
    operations: ['listMessages'],
  },
  {
    id: 'pagination.cursor-of-other-thread',
    question: 'How does the service answer a cursor of another thread?',
    section: list,
    answers: ['rejected', 'a page of this thread'],
    consistency: 'Messages of the other thread never show.',
    mockAnswer: 'rejected',
    operations: ['listMessages'],
  },
  {
    id: 'pagination.integer-spelling',
    question: 'Are other spellings of an integer (+5, 05, 5.0) accepted as limit?',
    section: list,
    answers: ['accepted', 'rejected'],
    mockAnswer: 'rejected',
    operations: ['listMessages'],
  },
  {
    id: 'pagination.repeated-parameter',
    question: 'How does the service answer a query parameter that is sent twice?',
    section: list,
    answers: ['the first counts', 'the last counts', 'rejected'],
    mockAnswer: 'rejected',
    operations: ['listMessages'],
  },
  {
    id: 'pagination.null-cursor',
    question: 'How is null written in the query parameter cursor?',
    section: list,
    answers: ['absent', 'empty', 'the word null'],
    mockAnswer: 'absent or empty',
    operations: ['listMessages'],
  },
] as const satisfies readonly GapRow[]
