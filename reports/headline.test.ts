/** Headlines say what an operation does, in words that need no list of exchanges beside them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type OperationId, operationIds } from '../spec/index.ts'
import { headlineOf, headlineText, operationName } from './headline.ts'

interface Told {
  readonly operation: OperationId
  readonly headline?: string
  readonly expected: string
  readonly actual: string
}

const oracles = join(import.meta.dirname, '..', 'conformance', 'judge', 'oracles')

/** Every violation that the judge's own tests show, as their snapshots have it. */
function violationsOfTheJudge(): readonly Told[] {
  const files = readdirSync(oracles, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.snap'))
  const texts = files.map((name) => readFileSync(join(oracles, name), 'utf8'))
  return texts.flatMap((text) =>
    [...text.matchAll(/^exports\[`\S+ ✗ .*\] = `\n"([\s\S]*?)"\n`;/gm)].flatMap(([, body = '']) =>
      [...body.matchAll(/^(\w+)(?: \S+)? violated \d+: .*\n {2}.*\n {2}(.*)\n {2}(.*) instead of (.*)$/gm)].map(
        ([, operation, headline = '', actual = '', expected = '']) => ({
          operation: operation as OperationId,
          headline,
          expected,
          actual,
        }),
      ),
    ),
  )
}

const of = (told: Partial<Told>): string =>
  headlineText(
    headlineOf({ operation: 'listMessages', expected: 'this', actual: 'that', ...told }, 'The rule in its own words.'),
  )

test('every violation of the judge has a headline without numbers of exchanges and without ids', () => {
  const told = violationsOfTheJudge()
  expect(told.length).toBeGreaterThan(400)
  const unclear = told.filter((one) => /\bE\d+\b|[0-9a-f]{8}-[0-9a-f]{4}-/.test(of(one)))
  expect(unclear.map(({ headline }) => headline)).toEqual([])
})

test('a headline says what the operation does, and not both sides of the evidence', () => {
  const fallen = violationsOfTheJudge().filter((one) => /: got .* instead of /.test(of(one)))
  expect(fallen.map(({ headline }) => headline)).toEqual([])
})

test('no operation is named by its id', () => {
  expect(operationIds.map(operationName).filter((name) => !/^(?:GET|POST|PUT) /.test(name))).toEqual([])
  expect(operationName('runThread')).toBe('POST /v1/threads/{thread_id}/run')
})

test.each([
  'GET /v1/assistants: the list lacks an assistant that is served before and after it',
  'GET /v1/tenants/my-api-keys: the list lacks a key of the tenant that others show',
  'POST /v1/threads/{thread_id}/messages: accepts a request without a key',
  'POST /v1/threads/{thread_id}/messages: refuses a correct request: 400 bad_request',
  'POST /v1/threads/{thread_id}/run/stream: the stored answer is the streamed text without the white space at its beginning',
  'GET /v1/threads/{thread_id}/messages: items[0].sources must be an array, but it is missing',
  'POST /v1/chat/completions/stream: chunks that were made over 2000 ms arrive within 1 ms',
])('the judge says what is wrong in a clause: %s', (headline) => {
  expect(violationsOfTheJudge().map(of)).toContain(headline)
})

test('a violation of an older report is headed by its two sides, and one without evidence by its rule', () => {
  const place = 'GET /v1/threads/{thread_id}/messages'
  expect(of({ actual: 'one', expected: 'two' })).toBe(`${place}: got one instead of two`)
  const bare = headlineOf({ operation: 'listMessages' }, 'The rule in its own words.')
  expect(headlineText(bare)).toBe(`${place}: The rule in its own words.`)
})
