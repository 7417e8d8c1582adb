/** What a person sees: reports in terminals of tmux, in a pipe, in CI, and with NO_COLOR. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { referenceProfile } from '../../cli/reference-profile.ts'
import { encodeTrace } from '../../conformance/index.ts'
import { deviations } from '../../mock-server/deviations/deviations.ts'
import { createMock } from '../../mock-server/index.ts'
import { serializeReport } from '../../reports/index.ts'
import { acs } from '../acs-in-process.ts'
import { traceOfRun } from '../recorded-run.ts'
import { sampleReport } from './sample-report.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-screen-'))
const reportFile = join(folder, 'report.json')
const bin = join(import.meta.dirname, '..', '..', 'cli', 'bin.ts')
const hasTmux = spawnSync('tmux', ['-V']).status === 0
const colourStart = '\u001b['

beforeAll(() => writeFileSync(reportFile, serializeReport(failingEverywhere())))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The sample report with a failure of forty rules that passed. */
function failingEverywhere() {
  const report = sampleReport()
  const chosen = [
    ...new Set(report.verdicts.filter(({ outcome }) => outcome === 'upheld').map(({ requirement }) => requirement)),
  ]
  const broken = new Set(chosen.slice(0, 40))
  const verdicts = report.verdicts.map((verdict) => {
    if (!broken.delete(verdict.requirement)) return verdict
    return { ...verdict, outcome: 'violated' as const, expected: 'a rejection', actual: 'an acceptance' }
  })
  return { ...report, verdicts }
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** The lines that a terminal of so many columns shows; a line that does not fit comes out as one that is too long. */
function linesOnScreen(columns: number, argv: readonly string[], environment: Readonly<Record<string, string>>) {
  const tmux = (...words: readonly string[]) =>
    spawnSync('tmux', ['-f', '/dev/null', '-S', join(folder, `socket-${columns}`), ...words], {
      encoding: 'utf8',
      env: { ...process.env, TERM: 'xterm-256color', TMUX: '' },
    })
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}`)
  const command = [
    'env',
    '-u',
    'NO_COLOR',
    '-u',
    'FORCE_COLOR',
    '-u',
    'CI',
    ...variables,
    process.execPath,
    bin,
    ...argv,
  ]
  const script = `${command.map((word) => (variables.includes(word) ? word : quoted(word))).join(' ')}; tmux -S ${quoted(join(folder, `socket-${columns}`))} wait-for -S done; exec cat`
  tmux('new-session', '-d', '-x', String(columns), '-y', '400', script)
  tmux('wait-for', 'done')
  const { stdout } = tmux('capture-pane', '-p', '-e', '-J')
  tmux('kill-server')
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd())
}

/** The same in a pipe. */
const piped = (environment: Readonly<Record<string, string>>) =>
  spawnSync(process.execPath, [bin, 'report', reportFile], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...environment },
  })

const widthOf = (line: string): number =>
  line
    .split(colourStart)
    .map((part, index) => (index === 0 ? part : part.replace(/^[\d;]*m/, '')))
    .join('').length

test.skipIf(!hasTmux).each([80, 120])(
  'a report of forty failures fits a terminal of %i columns, in colour',
  (columns) => {
    const lines = linesOnScreen(columns, ['report', reportFile], {})
    // A command stays one line, so that it can be copied.
    expect(lines.filter((line) => widthOf(line) > columns && !/^ +acs replay /.test(line))).toEqual([])
    expect(lines.length).toBeGreaterThan(30)
    expect(lines.length).toBeLessThanOrEqual(67)
    expect(lines.join('\n')).toContain('fix first')
    expect(lines.join('\n')).toContain(colourStart)
  },
)

test.skipIf(!hasTmux)('a terminal with NO_COLOR shows none', () => {
  const lines = linesOnScreen(80, ['report', reportFile], { NO_COLOR: '1' })
  expect(lines.join('\n')).toContain('fix first')
  expect(lines.join('\n')).not.toContain(colourStart)
})

test('a pipe in CI gets whole lines without colour', () => {
  const { status, stdout } = piped({ CI: 'true' })
  expect(status).toBe(0)
  expect(stdout).not.toContain(colourStart)
  expect(stdout.split('\n').some((line) => line.length > 120)).toBe(true)
})

test('a pipe gets colours when they are asked for', () => {
  expect(piped({ FORCE_COLOR: '1' }).stdout).toContain(colourStart)
})

test('a run under GitHub Actions annotates what failed, any other run prints no command of it', async () => {
  const broken = deviations.filter(({ requirement }) => requirement === 'files.user-id-required').slice(0, 1)
  await using mock = await createMock({ deviations: broken })
  const listener = await mock.listen({ port: 0, host: '127.0.0.1' })
  const only = 'files.user-id-required'
  const trace = await traceOfRun(referenceProfile(listener.url), { tier: 'gate', seed: 1, only }).finally(
    listener.close,
  )
  const file = join(folder, 'trace.ndjson')
  writeFileSync(file, encodeTrace(trace))
  const judged = (environment: Readonly<Record<string, string>>) =>
    acs(['judge', file, '--out', join(folder, 'judged')], environment)
  expect((await judged({ GITHUB_ACTIONS: 'true' })).out).toMatch(/^::error title=/m)
  expect((await judged({})).out).not.toContain('::')
})
