/** Texts of a target stay data in the source of a test, in every language. */
import { expect, test } from 'vitest'
import { renderFindingTests, testLanguages } from './render-finding-tests.ts'
import { checkCall, joinedText, longText, quoted } from './source-text.ts'

const { vitest, pytest, junit5 } = testLanguages

test('quotes, line breaks and invisible characters cannot end or hide a literal', () => {
  const text = 'a"b\\u0022\n\u2028\u202e\u007f'
  for (const language of [vitest, pytest, junit5])
    expect(quoted(text, language)).toBe('"a\\"b\\\\u0022\\n\\u2028\\u202e\\u007f"')
})

test('an invisible character of two units is escaped as its language writes it', () => {
  const text = '\u{e0041}'
  expect([vitest, pytest, junit5].map((language) => quoted(text, language))).toEqual([
    String.raw`"\u{e0041}"`,
    String.raw`"\U000e0041"`,
    String.raw`"\udb40\udc41"`,
  ])
})

test('a reference becomes a variable between literals', () => {
  expect(joinedText('/v1/threads/{{id_1}}/messages', vitest)).toBe('"/v1/threads/" + id_1 + "/messages"')
  expect(joinedText('', vitest)).toBe('""')
})

test('a long text is written in literals that a Java constant can hold, and cut inside no character', () => {
  const text = '\u{1f600}'.repeat(15_000)
  const [script, java] = [longText(text, vitest), longText(text, junit5)]
  const pieces = script.split(' + ').map((literal): unknown => JSON.parse(literal))
  expect(pieces).toEqual([text.slice(0, 20_000), text.slice(20_000)])
  expect(java).toBe(`String.join("", ${script.split(' + ').join(', ')})`)
  expect([longText('', vitest), longText('ab', junit5)]).toEqual(['""', '"ab"'])
})

test('a test of many requests to a slow service is not ended by the runner', () => {
  expect(vitest.test('a.b', ['await send()']).at(-1)).toBe('}, timeoutMs)')
  expect(vitest.file({ head: [], baseUrl: '""', tests: [], name: 'a' })).toContain('const timeoutMs = 600_000\n')
})

test('a check names the answers that it looks at', () => {
  const values = { kind: 'at', pointer: '/items/*/id', of: ['E3', 'E4'] } as const
  expect(checkCall({ check: 'distinct', values }, vitest)).toBe('distinct(values("/items/*/id", e3, e4))')
  expect(checkCall({ check: 'atMost', values, count: 2 }, vitest)).toBe('atMost(values("/items/*/id", e3, e4), 2)')
})

test('a violation without its requests is named in the file with the reason', () => {
  const verdict = { requirement: 'a.b', operation: 'runThread', facet: null, outcome: 'violated', exchanges: ['E1'] }
  const report = { run: { target: 'http://acs.test', seed: 1, suiteVersion: '1' }, verdicts: [verdict], rules: {} }
  const { text, tests, left } = renderFindingTests(report as never, {
    language: 'vitest',
    exchanges: [],
    replayOf: () => null,
  })
  expect(tests).toBe(0)
  expect(left).toEqual([{ obligation: 'a.b runThread', reason: 'the report does not hold its requests' }])
  expect(text).toContain('// No test for a.b runThread: the report does not hold its requests.')
})
