/** Deviations of chapter errors in the body of an error and in its detail. */

import type { HookOverride } from '../../exchange/hooks.ts'
import { overrideRejection } from '../../overrides/errors.ts'
import {
  dropField,
  type Edit,
  editAt,
  isObject,
  renameField,
  replaceWith,
  withFields,
} from '../../overrides/json-edit.ts'
import { appliesTo, type Where } from '../../overrides/replies.ts'
import { type ErrorCode, errorCodes } from '../../reasons/reason.ts'
import type { Json } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const plain = 'createChatCompletion'

const stream = 'streamChatCompletion'

const completions = [plain, stream] as const

const messages = ['listMessages', 'createMessage'] as const

const runs = ['runThread', 'streamThreadRun'] as const

const otherCodes = (Object.keys(errorCodes) as ErrorCode[]).filter(
  (code) => code !== 'validation_error' && code !== 'unauthorized',
)

const body = (where: Where, edit: Edit): HookOverride => overrideRejection(where, 'any', edit)

const details = (where: Where, edit: Edit): HookOverride => overrideRejection(where, otherCodes, editAt('detail', edit))

export const errorBodies = {
  'errors.body-fields': [
    deviation(
      'errors.body-of-framework',
      'Lets the framework answer faulty completions.',
      body(plain, (json) => editAt('error_code', dropField)(framework(json))),
    ),
    deviation(
      'errors.body-nested',
      'Wraps the error of a streamed completion in error.',
      body(stream, (json) => ({ error: json })),
    ),
    deviation(
      'errors.body-code',
      'Names the error_code of a run code.',
      body('runThread', renameField('error_code', 'code')),
    ),
    deviation(
      'errors.body-of-problem',
      'Answers a refused streamed run with problem details.',
      body('streamThreadRun', (json) => ({
        type: 'about:blank',
        title: isObject(json) ? (json.detail ?? '') : '',
        status: 400,
      })),
    ),
    deviation(
      'errors.body-code-number',
      'Sends the error_code of a list as a number.',
      body('listMessages', editAt('error_code', replaceWith(4040))),
    ),
    deviation(
      'errors.body-message',
      'Names the detail of a refused creation message.',
      body('createMessage', renameField('detail', 'message')),
    ),
    deviation(
      'errors.body-in-array',
      'Sends the error of a streamed run as an array of errors.',
      body('streamThreadRun', (json) => [json]),
    ),
    deviation(
      'errors.body-without-detail',
      'Leaves detail out of every other error on threads.',
      everyOther(messages, editAt('detail', dropField)),
      { trigger: 'every second error' },
    ),
    deviation(
      'errors.run-body-without-detail',
      'Leaves detail out of the errors of runs.',
      body(runs, editAt('detail', dropField)),
    ),
    deviation(
      'errors.list-body-without-detail',
      'Leaves detail out of the errors of lists.',
      body('listMessages', editAt('detail', dropField)),
    ),
  ],
  'errors.detail-is-string': [
    deviation(
      'errors.detail-object',
      'Sends the detail of completions as an object.',
      details(completions, (detail) => ({ message: detail })),
    ),
    deviation(
      'errors.detail-array',
      'Sends every detail on threads as an array.',
      details(messages, (detail) => [{ loc: ['path', 'thread_id'], message: detail, type: 'value_error' }]),
    ),
    deviation(
      'errors.detail-null',
      'Sends a detail of null for runs.',
      details(runs, () => null),
    ),
  ],
  'errors.validation-body-my-keys': [
    deviation(
      'errors.my-keys-error-of-gateway',
      'Lets the gateway answer for the own keys in its own form.',
      body('listMyApiKeys', (json) => ({ message: isObject(json) ? (json.detail ?? '') : '' })),
      { trigger: 'an error of my-api-keys' },
    ),
    deviation(
      'errors.my-keys-error-without-detail',
      'Leaves detail out of the errors of the own keys.',
      body('listMyApiKeys', editAt('detail', dropField)),
      { trigger: 'an error of my-api-keys' },
    ),
  ],
  'errors.rejection-repeatable': [
    deviation(
      'errors.code-alternates',
      'Refuses the same completion as validation_error and as bad_request in turn.',
      everyOther(completions, () => ({ error_code: 'bad_request', detail: 'Bad request' })),
      { trigger: 'the same faulty completion twice' },
    ),
    deviation(
      'errors.code-of-message-alternates',
      'Refuses the same message with its code and with bad_request in turn.',
      everyOther('createMessage', withFields({ error_code: 'bad_request', detail: 'Bad request' })),
      { trigger: 'the same faulty message twice' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'errors'>>

/** The untranslated error body of FastAPI. */
function framework(json: Json): Json {
  return editAt('detail', (detail) => (Array.isArray(detail) ? renameField('*.message', 'msg')(detail) : detail))(json)
}

/** Overrides every second refusal of a world. */
function everyOther(where: Where, edit: Edit): HookOverride {
  return {
    hook: 'body',
    wrap: (next) => {
      let count = 0
      return (json, exchange) => {
        const faithful = next(json, exchange)
        if (exchange.reason === null || !appliesTo(where, exchange.operation)) return faithful
        count += 1
        return count % 2 === 0 ? edit(faithful as Json) : faithful
      }
    },
  }
}
