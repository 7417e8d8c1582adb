/** The advice fits the kind of change that was found, and else is that of the rule. */
import { expect, test } from 'vitest'
import type { Verdict } from '../conformance/index.ts'
import { textChange } from '../conformance/judge/read/text-change.ts'
import { requirementOf } from '../spec/index.ts'
import { fixText, textChangeIn } from './fix-text.ts'

const violated = (fields: Partial<Verdict>): Verdict => ({
  requirement: 'threads.create-echoes',
  operation: 'createMessage',
  facet: null,
  level: 'must',
  basis: 'stated',
  owed: true,
  blocking: true,
  outcome: 'violated',
  witnesses: 1,
  exchanges: ['E1'],
  ...fields,
})

const adviceOn = (fields: Partial<Verdict>, verdicts: readonly Verdict[] = []): string =>
  fixText(violated(fields), { rule: 'It is so.', fix: 'The rule.' }, verdicts)

test.each<readonly [string, string, RegExp]>([
  [' a ', 'a', /^Do not trim: the white space at the ends /],
  ['a\r\nb', 'a\nb', /^Do not convert line ends/],
  ['a  b', 'a b', /^Do not collapse white space/],
  ['e\u0301', '\u00e9', /^Do not normalise to NFC/],
  ['aB', 'ab', /^Do not change the case/],
  ['a<b', 'a&lt;b', /^Do not escape for HTML/],
  ['a b', 'a%20b', /^Do not percent-encode/],
  ['a"b', 'a\\"b', /^Encode the text as JSON once/],
  ['abcdef', 'abc', /^Do not cut the text \(here after 3 characters\)/],
  ['abcdef', 'def', /^Keep the beginning of the text: its first 3 characters/],
  ['ab', 'abab', /^Write the text once/],
  ['a\u{1f642}b', 'ab', /^Store all of Unicode/],
  ['caf\u00e9 \u00e9t\u00e9 \u00e0', 'caf? ?t? ?', /^Use UTF-8 from end to end: .* beyond ASCII/],
  ['one \u0000 two three', 'one  two three', /^Keep every character: U\+0000 was dropped/],
  ["it's nine o'clock", 'it\u2019s nine o\u2019clock', /^The rule\.$/],
])('what %o became as %o has its own advice', (earlier, later, advice) => {
  const change = textChange(earlier, later)
  expect(adviceOn({ actual: `${JSON.stringify(later)}${change === null ? '' : `, ${change}`}` })).toMatch(advice)
})

test('each change of a text that the judge can name has an advice', () => {
  const long = 'A sentence of some words, with \u{1f642} and \u201cquotes\u201d.'
  const changes = [
    long.trim().toUpperCase(),
    long.slice(0, 12),
    long.slice(4),
    long + long,
    long.replace('\u{1f642}', '?'),
    long.replace('\u{1f642}', '\u{1f643}'),
    `${long.slice(0, 20)}\u200b${long.slice(20)}`,
    JSON.stringify(long),
    encodeURIComponent(long),
  ].map((later) => textChange(long, later))
  expect(changes).not.toContain(null)
  expect(changes.filter((change) => adviceOn({ actual: `"…", ${change}` }) === 'The rule.')).toEqual([])
})

test.each<readonly [Partial<Verdict>, string]>([
  [{ requirement: 'resources.timestamp-format', actual: '1767225600' }, 'Send a string, not a number. The rule.'],
  [
    { requirement: 'resources.timestamp-format', actual: '"2026-01-01T00:00:00.123Z"' },
    'Write the fraction of a second with six digits, neither more nor fewer. The rule.',
  ],
  [
    { requirement: 'resources.timestamp-format', actual: '"2026-01-01T00:00:00.123456+00:00"' },
    'Convert to UTC and end with Z instead of an offset. The rule.',
  ],
  [
    { requirement: 'resources.timestamp-format', actual: '"2026-01-01T00:00:00.123456"' },
    'End the timestamp with Z. The rule.',
  ],
  [
    { requirement: 'resources.id-is-uuid', actual: '"00000000000040008000000000000001"' },
    'Send the id with its hyphens. The rule.',
  ],
  [
    { requirement: 'resources.id-is-uuid', actual: '"msg_00000000-0000-4000-8000-000000000001"' },
    'Send the UUID alone, without anything before or behind it. The rule.',
  ],
  [
    { expected: 'an array', actual: 'null', pointer: '/items/0/sources' },
    'Send items[0].sources as an array, never null. The rule.',
  ],
  [
    { expected: 'a string', actual: '7', pointer: 'line 2 /message_id' },
    'Send message_id as a string, not as a number. The rule.',
  ],
  [{ expected: 'a string', actual: 'missing', pointer: '/error_code' }, 'The rule.'],
  [
    { requirement: 'http.operation-served', actual: '400 tool_message_has_no_matching_tool_call' },
    'Find the check that answers tool_message_has_no_matching_tool_call: it takes a correct request for a wrong one.',
  ],
  [
    { requirement: 'http.operation-served', actual: 'none within 30 s' },
    'When a caller disconnects, end the stream and release what it holds, such as the lock of its thread, in every case.',
  ],
])('%o is answered by %s', (fields, advice) => {
  expect(adviceOn(fields)).toBe(advice)
})

const open = 'Any 4xx with the error body of the contract will do.'

test('where other operations refuse what one accepts, the advice names the nearest one', () => {
  const own = { requirement: 'auth.key-required', expected: 'a rejection', actual: '200 success' }
  const upheld = ['listAssistants', 'runThread'].map((operation) =>
    violated({ ...own, operation: operation as Verdict['operation'], outcome: 'upheld' }),
  )
  expect(adviceOn(own, upheld)).toBe(
    `POST /v1/threads/{thread_id}/run already rejects this: apply the same check. The rule. ${open}`,
  )
  const far = upheld.concat(violated({ ...own, operation: 'listMyApiKeys', outcome: 'upheld' }))
  expect(adviceOn(own, far.toReversed())).toMatch(/^POST \/v1\/threads\/\{thread_id\}\/run already /)
  expect(adviceOn(own, upheld.slice(0, 1))).toMatch(/^GET \/v1\/assistants already rejects this: /)
  expect(adviceOn(own, [violated({ ...own, operation: 'listMessages' })])).toBe(`The rule. ${open}`)
  expect(adviceOn({ ...own, facet: 'another' }, upheld)).toBe(`The rule. ${open}`)
})

test('a missing rejection is told with the code that the contract fixes, or that any will do', () => {
  const missing = violated({ expected: 'a rejection', actual: '200 success' })
  const named = 'It is rejected with message_content_empty.'
  expect(fixText(missing, { rule: named, fix: 'Check it.' })).toBe(
    'Check it. The error is message_content_empty, with any 4xx status.',
  )
  expect(fixText(missing, { rule: named, fix: 'Answer with message_content_empty.' })).toBe(
    'Answer with message_content_empty.',
  )
  expect(fixText(missing, { rule: 'It is rejected.', fix: 'Check it.' })).toBe(`Check it. ${open}`)
})

test('where another rule fixes the code of a rejection, the advice on the rejection names it', () => {
  for (const [id, code] of [
    ['tools.unmatched-refused', 'tool_message_has_no_matching_tool_call'],
    ['completions.assistant-id-required', 'validation_error'],
    ['tenancy.foreign-thread-refused', 'thread_not_found'],
  ] as const)
    expect(requirementOf(id)?.fix).toContain(code)
})

test('the advice on missing keys fits made-up ones as well, which often go with them', () => {
  expect(requirementOf('auth.key-required')?.fix).toMatch(/missing or the key has no owner/)
})

test('no control character of a target gets into an advice', () => {
  const advice = adviceOn({ expected: 'a string', actual: '7', pointer: '/a\u001b[31m' })
  expect(advice).toBe('Send a\\u001b[31m as a string, not as a number. The rule.')
})

test('what became of a text is read behind it, not in it', () => {
  expect(textChangeIn('"a", cut after 1 characters')).toBe('cut after 1 characters')
  expect(textChangeIn('"a \\", twice"')).toBeNull()
  expect(textChangeIn('"a", "b"')).toBe('"b"')
})
