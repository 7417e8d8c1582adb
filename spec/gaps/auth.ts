/** Gaps of chapter auth: open questions about missing and unknown keys. */
import type { GapRow } from '../gap.ts'

/** One operation of each kind; the others check the key in the same place. */
const oneOfEachKind = [
  'createChatCompletion',
  'listMessages',
  'listAssistants',
  'createUploadGrant',
  'listMyApiKeys',
] as const

export const authGaps = [
  {
    id: 'auth.missing-key',
    question: 'How does the service answer a request without a key?',
    section: 'Authentication',
    mark: 'not shown',
    answers: ['<status and error_code>'],
    consistency: 'Every operation answers a missing key in the same way.',
    mockAnswer: '401 unauthorized',
    operations: oneOfEachKind,
  },
  {
    id: 'auth.unknown-key',
    question: 'How does the service answer a request with an unknown key?',
    section: 'Authentication',
    mark: 'not shown',
    answers: ['<status and error_code>'],
    consistency: 'Every operation answers an unknown key in the same way.',
    mockAnswer: '401 unauthorized',
    operations: oneOfEachKind,
  },
  {
    id: 'auth.other-places',
    question: 'Does a key in another place (bearer token, query) authorize a request?',
    section: 'Authentication',
    answers: ['no', 'yes'],
    mockAnswer: 'no',
    operations: ['listAssistants'],
  },
] as const satisfies readonly GapRow[]
