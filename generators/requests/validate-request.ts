/**
 * Validates a generated request against the schemas of openapi.yaml with ajv.
 * It reads the parts as a server would, so that a test need not trust the generators.
 */
import type { Json, OperationId } from '../../spec/index.ts'
import { type Fault, type SchemaValidator, validatorOf } from '../schema/schema-validator.ts'
import type { RequestParts } from './generated-request.ts'
import { inputsOf, type RequestProfile } from './operation-inputs.ts'

interface RequestFault extends Fault {
  readonly location: 'body' | 'query' | 'header' | 'path'
}

/** A validator for the requests of one operation. */
export function requestValidator(
  operation: OperationId,
  profile?: RequestProfile,
): (parts: RequestParts) => readonly RequestFault[] {
  if (operation === 'uploadFile') return () => []
  const { body, parameters } = inputsOf(operation, profile)
  const bodyValidator = body === null ? null : validatorOf(body.schema)
  const validators = parameters.map((parameter) => ({ ...parameter, validator: validatorOf(parameter.schema) }))
  return (parts) => [
    ...(bodyValidator === null
      ? []
      : faultsOf(bodyValidator, parts.body ?? null).map((fault) => ({ ...fault, location: 'body' as const }))),
    ...validators.flatMap(({ name, in: location, required, schema, validator }) => {
      const text = textOf(parts, location, name)
      if (text === undefined) return required ? [{ pointer: `/${name}`, keyword: 'required', location }] : []
      return faultsOf(validator, parsed(text, schema.type)).map((fault) => ({
        ...fault,
        pointer: `/${name}`,
        location,
      }))
    }),
  ]
}

function faultsOf(validator: SchemaValidator, value: Json): readonly Fault[] {
  return validator.accepts(value) ? [] : validator.faults(value)
}

function textOf(parts: RequestParts, location: 'query' | 'header' | 'path', name: string): string | undefined {
  if (location === 'path') return parts.path[name]
  return (location === 'query' ? parts.query : parts.headers).find(([other]) => other === name)?.[1]
}

/** The value of a parameter's text; unreadable text stays a string and fails its type. */
function parsed(text: string, type: unknown): Json {
  if (type === 'integer' && /^-?\d+$/u.test(text)) return Number(text)
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text
}
