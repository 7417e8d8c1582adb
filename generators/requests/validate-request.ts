/**
 * The document's word on a generated request: body and parameters against the schemas of openapi.yaml, by ajv.
 * It reads the parts as a server would, so that proofs need no trust in the generators.
 */
import type { Json, OperationId } from '../../spec/index.ts'
import { type Fault, type SchemaValidator, validatorOf } from '../schema/schema-validator.ts'
import type { RequestParts } from './generated-request.ts'
import { inputsOf, type RequestProfile } from './operation-inputs.ts'

interface RequestFault extends Fault {
  readonly location: 'body' | 'query' | 'header' | 'path'
}

/** A judge of the requests of one operation. */
export function requestValidator(
  operation: OperationId,
  profile?: RequestProfile,
): (parts: RequestParts) => readonly RequestFault[] {
  if (operation === 'uploadFile') return () => []
  const { body, parameters } = inputsOf(operation, profile)
  const bodyJudge = body === null ? null : validatorOf(body.schema)
  const judges = parameters.map((parameter) => ({ ...parameter, judge: validatorOf(parameter.schema) }))
  return (parts) => [
    ...(bodyJudge === null
      ? []
      : faultsOf(bodyJudge, parts.body ?? null).map((fault) => ({ ...fault, location: 'body' as const }))),
    ...judges.flatMap(({ name, in: location, required, schema, judge }) => {
      const text = textOf(parts, location, name)
      if (text === undefined) return required ? [{ pointer: `/${name}`, keyword: 'required', location }] : []
      return faultsOf(judge, parsed(text, schema.type)).map((fault) => ({ ...fault, pointer: `/${name}`, location }))
    }),
  ]
}

function faultsOf(judge: SchemaValidator, value: Json): readonly Fault[] {
  return judge.accepts(value) ? [] : judge.faults(value)
}

function textOf(parts: RequestParts, location: 'query' | 'header' | 'path', name: string): string | undefined {
  if (location === 'path') return parts.path[name]
  return (location === 'query' ? parts.query : parts.headers).find(([other]) => other === name)?.[1]
}

/** The value that a parameter's text stands for; what cannot be read stays a text and fails its type. */
function parsed(text: string, type: unknown): Json {
  if (type === 'integer' && /^-?\d+$/u.test(text)) return Number(text)
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text
}
