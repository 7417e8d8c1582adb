/**
 * Runs the schema compiler on the satisfiable groups of the JSON Schema Test Suite on which ajv agrees.
 * A group is full, partly valid (a defect), or refused by name.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileSchema, type Schema, type SchemaValidator, sample, validatorOf } from '../../generators/index.ts'
import type { Json, JsonObject } from '../../spec/index.ts'

interface SuiteGroup {
  readonly file: string
  readonly description: string
  readonly schema: Schema
  readonly tests: readonly { readonly data: Json; readonly valid: boolean }[]
}

interface Suite {
  readonly remotes: Readonly<Record<string, JsonObject>>
  readonly groups: readonly SuiteGroup[]
}

interface SuiteFigures {
  readonly groups: number
  /** Groups in which the suite shows no valid instance: named as unsatisfiable, or generated all the same. */
  readonly withoutInstance: { readonly named: number; readonly generated: number }
  /** Groups that ajv itself judges otherwise than the suite. */
  readonly misjudged: number
  readonly full: number
  readonly partly: readonly string[]
  readonly unsupported: readonly string[]
}

/** Compiles every group and draws so many values of each. */
export function suiteFigures(samples: number, seed = 1): SuiteFigures {
  const { remotes, groups } = suite()
  const options = { documents: remotes, formats: 'annotate', extraProperties: true } as const
  const partly: string[] = []
  const unsupported: string[] = []
  let [named, generated, misjudged, full] = [0, 0, 0, 0]
  for (const group of groups) {
    const name = `${group.file}: ${group.description}`
    const judge = validatorOf(group.schema, options)
    if (!judgesRight(judge, group)) {
      misjudged += 1
      continue
    }
    const { support, arbitrary } = compileSchema(group.schema, options)
    if (!group.tests.some(({ valid }) => valid)) {
      if (!support.supported) named += 1
      else if (allValid(judge, sample(arbitrary, { seed, count: samples }))) generated += 1
      else partly.push(name)
    } else if (!support.supported)
      unsupported.push(`${name} (${support.unsupported.map(({ keyword }) => keyword).join(', ')})`)
    else if (allValid(judge, sample(arbitrary, { seed, count: samples }))) full += 1
    else partly.push(name)
  }
  return { groups: groups.length, withoutInstance: { named, generated }, misjudged, full, partly, unsupported }
}

function suite(): Suite {
  const file = join(import.meta.dirname, '../fixtures/json-schema-test-suite/draft2020-12.json')
  return JSON.parse(readFileSync(file, 'utf8')) as Suite
}

function judgesRight(judge: SchemaValidator, { tests }: SuiteGroup): boolean {
  try {
    return tests.every(({ data, valid }) => judge.accepts(data) === valid)
  } catch {
    return false
  }
}

function allValid(judge: SchemaValidator, values: readonly Json[]): boolean {
  return values.every((value) => judge.accepts(JSON.parse(JSON.stringify(value)) as Json))
}
