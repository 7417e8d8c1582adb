/** Deviations of chapter tenancy in which answers hold texts of another tenant. */
import { bothRuns, completionOperations } from '../../../spec/index.ts'
import { answersAbout, otherTenant } from '../../overrides/other-questions.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

export const leakingAnswers = {
  'tenancy.answers-are-own': [
    deviation(
      'tenancy.answers-remember-others',
      'Adds to an answer what another tenant has asked first.',
      answersAbout(
        [...completionOperations, ...bothRuns],
        otherTenant,
        (content, other) => `${content} Others asked: ${other}`,
      ),
      { trigger: 'a question of another tenant' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'tenancy'>>
