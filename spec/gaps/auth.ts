/** What the contract leaves open about the missing and the unknown key. */
import type { Gap } from '../gap.ts'

export const authGaps = [
  {
    id: 'auth.missing-key',
    question: 'What does a request without a key get?',
    section: 'Authentication',
    mark: 'not shown',
    answers: ['<status and error_code>'],
    consistency: 'Every operation answers a missing key in the same way.',
    mockAnswer: '401 unauthorized',
    operations: ['createChatCompletion', 'listMessages', 'listAssistants', 'createUploadGrant', 'listMyApiKeys'],
  },
  {
    id: 'auth.unknown-key',
    question: 'What does a request with an unknown key get?',
    section: 'Authentication',
    mark: 'not shown',
    answers: ['<status and error_code>'],
    consistency: 'Every operation answers an unknown key in the same way.',
    mockAnswer: '401 unauthorized',
    operations: ['createChatCompletion', 'listMessages', 'listAssistants', 'createUploadGrant', 'listMyApiKeys'],
  },
  {
    id: 'auth.other-places',
    question: 'Does a key that is sent in another place (bearer token, query) authorize a request?',
    section: 'Authentication',
    mark: 'silent',
    answers: ['no', 'yes'],
    consistency: null,
    mockAnswer: 'no',
    operations: ['listAssistants'],
  },
] as const satisfies readonly Gap[]
