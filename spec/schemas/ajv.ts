/**
 * Configures ajv for schemas that were not compiled ahead of time.
 * It stands apart so that only code that needs ajv loads it.
 */
import { Ajv2020, type Options } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** A strict 2020-12 validator that reports every fault, checks the standard formats and shares nothing with other instances. */
export const createAjv = (options: Options = {}): Ajv2020 => {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, ...options })
  addFormats.default(ajv)
  return ajv
}
