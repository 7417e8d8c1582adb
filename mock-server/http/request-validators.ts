/**
 * The request side of the document as ready validators: body and parameters of every operation, reference profile.
 * The rules are only in spec/; this file adds the conversion of header and query texts to typed values.
 */
import type { OperationId } from '../../spec/index.ts'
import { parametersOf, type Validator, validatorFor } from '../../spec/index.ts'
import type { FieldFault } from '../reasons/reason.ts'
import { fieldFaults } from './field-errors.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly type: unknown
  readonly validate: Validator
}

type ValidatorNames = Parameters<typeof validatorFor<'reference'>>[0]

/** The query and header parameters of an operation; a path parameter that does not fit is an unknown resource instead. */
export function checkedParameters(operation: OperationId): readonly Parameter[] {
  return parametersOf(operation, 'reference')
    .filter((parameter) => parameter.in !== 'path')
    .map((parameter) => ({
      ...parameter,
      type: parameter.schema.type,
      validate: validatorFor(`${operation}.${parameter.in}.${parameter.name}` as ValidatorNames, 'reference'),
    }))
}

/** The validator of an operation's body. */
export function bodyValidator(operation: OperationId & BodyOperation): Validator {
  return validatorFor(`${operation}.request`, 'reference')
}

/** Operations that take a JSON body. */
export type BodyOperation =
  | 'createChatCompletion'
  | 'streamChatCompletion'
  | 'streamChatCompletionEvents'
  | 'runThread'
  | 'streamThreadRun'
  | 'createMessage'
  | 'createThread'

/** A parameter's text as a value of its type; text that does not read as one stays text and fails its schema. */
export function typedValue(parameter: Parameter, text: string): unknown {
  if (parameter.type === 'integer' && /^-?(?:0|[1-9]\d{0,299})$/.test(text)) return Number(text)
  if (parameter.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** The problem with a parameter. */
export function parameterFaults(parameter: Parameter, value: unknown): readonly FieldFault[] {
  if (value === undefined) {
    if (!parameter.required) return []
    return [{ loc: [parameter.in, parameter.name], message: 'is required', type: 'missing' }]
  }
  const found = parameter.validate(value)
  return found.length === 0 ? [] : fieldFaults([parameter.in, parameter.name], value, found)
}
