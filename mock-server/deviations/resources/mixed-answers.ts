/** Deviations in which an answer is made from a question of another conversation. */
import { bothRuns, completionOperations } from '../../../spec/index.ts'
import { answersAbout, sameTenant } from '../../overrides/other-questions.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

export const mixedAnswers = {
  'resources.answer-to-own-question': [
    deviation(
      'resources.run-answers-another-thread',
      'Runs answer the question of the oldest other thread of the tenant.',
      answersAbout(bothRuns, sameTenant, (_content, other) => `You said: ${other}`),
      { trigger: 'a tenant with another thread' },
    ),
    deviation(
      'resources.completion-answers-another-thread',
      'Completions answer the question of the oldest other thread of the tenant.',
      answersAbout(completionOperations, sameTenant, (_content, other) => `You said: ${other}`),
      { trigger: 'a tenant with another thread' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'resources'>>
