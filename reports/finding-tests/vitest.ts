/** Findings as tests of Vitest: fetch and nothing else. */

import type { LanguageSyntax } from './language-syntax.ts'
import { plus, quoted } from './source-text.ts'

const helpers = String.raw`
const list = (text: string): unknown[] => JSON.parse(text)
const joined = (texts: unknown[]): unknown[] => [texts.join('')]
const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'base64'))
const encoded = encodeURIComponent

function key(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error('set ' + name)
  return value
}

interface Answer {
  readonly status: number
  readonly text: string
}

async function send(method: string, path: string, body: string | Uint8Array<ArrayBuffer> | null, ...header: string[]): Promise<Answer> {
  const headers = header.flatMap((name, index) => (index % 2 === 0 ? [[name, header[index + 1] ?? ''] as [string, string]] : []))
  const response = await fetch(path.startsWith('http') ? path : baseUrl + path, { method, headers, body, redirect: 'manual' })
  const received = await response.arrayBuffer().catch(() => new ArrayBuffer(0))
  return { status: response.status, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(received) }
}

/** Sends a request again until its answer holds the values, for ten seconds at most. */
async function until(pointer: string, expected: unknown[], call: () => Promise<Answer>): Promise<Answer> {
  let answer = await call()
  for (let tries = 0; tries < 50 && values(pointer, answer)[0] !== expected[0]; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    answer = await call()
  }
  return answer
}

/** The JSON values at a pointer; * stands for each element, "line 2" and "line *" for lines of a stream. Missing is undefined; a missing list has none. */
function values(pointer: string, ...answers: Answer[]): unknown[] {
  const [, line = '', rest = pointer] = /^line (\S+) ?(.*)$/.exec(pointer) ?? []
  const keys = rest.split('/').slice(1).map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  return answers.flatMap(({ text }) => {
    const lines = text.replace(/\r?\n$/, '').split('\n')
    const documents = line === '' ? [text] : line === '*' ? lines : [lines[Number(line) - 1] ?? '']
    return documents.flatMap((document) => select(parsed(document), keys))
  })
}

function select(value: unknown, [name, ...rest]: string[]): unknown[] {
  if (name === undefined) return [value]
  const fields = typeof value === 'object' && value !== null ? value : {}
  if (name === '*') return Object.values(fields).flatMap((inner) => select(inner, rest))
  if (Object.hasOwn(fields, name)) return select(Reflect.get(fields, name), rest)
  return rest.includes('*') ? [] : [undefined]
}

function parsed(text: string): unknown {
  if (text.includes('\ufffd')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A field of the object with an id. */
function field(name: string, objects: unknown[], ids: unknown[]): unknown[] {
  return objects.flatMap((one) => (ids.includes(select(one, ['id'])[0]) ? select(one, [name]) : []))
}

function text(pointer: string, answer: Answer): string {
  const [value] = values(pointer, answer)
  if (typeof value !== 'string') throw new Error('no string at ' + pointer + ' of ' + answer.text.slice(0, 500))
  return value
}

/** "accepted", or the error code, or the status. */
function outcome(...answers: Answer[]): unknown[] {
  return answers.map((answer) => {
    const [code] = values('/error_code', answer)
    return typeof code === 'string' ? code : answer.status >= 200 && answer.status < 300 ? 'accepted' : 'status ' + answer.status
  })
}

const equal = (found: unknown[], expected: unknown[]): void => expect(found).toEqual(expected)
const contains = (found: unknown[], expected: unknown[]): void => expect(found).toEqual(expect.arrayContaining(expected))
const lacks = (found: unknown[], wrong: unknown[]): void => wrong.forEach((one) => expect(found).not.toContainEqual(one))
const distinct = (found: unknown[]): void => expect(found).toEqual([...new Set(found)])
const same = (found: unknown[]): void => expect(new Set(found).size, String(found)).toBe(1)
const ascending = (found: unknown[]): void => expect(found).toEqual([...found].sort())
const descending = (found: unknown[]): void => expect(found).toEqual([...found].sort().reverse())
const atMost = (found: unknown[], count: number): void => expect(found.length).toBeLessThanOrEqual(count)
const atLeast = (found: unknown[], count: number): void => expect(found.length).toBeGreaterThanOrEqual(count)
const inOrder = (found: unknown[], expected: unknown[]): void => equal(found.filter((one) => expected.includes(one)), expected)

const matches = (pattern: RegExp) => (value: unknown): boolean => typeof value === 'string' && pattern.test(value)
const kinds: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  text: (value) => typeof value === 'string' && value !== '',
  array: (value) => Array.isArray(value),
  list: (value) => Array.isArray(value) && value.length > 0,
  strings: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isInteger(value),
  positive: (value) => typeof value === 'number' && value > 0,
  uuid: matches(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i),
  timestamp: matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
  unset: (value) => value === undefined || value === null,
  present: (value) => value !== undefined,
}

function is(found: unknown[], kind: string): void {
  expect(found.length, 'values to look at').toBeGreaterThan(0)
  each(found, kind)
}

function each(found: unknown[], kind: string): void {
  for (const value of found) expect(kinds[kind]?.(value), JSON.stringify(value) + ' is ' + kind).toBe(true)
}
`

export const vitest: LanguageSyntax = {
  nothing: 'null',
  longEscape: (code) => `\\u{${code.toString(16)}}`,
  concat: plus,
  comment: '//',
  answer: (variable, call) => `const ${variable} = await ${call}`,
  until: (call, pointer, values) => `until(${pointer}, ${values}, () => ${call})`,
  text: (variable, call) => `const ${variable} = ${call}`,
  statement: (call) => call,
  test: (name, lines) => [
    `test(${quoted(name, vitest)}, async () => {`,
    ...lines.map((line) => `  ${line}`),
    '}, timeoutMs)',
  ],
  file: ({ head, baseUrl, tests }) =>
    [
      ...head,
      "import { expect, test } from 'vitest'",
      '',
      `const baseUrl = process.env.ACS_BASE_URL ?? ${baseUrl}`,
      '/** A test may take many requests, and a model its time: the five seconds of Vitest are too few. */',
      'const timeoutMs = 600_000',
      ...tests,
      helpers,
    ].join('\n'),
}
