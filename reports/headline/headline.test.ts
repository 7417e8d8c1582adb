/** Headlines say what an operation does, in words that need no list of exchanges beside them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type OperationId, operationIds } from '../../spec/index.ts'
import { headlineOf, headlineText, operationName, textChangeIn } from './headline.ts'

interface Told {
  readonly requirement: string
  readonly operation: OperationId
  readonly contradiction: string
  readonly expected: string
  readonly actual: string
}

const oracles = join(import.meta.dirname, '..', '..', 'conformance', 'judge', 'oracles')

/** Every violation that the judge's own tests show, as their snapshots have it. */
function violationsOfTheJudge(): readonly Told[] {
  const files = readdirSync(oracles, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.snap'))
  const texts = files.map((name) => readFileSync(join(oracles, name), 'utf8'))
  return texts.flatMap((text) =>
    [...text.matchAll(/^exports\[`(\S+) ✗ .*\] = `\n"([\s\S]*?)"\n`;/gm)].flatMap(([, requirement = '', body = '']) =>
      [...body.matchAll(/^(\w+)(?: \S+)? violated \d+: .*\n {2}(.*)\n {2}(.*) instead of (.*)$/gm)].map(
        ([, operation, contradiction = '', actual = '', expected = '']) => ({
          requirement,
          operation: operation as OperationId,
          contradiction,
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
  expect(unclear.map(({ contradiction }) => contradiction)).toEqual([])
})

test('a headline says what the operation does, and not both sides of the evidence', () => {
  const fallen = violationsOfTheJudge().filter((one) => /: got .* instead of /.test(of(one)))
  expect(fallen.map(({ contradiction }) => contradiction)).toEqual([])
})

test('no operation is named by its id', () => {
  expect(operationIds.map(operationName).filter((name) => !/^(?:GET|POST|PUT) /.test(name))).toEqual([])
  expect(operationName('runThread')).toBe('POST /v1/threads/{thread_id}/run')
})

test.each<readonly [Partial<Told>, string]>([
  [
    {
      operation: 'listAssistants',
      contradiction: 'Assistant a-1 is served in E2 and in E9, and the list of E5 in between lacks it.',
    },
    'GET /v1/assistants: the list lacks an assistant that is served before and after it',
  ],
  [
    {
      operation: 'listMyApiKeys',
      contradiction: 'E1 and E9 list the key record k-1 of the tenant t-1, and the list of E5 in between lacks it.',
    },
    'GET /v1/tenants/my-api-keys: the list lacks a key of the tenant that others show',
  ],
  [
    { operation: 'runThread', contradiction: 'E143 is a request without a key, and it was accepted.' },
    'POST /v1/threads/{thread_id}/run: accepts a request without a key',
  ],
  [
    { contradiction: 'E5 is a request that meets every rule, and it was refused with 400 bad_request.' },
    'GET /v1/threads/{thread_id}/messages: refuses a correct request: 400 bad_request',
  ],
  [
    {
      contradiction: 'E18 returned message 1d5669a5 with content " a", and E248 lists it with "a", trimmed.',
      actual: '"a", without the white space at its beginning',
    },
    'GET /v1/threads/{thread_id}/messages: lists the content of a message without the white space at its beginning',
  ],
  [
    { contradiction: 'In E6, /items/0/sources must be an array, but it is missing.' },
    'GET /v1/threads/{thread_id}/messages: items[0].sources must be an array, but it is missing',
  ],
  [
    {
      operation: 'streamChatCompletion',
      contradiction: 'The chunks in E44 were made over 2173 ms and arrived within 0 ms.',
    },
    'POST /v1/chat/completions/stream: chunks that were made over 2173 ms arrive within 0 ms',
  ],
  [
    { contradiction: 'E4 is unlike E5.', actual: 'one', expected: 'two' },
    'GET /v1/threads/{thread_id}/messages: got one instead of two',
  ],
])('%o is headed by %s', (told, headline) => {
  expect(of(told)).toBe(headline)
})

test('what became of a text is read behind it, not in it', () => {
  expect(textChangeIn('"a", cut after 1 characters')).toBe('cut after 1 characters')
  expect(textChangeIn('"a \\", twice"')).toBeNull()
  expect(textChangeIn('"a", "b"')).toBe('"b"')
})
