/**
 * Compiles a JSON Schema 2020-12 into an arbitrary of valid values.
 * Construction makes nearly every value valid; ajv checks each value, and rejected ones are counted.
 */

import fc from 'fast-check'
import type { Json, JsonObject } from '../../spec/index.ts'
import { GenerationStuck, type GuardCount, guarded } from '../arbitraries/guarded.ts'
import { Expander } from './expand.ts'
import { SchemaGraph, type UnsupportedKeyword } from './graph.ts'
import { NodeArbitraries } from './node-arbitrary.ts'
import type { ShapeOptions } from './node-source.ts'
import { type Schema, SchemaDocuments } from './schema-documents.ts'
import { type SchemaValidator, validatorOf } from './schema-validator.ts'
import { TermTable } from './term.ts'
import { TermValidator } from './term-validator.ts'
import type { ValidatorOptions } from './validator-options.ts'

export interface CompileOptions extends ValidatorOptions, Partial<ShapeOptions> {}

/** Whether values of a schema can be made; unsupported keywords are named with their places. */
type Support =
  | {
      readonly supported: true
      /** Alternatives that are never generated although they would be valid. */
      readonly narrowed: readonly UnsupportedKeyword[]
    }
  | { readonly supported: false; readonly unsupported: readonly UnsupportedKeyword[] }

export interface CompiledSchema {
  readonly support: Support
  /** Valid values; throws on use if the schema is not supported. */
  readonly arbitrary: fc.Arbitrary<Json>
  /** How many constructed values ajv checked and rejected. */
  readonly guard: Readonly<GuardCount>
}

/** Thrown on a request for values of an unsupported schema. */
export class UnsupportedSchema extends Error {
  readonly code = 'unsupported-schema'
  readonly unsupported: readonly UnsupportedKeyword[]
  constructor(unsupported: readonly UnsupportedKeyword[]) {
    super(unsupported.map(({ keyword, pointer, reason }) => `${keyword} at ${pointer || '/'}: ${reason}`).join('; '))
    this.name = 'UnsupportedSchema'
    this.unsupported = unsupported
  }
}

const shapeDefaults: ShapeOptions = { maxDepth: 3, maxGrowth: 5, extraProperties: false }
/** How many values are drawn before a schema counts as supported. */
const trialRuns = 60

/** Valid values of a schema; throws `UnsupportedSchema` if they cannot be made. */
export function arbitraryFromSchema(schema: Schema, options: CompileOptions = {}): fc.Arbitrary<Json> {
  const { support, arbitrary } = compileSchema(schema, options)
  if (!support.supported) throw new UnsupportedSchema(support.unsupported)
  return arbitrary
}

/** Compiles a schema once: its support, its arbitrary and the count of the final guard. */
export function compileSchema(schema: Schema, options: CompileOptions = {}): CompiledSchema {
  const guard: GuardCount = { seen: 0, rejected: 0 }
  const shapes = { ...shapeDefaults, ...options }
  const documents = new SchemaDocuments(schema, options.documents ?? {})
  const book = new TermTable(documents)
  const judge = new TermValidator(book, options)
  const graph = new SchemaGraph(new Expander(book, options.formats !== 'annotate'), judge)
  const unsupported = [...unknownKeywords(documents)]
  if (unsupported.length > 0) return refused(unsupported, guard)
  try {
    const root = graph.build([book.term(schema, null)])
    if (documents.unresolved.length > 0) return refused(unresolved(documents), guard)
    if (!Number.isFinite(root.height)) return refused(whyEmpty(graph), guard)
    const made = new NodeArbitraries(judge, shapes).of(root, shapes.maxDepth)
    const arbitrary = guarded(made, acceptance(schema, options), 'the schema', guard)
    fc.sample(arbitrary, { numRuns: trialRuns, seed: 29 })
    return { support: { supported: true, narrowed: graph.dropped }, arbitrary, guard }
  } catch (error) {
    return refused([{ keyword: residualKeyword(error, graph), pointer: '', reason: String(error) }], guard)
  }
}

function acceptance(schema: Schema, options: ValidatorOptions): SchemaValidator['accepts'] {
  const judge = validatorOf(schema as JsonObject, options)
  return (value) => judge.accepts(value)
}

function refused(unsupported: readonly UnsupportedKeyword[], guard: GuardCount): CompiledSchema {
  const arbitrary = fc.constant(null).map((): Json => {
    throw new UnsupportedSchema(unsupported)
  })
  return { support: { supported: false, unsupported }, arbitrary, guard }
}

function whyEmpty(graph: SchemaGraph): readonly UnsupportedKeyword[] {
  if (graph.dropped.length > 0) return graph.dropped
  return [{ keyword: 'unsatisfiable', pointer: '', reason: 'no value satisfies the schema' }]
}

function unresolved(documents: SchemaDocuments): readonly UnsupportedKeyword[] {
  return documents.unresolved.map((reference) => ({
    keyword: '$ref',
    pointer: '',
    reason: `${reference} has no target`,
  }))
}

function unknownKeywords(documents: SchemaDocuments): readonly UnsupportedKeyword[] {
  return documents.foreign.map(({ keyword, pointer }) => ({
    keyword,
    pointer,
    reason: 'not a keyword of the 2020-12 dialect',
  }))
}

function residualKeyword(error: unknown, graph: SchemaGraph): string {
  const [first] = graph.dropped
  if (first !== undefined) return first.keyword
  return error instanceof GenerationStuck ? 'not' : '$schema'
}
