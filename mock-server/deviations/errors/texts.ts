/** Deviations of chapter errors in the texts of details, and in the operations on which a code appears. */
import { errorTable } from '../../../spec/index.ts'
import { overrideRejection } from '../../overrides/errors.ts'
import { type Edit, editAt, isObject } from '../../overrides/json-edit.ts'
import type { ErrorCode } from '../../reasons/reason.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'
import { fails } from './now-and-then.ts'

/** Words a text otherwise; a list of field errors stays. */
const reworded =
  (text: (code: string, detail: string) => string): Edit =>
  (json) =>
    isObject(json) && typeof json.detail === 'string'
      ? { ...json, detail: text(String(json.error_code), json.detail) }
      : json

const exceptionOf = (code: string): string =>
  `${code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Exception`

const asTimeout = { error_code: 'api_timeout_error', detail: errorTable.api_timeout_error.detail }
const asInternal = { error_code: 'internal_service_error', detail: errorTable.internal_service_error.detail }

export const errorTexts = {
  'errors.detail-text': [
    deviation(
      'errors.details-of-program',
      'Sends the name of the exception as the detail of every code.',
      overrideRejection('any', 'any', reworded(exceptionOf)),
    ),
    deviation(
      'errors.detail-repeats-code',
      'Sends the code of an error on messages again as its detail.',
      overrideRejection(
        ['listMessages', 'createMessage'],
        'any',
        reworded((code) => code),
      ),
    ),
    deviation(
      'errors.thread-not-found-in-short',
      'Says of a thread that is not found that it is gone.',
      overrideRejection(
        'any',
        'thread_not_found' satisfies ErrorCode,
        editAt('detail', () => 'Gone'),
      ),
    ),
  ],
  'errors.listed-where': [
    deviation(
      'errors.list-times-out',
      'Times every fifth list of messages out as if a model had been asked.',
      fails('listMessages', 5, asTimeout),
      { trigger: 'every fifth list' },
    ),
    deviation(
      'errors.my-keys-internal-error',
      'Fails every third my-api-keys request as an internal service.',
      fails('listMyApiKeys', 3, asInternal),
      { trigger: 'every third my-api-keys request' },
    ),
  ],
} as const satisfies Pick<DeviationTable<'errors'>, 'errors.detail-text' | 'errors.listed-where'>
