/** Makes validators of ajv. It stands apart so that no type of ajv is in the types of the package. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import type { ValidatorOptions } from './validator-options.ts'

/** The URI of the root of a schema without `$id`. */
export const rootUri = 'https://root.invalid/schema'

// ajv-formats is CommonJS: NodeNext types its callable as `default.default`.
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => Ajv2020

/** A new ajv with our settings; new each time, because ajv keeps every `$id`. */
export function createAjv(options: ValidatorOptions = {}, allErrors = false): Ajv2020 {
  const assert = options.formats !== 'annotate'
  const ajv = new Ajv2020({
    strict: false,
    allErrors,
    validateFormats: assert,
    validateSchema: false,
    logger: false,
    addUsedSchema: false,
  })
  if (assert) addFormats(ajv)
  for (const [uri, document] of Object.entries(options.documents ?? {})) ajv.addSchema(document as object, uri)
  return ajv
}
