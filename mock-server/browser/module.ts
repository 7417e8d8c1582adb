/** Stands in for node:module in a browser: what the compiled validators require is in the bundle. */
import * as length from 'ajv/dist/runtime/ucs2length.js'
import * as formats from 'ajv-formats/dist/formats.js'

const modules: Readonly<Record<string, unknown>> = {
  'ajv-formats/dist/formats': formats,
  'ajv/dist/runtime/ucs2length': length,
}

/** As in Node, for the modules above. */
export const createRequire = () => (name: string) => modules[name]
