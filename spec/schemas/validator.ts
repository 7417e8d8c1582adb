/**
 * Validates values against the schemas.
 * Schemas of the built-in profiles are compiled ahead of time, so that a start needs no compiler; other schemas are compiled on demand.
 */
import type { BuiltInProfile } from '../document/document.ts'
import type { JsonObject } from '../document/json.ts'
import type { CompiledSchema, SchemaFault } from './compiled-schema.ts'
import { contractValidators } from './contract-validators.generated.ts'
import { referenceValidators } from './reference-validators.generated.ts'

/** Lists every violation of the schema; empty for a valid value. Never changes the value. */
export type Validator = (value: unknown) => readonly SchemaFault[]

/** What can be validated: `<operationId>.<part>`, `<operationId>.<in>.<parameter>`, or the name of a component schema. */
export type ValidatorName<P extends BuiltInProfile = BuiltInProfile> = P extends 'contract'
  ? keyof typeof contractValidators
  : keyof typeof referenceValidators

/** The compiled validator of a schema of a built-in profile. */
export const validatorFor = <P extends BuiltInProfile = 'contract'>(name: ValidatorName<P>, profile?: P): Validator => {
  const validators: Readonly<Record<string, CompiledSchema>> =
    profile === 'reference' ? referenceValidators : contractValidators
  const validate = validators[name as string]
  if (validate === undefined) throw new TypeError(`no schema ${String(name)} in the profile ${profile ?? 'contract'}`)
  return faultsOf(validate)
}

/** A validator for any JSON Schema 2020-12. Throws when the schema cannot be compiled. */
export const compileValidator = async (schema: JsonObject | boolean): Promise<Validator> => {
  const { createAjv } = await import('./ajv.ts')
  return faultsOf(createAjv().compile(schema))
}

const faultsOf =
  (validate: CompiledSchema): Validator =>
  (value) =>
    validate(value) ? [] : (validate.errors ?? []).filter(isNoAttempt)

/** ajv also reports each element that fails a `contains`; only the failure of `contains` itself counts. */
const isNoAttempt = (fault: SchemaFault): boolean => !fault.schemaPath.includes('/contains/')
