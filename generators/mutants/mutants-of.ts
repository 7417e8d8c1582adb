/**
 * Makes every single-fault mutant of a valid value; ajv confirms each of them.
 * A mutant with a fault at another place or keyword than predicted is discarded and counted.
 */
import { canonicalJson, type Json } from '../../spec/index.ts'
import { withValueAt } from '../json/json-pointer.ts'
import { rootUri } from '../schema/ajv.ts'
import { type Schema, SchemaDocuments } from '../schema/schema-documents.ts'
import { type Fault, type SchemaValidator, validatorOf } from '../schema/schema-validator.ts'
import type { ValidatorOptions } from '../schema/validator-options.ts'
import type { ValueMutant } from './mutant.ts'
import type { Proposal, ValueOperator } from './operator.ts'
import { type BranchTest, sitesOf } from './sites.ts'
import { structureOperators } from './structure-operators.ts'
import { valueOperators } from './value-operators.ts'

interface MutantOptions extends ValidatorOptions {
  /** Operators to apply; all of them by default. */
  readonly operators?: readonly ValueOperator[]
}

/** Makes mutants of one schema; the validator is compiled once. */
export interface MutantMaker {
  /** The confirmed single-fault mutants of a value that is valid under the schema. */
  mutantsOf(validValue: Json): readonly ValueMutant[]
  /** True if a value is valid under the schema. */
  accepts(value: Json): boolean
  /** How often a prediction was not confirmed, by `operator keyword`. */
  readonly discarded: ReadonlyMap<string, number>
}

/** Errors that only repeat an error inside a branch. */
const wrappers = new Set(['anyOf', 'oneOf', 'if', 'not', '$ref'])

/** All operators on values. */
const allValueOperators: readonly ValueOperator[] = [...structureOperators, ...valueOperators]

/** A maker for many values of the same schema. */
export function mutantMaker(schema: Schema, options: MutantOptions = {}): MutantMaker {
  const documents = new SchemaDocuments(schema, options.documents ?? {})
  const judge = validatorOf(schema, options)
  const inBranch = branchTest(documents, schema, options)
  const operators = options.operators ?? allValueOperators
  const discarded = new Map<string, number>()
  return {
    discarded,
    accepts: (value) => judge.accepts(value),
    mutantsOf: (validValue) => {
      const made = new Map<string, ValueMutant>()
      for (const site of sitesOf(documents, validValue, inBranch)) {
        for (const operator of operators) {
          for (const proposal of operator.propose(site)) {
            const mutant = confirmed(judge, validValue, site.pointer, operator.id, proposal)
            if (mutant !== null) made.set(`${operator.id} ${proposal.pointer} ${canonicalJson(mutant.value)}`, mutant)
            else count(discarded, `${operator.id} ${proposal.keyword}`)
          }
        }
      }
      return [...made.values()]
    },
  }
}

function confirmed(
  judge: SchemaValidator,
  valid: Json,
  pointer: string,
  operator: string,
  proposal: Proposal,
): ValueMutant | null {
  const value = withValueAt(valid, pointer, proposal.replacement)
  const faults = judge.faults(value).filter((fault) => !isWrapper(fault, proposal.pointer))
  const expected = faults.some((fault) => fault.pointer === proposal.pointer && fault.keyword === proposal.keyword)
  const pure = faults.every((fault) => explains(proposal, fault))
  if (!expected || !pure) return null
  return { operator, pointer: proposal.pointer, keyword: proposal.keyword, class: proposal.class, value }
}

function explains(proposal: Proposal, fault: Fault): boolean {
  if (fault.pointer !== proposal.pointer) return false
  return fault.keyword === proposal.keyword || (proposal.companions ?? []).includes(fault.keyword)
}

function isWrapper(fault: Fault, pointer: string): boolean {
  return wrappers.has(fault.keyword) && (fault.pointer === pointer || pointer.startsWith(`${fault.pointer}/`))
}

function branchTest(documents: SchemaDocuments, root: Schema, options: MutantOptions): BranchTest {
  const judges = new Map<Schema, SchemaValidator>()
  return (schema, value) => {
    if (typeof schema === 'boolean') return schema
    const place = documents.placeOf(schema)
    const known =
      judges.get(schema) ??
      validatorOf(
        { $ref: `${place.document}#${uriFragment(place.pointer)}` },
        {
          ...options,
          documents: { ...options.documents, ...(typeof root === 'boolean' ? {} : { [rootUri]: root }) },
        },
      )
    judges.set(schema, known)
    return known.accepts(value)
  }
}

function uriFragment(pointer: string): string {
  return pointer.split('/').map(encodeURIComponent).join('/')
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
