/** A printed command does what was recorded, and nothing that a target would like it to do. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { hostileStrings } from '../test/reports/hostile-text.ts'
import { sampleExchange } from '../test/reports/sample-exchanges.ts'
import { curlOf, keyVariable, shellWord } from './curl.ts'

const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u
const plain = sampleExchange({
  id: 'E1',
  operation: 'createMessage',
  method: 'POST',
  path: '/v1/x',
  body: { content: "it's" },
  status: 200,
  answer: {},
  sentAtMs: 0,
  tookMs: 1,
})

const shells = ['sh', 'bash', 'dash']
const locale = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }

test.each(shells)('%s reads every word as the very text, and a terminal sees nothing to obey', (shell) => {
  // What a word cannot carry: NUL, half characters that have no bytes, line feeds at its end.
  const texts = hostileStrings.map((text) => text.replace(/\0|\p{Cs}|\n+$/gu, ''))
  const words = texts.map(shellWord)
  for (const word of words) expect(word).not.toMatch(invisible)
  const read = execFileSync(shell, ['-c', `printf '%s\\0' ${words.join(' ')}`], { env: locale })
  expect(read.toString('utf8').split('\0').slice(0, -1)).toEqual(texts)
})

test('the line has method, headers, body and URL, and the key only by its variable', () => {
  expect(curlOf(plain)).toBe(
    `curl -i -X POST -H "api-key: $ACS_API_KEY" -H 'content-type: application/json' --data-raw '{"content":"it'\\''s"}' http://127.0.0.1:4010/v1/x`,
  )
  expect(keyVariable('secondary')).toBe('ACS_SECONDARY_API_KEY')
})

test('a made-up key stands in the line, since it is what was tried', () => {
  expect(curlOf({ ...plain, credential: null })).toContain(`-H 'api-key: pseudonym-7a1c'`)
})

test('brackets in a URL are sent, not expanded, and a body that starts with @ is no file', () => {
  const odd = {
    ...plain,
    request: { ...plain.request, url: 'http://h/v1/../x?a=[1-3]', body: { utf8: '@/etc/passwd' } },
  }
  expect(curlOf(odd)).toContain("--data-raw '@/etc/passwd' --globoff --path-as-is 'http://h/v1/../x?a=[1-3]'")
})

test('what curl cannot send is said and not faked', () => {
  expect(curlOf({ ...plain, request: { ...plain.request, line: 'GET /\u0000 HTTP/9' } })).toBe(
    '# sent over a bare socket, with the request line "$(printf %b \'GET /\\0000 HTTP/9\')"',
  )
  const headers = plain.request.headers.filter(([name]) => name.toLowerCase() !== 'content-length')
  const withBody = (utf8: string, length: number) => ({
    ...plain,
    request: { ...plain.request, headers: [...headers, ['content-length', String(length)] as const], body: { utf8 } },
  })
  expect(curlOf(withBody('x'.repeat(3000), 3000))).toContain(`--data-raw ${'x'.repeat(3000)}`)
  expect(curlOf(withBody('x'.repeat(200_000), 200_000))).toMatch(/^# the body is too long/)
  expect(curlOf(withBody('cut', 3000))).toMatch(/^# the body is too long/)
})

test.each(shells)('no word of a target is obeyed by %s', (shell) => {
  const texts = [
    `\u200b'; echo PWNED #`,
    `\u200b\\'; echo PWNED #`,
    `'; echo PWNED #`,
    '\u200b$(echo PWNED)`echo PWNED`',
  ]
  for (const text of texts) {
    const said = execFileSync(shell, ['-c', `printf %s ${shellWord(text)} | tr -d '\\n'; echo .`], { encoding: 'utf8' })
    expect(said.split('PWNED').length).toBe(text.split('PWNED').length)
    expect(said.endsWith('.\n')).toBe(true)
  }
})

test('bytes that are no text come out of a pipe that every shell has', () => {
  const binary = { ...plain, request: { ...plain.request, headers: [], body: { base64: '/wA=' } } }
  expect(curlOf(binary)).toMatch(/^printf %s '?\/wA='? \| base64 -d \| curl -i .*--data-binary @-/)
})

test.each(shells)('a body with invisible characters reaches curl byte for byte through %s', (shell) => {
  const utf8 = `{"content":"it's\u200b \\\\ 100%25 %s\u2028"}\u0000\n\n`
  const line = curlOf({ ...plain, request: { ...plain.request, headers: [], body: { utf8 } } })
  expect(line).not.toMatch(invisible)
  const sent = execFileSync(shell, ['-c', line.replace(/curl -i .*$/, 'cat')], { env: locale })
  expect(sent.toString('utf8')).toBe(utf8)
})
