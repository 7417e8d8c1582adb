/** The command line as a person meets it: what is printed, where, and with which exit code. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { acs } from '../test/acs-in-process.ts'
import { sampleReport } from '../test/reports/sample-report.ts'
import { parseHttpUrl } from './arguments.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, content: string): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

test('help names every command and exits 0', async () => {
  const { code, out, err } = await acs(['--help'])
  expect(code).toBe(0)
  expect(err).toBe('')
  for (const command of ['test', 'judge', 'mock', 'init', 'spec', 'list', 'explain']) expect(out).toContain(command)
})

test.each([80, 120])(
  'help fits %i columns, names the three users, and says where the documentation is',
  async (columns) => {
    const { out } = await acs(['--help'], {}, { columns })
    for (const words of ['(implementers)', '(frontend)', '(vendors and their customers)', 'Examples:', '/docs'])
      expect(out).toContain(words)
    expect(out.split('\n').filter((line) => line.length > columns && !line.startsWith('  acs '))).toEqual([])
  },
)

test('a target on this machine needs no scheme', async () => {
  expect(parseHttpUrl('localhost:4010/')).toBe('http://localhost:4010')
  expect(parseHttpUrl('127.0.0.1:4010/base')).toBe('http://127.0.0.1:4010/base')
  expect(parseHttpUrl('[::1]:4010')).toBe('http://[::1]:4010')
  expect(() => parseHttpUrl('api.vendor.example:443')).toThrow()
})

test('a quiet run prints no progress, and --open shows the page', { timeout: 300_000 }, async () => {
  const out = join(folder, 'quiet')
  const ran = await acs(['test', '--only', 'files.user-id-required', '--out', out, '--quiet', '--open'])
  expect(ran.err).not.toMatch(/exchanges/)
  expect(ran.out).not.toMatch(/✓ (?!conformant)/)
  expect(ran.opened).toEqual([join(out, 'report.html')])
})

test.each(['verify', 'accept'])('%s refuses a nonce that no certificate can have', async (command) => {
  const policy = command === 'accept' ? ['--policy', file('policy.yaml', 'conformant: true\n')] : []
  const { code, err } = await acs([command, file('x.acsbundle', ''), '--nonce', 'abc', ...policy])
  expect(code).toBe(64)
  expect(err).toMatch(/^acs: --nonce: the nonce "abc" is short .* at least 16 characters\n$/)
})

test('no command at all prints the help and counts as wrong usage', async () => {
  const { code, err } = await acs([])
  expect(code).toBe(64)
  expect(err).toContain('Usage: acs')
})

test.each([
  ['an unknown command', ['tset'], 64, /^acs: unknown command 'tset' \(Did you mean test\?\); see acs --help\n$/],
  [
    'an unknown flag',
    ['test', '--sede', '3'],
    64,
    /^acs test: unknown option '--sede' \(Did you mean --seed\?\); see acs test --help\n$/,
  ],
  [
    'a number that is none',
    ['test', '--seed', 'x'],
    64,
    /^acs test: .*--seed.*'x' is invalid\. Use a whole number of at least 0; see acs test --help\n$/,
  ],
  [
    'a URL with a password',
    ['test', 'http://ann:SECRETPASS99@127.0.0.1:1'],
    64,
    /^acs: the URL contains a user name or a password; (?!.*SECRET).*\n$/,
  ],
  ['a URL that is none', ['test', 'not-a-host'], 64, /^acs test: .*Use a URL such as http.*\n$/],
  [
    'an unknown id',
    ['explain', 'threads.run-needs-user'],
    64,
    /^acs: unknown id threads\.run-needs-user; did you mean threads\.run-needs-user-message\?\n$/,
  ],
  [
    '--help of an unknown command',
    ['tset', '--help'],
    64,
    /^acs: unknown command 'tset' \(Did you mean test\?\); see acs --help\n$/,
  ],
  ['the help of an unknown command', ['help', 'tset'], 64, /^acs: unknown command 'tset'; see acs --help\n$/],
  ['a number that is too large', ['test', '--seed', '9'.repeat(20)], 64, /a whole number from 0 to 9007199254740991; /],
  ['a URL with a query', ['test', 'http://127.0.0.1:1/?x=1'], 64, /^acs test: .*a URL without a query.*\n$/],
  [
    'an unknown chapter',
    ['list', 'gaps', '--chapter', 'nope'],
    64,
    /^acs: --chapter nope: gaps has no chapter "nope"; chapters are .*pagination.*\n$/,
  ],
  [
    'the beginning of a chapter',
    ['list', 'gaps', '--chapter', 't'],
    64,
    /^acs: --chapter t: gaps has no chapter "t"; chapters are .*threads.*\n$/,
  ],
  [
    'a baseline of yesterday',
    ['baseline', 'x.json', '--expires', '2020-01-31'],
    64,
    /^acs baseline: .*Use today or a later date; .*\n$/,
  ],
  ['a file as a folder', ['board', import.meta.filename], 66, /it is not a folder/],
  ['an empty id', ['explain', ''], 64, /^acs: the id is empty; see acs list requirements, gaps or operations\n$/],
  [
    'a profile that does not exist',
    ['test', '--target', '/nowhere/acs.target.yaml'],
    66,
    /^acs: \/nowhere\/acs\.target\.yaml: cannot be read, the file does not exist; check the path\n$/,
  ],
  [
    'a trace that does not exist',
    ['judge', '/nowhere/trace.ndjson'],
    66,
    /^acs: \/nowhere\/trace\.ndjson: cannot be read, the file does not exist; check the path\n$/,
  ],
  [
    'a remote URL without a key',
    ['test', 'https://acs.example.com'],
    78,
    /^acs: no key for https:\/\/acs\.example\.com; export ACS_API_KEY.*\n$/,
  ],
  [
    'an init without a key',
    ['init', 'http://127.0.0.1:1', '--out', join(folder, 'new.yaml')],
    78,
    /^acs: ACS_API_KEY is not set; .*\n$/,
  ],
])('%s gives one line with the fix', async (_, argv, code, line) => {
  const ran = await acs(argv)
  expect(ran.err).toMatch(line)
  expect(ran.code).toBe(code)
  expect(ran.out).toBe('')
})

test('a broken profile is reported with file, line and column', async () => {
  const broken = file('broken.yaml', 'baseUrl: "http://127.0.0.1:1\ntenants: {')
  const { code, err } = await acs(['test', '--target', broken])
  expect(err).toMatch(/^acs: .*broken\.yaml:\d+:\d+.*\n$/)
  expect(code).toBe(78)
})

test('a missing environment variable is reported by name', async () => {
  const profile = file(
    'env.yaml',
    'baseUrl: http://127.0.0.1:1\ntenants:\n  primary:\n    key: ${ACS_TEST_KEY_THAT_IS_NOT_SET}\nclaims: [core]\n',
  )
  const { code, err } = await acs(['test', '--target', profile])
  expect(err).toMatch(/^acs: .*ACS_TEST_KEY_THAT_IS_NOT_SET.*\n$/)
  expect(code).toBe(78)
})

test('a file that is not a trace is reported with its line', async () => {
  const trace = file('trace.ndjson', '{"kind":"header"}\nnot json\n')
  const { code, err } = await acs(['judge', trace, '--out', join(folder, 'out')])
  expect(err).toMatch(/^acs: .*trace\.ndjson.*\n$/)
  expect(code).toBe(65)
})

test('init does not overwrite what is there', async () => {
  const there = file('there.yaml', 'baseUrl: x')
  const { code, err } = await acs(['init', 'http://127.0.0.1:1', '--out', there], { ACS_API_KEY: 'key-of-a-tenant' })
  expect(err).toContain('already exists; overwrite it with --force')
  expect(code).toBe(73)
})

test('list prints a line for each row, and JSON on demand', async () => {
  const { out } = await acs(['list', 'gaps', '--chapter', 'tools'])
  expect(out.trim().split('\n').length).toBe(10)
  for (const [kind, line] of [
    ['faults', /^stall +any +ms=1000,after=0 +The answer pauses/m],
    ['variants', /^http\.every-success-200 +Every success/m],
    ['deviations', /^threads\.run-answer-not-stored +\S/m],
  ] as const) {
    expect((await acs(['list', kind])).out).toMatch(line)
  }
  const rows = JSON.parse((await acs(['list', 'operations', '--json'])).out) as { id: string }[]
  expect(rows.map(({ id }) => id)).toContain('streamThreadRun')
})

test('explain tells rule, section, where it is owed and how to meet it', async () => {
  const { out } = await acs(['explain', 'threads.run-needs-user-message'])
  expect(out.replace(/at most \d+/, 'at most n')).toMatchInlineSnapshot(`
    "threads.run-needs-user-message  must  stated

      A run on a thread without any user message is rejected.

      contract      Endpoints / POST /v1/threads/{thread_id}/run
      judged by     the oracle threads.run-needs-user-message
      applies to
        runThread
        streamThreadRun
      how to meet   Check the thread before calling the model.
      asked by      threads.every-state
      settings      threads: without them it is asked less, or not at all
      try it alone  acs test --only threads.run-needs-user-message  (at most n exchanges, 0 model calls)
      see it fail   against acs mock --deviate <id>
        threads.run-of-nothing  Runs threads without any user message.
        threads.run-of-system-message  Takes a system message for a question.
        threads.run-of-empty-thread  Checks for a user message only where there are messages.
        threads.run-of-assistant-message  Takes a posted assistant message for a question.
        threads.run-of-open-call-alone  Checks nothing of a thread without a user message in which a call is open.
    "
  `)
})

test('explain tells a gap with its answers', async () => {
  expect((await acs(['explain', 'pagination.end-signal'])).out).toMatchInlineSnapshot(`
    "pagination.end-signal  (a gap: not stated)

      What does the cursor of the last page look like?

      contract     Resources and their fields / Message page
      answers      null | absent | an empty string | a cursor to an empty page
      consistency  Every walk ends in the same way.
      the mock     null
      No answer fails a target, unless its profile declares another one that the target keeps only sometimes.
    "
  `)
})

test('a declared answer to an unknown question is refused with a suggestion', async () => {
  const profile = file(
    'declares.yaml',
    'baseUrl: http://127.0.0.1:9\ntenants: { primary: { key: abcdefgh12345678 } }\nclaims: [core]\ndeclares: { pagination.end-signall: "null" }\n',
  )
  const { code, err } = await acs(['test', '--target', profile, '--plan'])
  expect(code).toBe(78)
  expect(err).toContain('names the question "pagination.end-signall", which does not exist; did you mean')
})

test('reports of folders that are called alike are told apart by their paths', async () => {
  const report = JSON.stringify(sampleReport({ green: true }))
  const files = ['left', 'right'].map((parent) => {
    mkdirSync(join(folder, parent, 'acs-report'), { recursive: true })
    return file(join(parent, 'acs-report', 'report.json'), report)
  })
  const { out } = await acs(['matrix', ...files])
  const head = out.split('\n').find((line) => line.startsWith('|  |')) ?? ''
  expect(head).toMatch(/left.*right/)
})

test('a profile beside the command that nobody named is not tested in silence', async () => {
  const before = process.cwd()
  file('acs.target.yaml', 'baseUrl: http://127.0.0.1:1\n')
  process.chdir(folder)
  try {
    const { err } = await acs(['test', '--plan'])
    expect(err).toMatch(/^Note: testing the built-in mock\. To use acs\.target\.yaml, pass it with --target/)
    expect(err).toMatch(/^Plan for the built-in mock on /m)
  } finally {
    process.chdir(before)
  }
})
