/** The one set-up of ajv, for schemas that were not compiled ahead of time; apart, so that only those who need it load ajv. */
import { Ajv2020, type Options } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** A strict 2020-12 validator that reports every fault, knows the standard formats and shares nothing with other instances. */
export const createAjv = (options: Options = {}): Ajv2020 => {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, ...options })
  addFormats.default(ajv)
  return ajv
}
