/**
 * The long proof of the generators: `node scripts/prove-generators.ts [--requests N] [--mutants N] [--samples N]`.
 * A million valid requests over all operations and a million mutants, judged by ajv; the JSON Schema Test Suite in full.
 */
import { parseArgs } from 'node:util'
import {
  cellKey,
  cellOf,
  inputsOf,
  requestArbitrary,
  requestMutants,
  requestValidator,
  sample,
  splitSeed,
  validatorOf,
} from '../generators/index.ts'
import { type Json, operationIds } from '../spec/index.ts'
import { suiteFigures } from '../test/generators/json-schema-test-suite.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    mutants: { type: 'string', default: '1000000' },
    samples: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
  },
})
const seed = Number(values.seed)
const batch = 5000

proveRequests(Number(values.requests))
proveMutants(Number(values.mutants))
proveSuite(Number(values.samples))

function proveRequests(total: number): void {
  const started = performance.now()
  let [made, invalid, seen, rejected] = [0, 0, 0, 0]
  for (const operation of operationIds) {
    const judge = requestValidator(operation)
    const arbitrary = requestArbitrary(operation)
    for (let left = Math.ceil(total / operationIds.length), part = 0; left > 0; left -= batch, part++) {
      const own = splitSeed(seed, operation, String(part))
      for (const parts of sample(arbitrary, { seed: own, count: Math.min(batch, left) })) {
        made += 1
        if (judge(parts).length > 0) invalid += 1
      }
    }
    const guard = operation === 'uploadFile' ? undefined : inputsOf(operation).body?.compiled.guard
    seen += guard?.seen ?? 0
    rejected += guard?.rejected ?? 0
  }
  report('valid requests', { made, invalid, guarded: seen, rejected, seconds: seconds(started) }, invalid === 0)
}

function proveMutants(total: number): void {
  const started = performance.now()
  let [made, wrong, grey] = [0, 0, 0]
  const cells = new Set<string>()
  const withBody = operationIds.filter((id) => id !== 'uploadFile' && inputsOf(id).body !== null)
  for (let part = 0; made < total; part++) {
    for (const operation of withBody) {
      const judge = validatorOf(inputsOf(operation).body?.schema ?? true)
      for (const valid of sample(requestArbitrary(operation), {
        seed: splitSeed(seed, operation, String(part)),
        count: 200,
      })) {
        for (const mutant of requestMutants(valid)) {
          cells.add(cellKey(cellOf(mutant)))
          if (mutant.location !== 'body' || mutant.class === 'state') continue
          made += 1
          if (mutant.strength === 'GREY') grey += 1
          else if (!isSingleFault(judge.faults(JSON.parse(String(mutant.request.body)) as Json), mutant)) wrong += 1
        }
      }
    }
  }
  report('body mutants', { made, wrong, grey, cells: cells.size, seconds: seconds(started) }, wrong === 0)
}

function isSingleFault(
  faults: ReturnType<ReturnType<typeof validatorOf>['faults']>,
  { pointer, keyword }: { readonly pointer: string; readonly keyword: string },
): boolean {
  return faults.some((fault) => fault.keyword === keyword) && faults.every((fault) => fault.pointer === pointer)
}

function proveSuite(samples: number): void {
  const started = performance.now()
  const figures = suiteFigures(samples)
  report('JSON Schema Test Suite 2020-12', { ...figures, seconds: seconds(started) }, figures.partly.length === 0)
}

function report(what: string, figures: object, holds: boolean): void {
  console.log(`${holds ? '✓' : '×'} ${what} ${JSON.stringify(figures)}`)
  if (!holds) process.exitCode = 1
}

function seconds(started: number): number {
  return Math.round((performance.now() - started) / 1000)
}
