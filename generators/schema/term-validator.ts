/**
 * Validates conjunctions of terms with ajv, compiled on first use.
 * It is used where construction stops short: enums of lists or objects, property names, residual negated terms.
 */

import type { ValidateFunction } from 'ajv/dist/2020.js'
import { isJsonObject, type Json, type JsonObject } from '../../spec/index.ts'
import { createAjv, rootUri } from './ajv.ts'
import { conjunctionKey, type Term, type TermTable } from './term.ts'
import type { ValidatorOptions } from './validator-options.ts'

export class TermValidator {
  readonly #book: TermTable
  readonly #options: ValidatorOptions
  readonly #compiled = new Map<string, (value: Json) => boolean>()
  #ajv: ReturnType<typeof createAjv> | undefined

  constructor(book: TermTable, options: ValidatorOptions) {
    this.#book = book
    this.#options = options
  }

  /** A predicate for all the terms; it ignores the scope of `$dynamicRef`. */
  predicate(terms: readonly Term[]): (value: Json) => boolean {
    const key = conjunctionKey(terms)
    const known = this.#compiled.get(key)
    if (known !== undefined) return known
    let validate: ValidateFunction | undefined
    const predicate = (value: Json): boolean => {
      validate ??= this.#shared().compile({ allOf: terms.map((term) => this.#schemaOf(term)) })
      return validate(value)
    }
    this.#compiled.set(key, predicate)
    return predicate
  }

  #shared(): ReturnType<typeof createAjv> {
    if (this.#ajv === undefined) {
      this.#ajv = createAjv(this.#options)
      const { root } = this.#book.documents
      if (isJsonObject(root)) this.#ajv.addSchema(root, rootUri)
    }
    return this.#ajv
  }

  #schemaOf(term: Term): Json {
    if (term.kind === 'any') return { anyOf: term.terms.map((one) => this.#schemaOf(one)) }
    const { schema } = term
    if (typeof schema === 'boolean') return schema !== term.negated
    const positive = this.#reference(schema)
    return term.negated ? { not: positive } : positive
  }

  #reference(schema: JsonObject): Json {
    const { document, pointer } = this.#book.documents.placeOf(schema)
    return { $ref: `${document}#${pointer.split('/').map(encodeURIComponent).join('/')}` }
  }
}
