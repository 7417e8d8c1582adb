/** Declares what a compiled schema is, in types of our own: users of the package have no ajv. */

/** One violation of a schema; `instancePath` is a JSON pointer into the value. */
export interface SchemaFault {
  readonly instancePath: string
  readonly schemaPath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string | undefined
}

/** A validator that ajv compiled. */
export interface CompiledSchema {
  (value: unknown): boolean
  /** Of the last call. */
  readonly errors?: readonly SchemaFault[] | null
}
