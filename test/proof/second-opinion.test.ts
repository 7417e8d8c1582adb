/**
 * Tests that Prism's engine agrees with our validators on every JSON answer and chunk of a recorded gate trace.
 * It also agrees with our oracles on every fault that a document can show.
 */
import { beforeAll, expect, test } from 'vitest'
import { type Trace, textOf } from '../../conformance/index.ts'
import {
  compileValidator,
  documentOf,
  operationIds,
  operations,
  requirementOf,
  schemaOf,
  schemaParts,
  type Validator,
} from '../../spec/index.ts'
import { slowTest } from '../support/slow-test.ts'
import type { Site } from './mutation.ts'
import { type Observed, type PrismJudge, prismJudge, withItemSchemas } from './prism-judge.ts'
import { recordedTrace } from './recorded-trace.ts'
import { isKilled, sitesIn, type TraceMutant, traceMutants } from './trace-mutants.ts'

let prism: PrismJudge
let trace: Trace
let sites: readonly Site[]
/** By operation and part. */
const validators = new Map<string, Validator>()

beforeAll(async () => {
  for (const operation of operationIds) {
    for (const part of schemaParts) {
      const schema = schemaOf(operation, part)
      if (schema !== null) validators.set(`${operation}.${part}`, await compileValidator(schema))
    }
  }
  prism = await prismJudge(withItemSchemas(documentOf('contract')))
  trace = await recordedTrace('gate')
  sites = sitesIn(trace).filter(inContract)
})

const inContract = ({ operation }: Site): boolean => operations[operation].profile === 'contract'

const headerOf = (headers: readonly (readonly [string, string])[], wanted: string): string =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''

/** The documents of an answer, each as an exchange of its own: a stream is as many as it has lines. */
function observed({ exchange: { request, response }, status }: Site, text: string): readonly Observed[] {
  const contentType = headerOf(response?.headers ?? [], 'content-type')
  const documents = contentType.includes('ndjson') ? text.trimEnd().split('\n') : [text]
  return documents.map((document) => ({
    method: request.method,
    url: request.url,
    requestHeaders: Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value])),
    requestBody: request.body === null ? undefined : textOf(request.body),
    status,
    contentType,
    body: JSON.parse(document) as unknown,
  }))
}

/** What our own validators find wrong with the same documents. */
function faultsByUs({ operation, status }: Site, documents: readonly Observed[]): readonly string[] {
  const chunks = documents[0]?.contentType.includes('ndjson') === true
  const validate = validators.get(`${operation}.${status >= 300 ? 'error' : chunks ? 'chunk' : 'response'}`)
  return documents.flatMap(({ body }) => validate?.(body).map(({ instancePath }) => instancePath) ?? [])
}

async function faultsByPrism(documents: readonly Observed[]): Promise<readonly string[]> {
  return (await Promise.all(documents.map(prism))).flat()
}

/** Mutants whose fault stands in a single document, so that a schema can show it. */
function documentMutants(): readonly TraceMutant[] {
  const shown = new Set([
    'drop',
    'retype',
    'null',
    'unknown role',
    '3-digit fraction',
    'offset for Z',
    'detail as string',
  ])
  const taken = new Map<string, number>()
  return [...traceMutants(trace)].filter(({ operator, requirement, at, site }) => {
    const key = `${operator} ${requirement} ${site.operation} ${at.replaceAll(/\d+/g, '*')}`
    taken.set(key, (taken.get(key) ?? 0) + 1)
    return shown.has(operator) && inContract(site) && taken.get(key) === 1
  })
}

test('every schema of the document compiles, so none passes unchecked', () => {
  expect(validators.size).toBeGreaterThan(20)
  for (const operation of operationIds.filter((id) => operations[id].profile === 'contract' && id !== 'uploadFile'))
    expect(validators.has(`${operation}.response`) || validators.has(`${operation}.chunk`), operation).toBe(true)
})

test('neither Prism nor our validators find a fault in an answer of the faithful mock', async () => {
  let judged = 0
  for (const site of sites) {
    const documents = observed(site, site.text)
    judged += documents.length
    expect(await faultsByPrism(documents), `${site.exchange.id} ${site.operation}`).toEqual([])
    expect(faultsByUs(site, documents), `${site.exchange.id} ${site.operation}`).toEqual([])
  }
  expect(judged).toBeGreaterThan(1000)
})

slowTest('Prism and our validators agree on every seeded fault of a document', async () => {
  const mutants = documentMutants()
  const disagreements: string[] = []
  for (const { site, body, operator, at } of mutants) {
    const documents = observed(site, String(body))
    const [theirs, ours] = [await faultsByPrism(documents), faultsByUs(site, documents)]
    if (theirs.length > 0 !== ours.length > 0)
      disagreements.push(`${site.operation} ${operator} ${at}: ${theirs} / ${ours}`)
  }
  expect(mutants.length).toBeGreaterThan(150)
  expect(disagreements).toEqual([])
})

/**
 * The document says what the contract states; and a listed item is a Message or an Assistant message, so that what only the
 * second has to hold, no schema can ask of it.
 */
const onlyOraclesSee = ({ site, requirement }: TraceMutant): boolean =>
  requirementOf(requirement)?.basis !== 'stated' ||
  (site.operation === 'listMessages' && requirement === 'resources.source-fields')

slowTest('our oracles find exactly the faults violated that Prism finds', async () => {
  const disagreements: string[] = []
  let agreed = 0
  for (const mutant of documentMutants().filter((one) => !onlyOraclesSee(one))) {
    const theirs = await faultsByPrism(observed(mutant.site, String(mutant.body)))
    if (theirs.length > 0 === isKilled(trace, mutant)) agreed += 1
    else disagreements.push(`${mutant.site.operation} ${mutant.operator} ${mutant.at} ${mutant.requirement}: ${theirs}`)
  }
  expect(disagreements).toEqual([])
  expect(agreed).toBeGreaterThan(150)
})
