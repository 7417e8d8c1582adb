/** Tests the CI recipe: the scripts of the action and every command of docs/ci.md work. */
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMock } from '../../mock-server/index.ts'
import { builtCommand } from '../support/built-command.ts'
import { sampleOf } from '../support/samples.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'acs-ci-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Step {
  readonly id?: string
  readonly name: string
  readonly run?: string
  readonly uses?: string
  readonly shell?: string
  readonly with?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
}

const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
  readonly runs: { readonly steps: readonly Step[] }
}
const steps = action.runs.steps
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }

/** A folder in which `npx` and `acs` are stand-ins of the given script. */
const binFolder = (name: string, script: string): string => {
  const bin = mkdtempSync(join(folder, 'bin-'))
  writeFileSync(join(bin, name), script)
  chmodSync(join(bin, name), 0o755)
  return bin
}

/** Runs a step as the runner would: inputs filled into `env`, never into the script. */
const runStep = (
  step: Step,
  inputs: Readonly<Record<string, string>>,
  npx: string,
  { gh = '#!/bin/sh\nexit 1\n', more = {} }: { readonly gh?: string; readonly more?: NodeJS.ProcessEnv } = {},
) => {
  const output = join(mkdtempSync(join(folder, 'step-')), 'output')
  const given = (name: string): string => inputs[name] ?? action.inputs[name]?.default ?? ''
  const env = Object.entries(step.env ?? {}).map(([key, value]) => [
    key,
    value.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => given(name)),
  ])
  // As the runner starts it; bash would read ~/.bashrc where its input is a socket.
  const bash = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c']
  const { status, stdout } = spawnSync('bash', [...bash, step.run ?? ''], {
    cwd: folder,
    env: {
      PATH: [binFolder('npx', npx), binFolder('gh', gh), process.env.PATH].join(delimiter),
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: `${output}.md`,
      ...Object.fromEntries(env),
      ...more,
    },
  })
  const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  return { status, output: read(output), summary: read(`${output}.md`), printed: String(stdout) }
}

const stepNamed = (name: string): Step => {
  const step = steps.find((one) => one.name === name)
  if (step === undefined) throw new Error(`no step ${name}`)
  return step
}

test('the package is named by its version, and every other action by its commit', () => {
  expect(action.inputs.package?.default).toBe(`acs-kit@${version}`)
  const used = steps.flatMap(({ uses }) => uses ?? [])
  expect(used).toHaveLength(3)
  for (const one of used) expect(one).toMatch(/@[0-9a-f]{40}$/)
  for (const page of ['README.md', 'docs/ci.md', 'docs/implementing.md', 'docs/mock.md', 'docs/certifying.md']) {
    const commands =
      readFileSync(join(root, page), 'utf8').match(/(?:npx|npm (?:i|install|add)) [^\n]*acs-kit\S*/g) ?? []
    for (const command of commands) expect(command, page).toContain(`acs-kit@${version}`)
  }
})

test('the runner obeys no command between the words that stop and start it, which nobody can guess', () => {
  const target = '::set-output name=x::y\n::warning::w\n'
  const npx = `#!/bin/sh\nprintf '${target.replaceAll('\n', '\\n')}'\nprintf 'no line end'\n`
  const words = ['Run the suite', 'Run the suite', 'Render the report'].map((name) => {
    const report = join(folder, 'given')
    mkdirSync(report, { recursive: true })
    for (const file of ['report.json', 'summary.md', 'annotations.txt'])
      writeFileSync(join(report, file), '{"run":{"outcome":"conformant"}}')
    const { printed, status } = runStep(stepNamed(name), { url: 'http://a.example', out: report }, npx)
    expect(status).toBe(0)
    const [, word = '', said] = /^::stop-commands::([0-9a-f]{32})\n([\s\S]*)\n::\1::\n$/.exec(printed) ?? []
    expect(said).toContain(target)
    return word
  })
  expect(new Set(words).size).toBe(3)
})

test('no input becomes part of a script', () => {
  expect(steps.filter(({ run }) => run?.includes('${{')).map(({ name }) => name)).toEqual([])
})

test('the action passes every input on as one argument, whatever it holds', () => {
  const record = join(folder, 'arguments')
  const npx = `#!/bin/sh\nprintf '%s\\n' "$@" > '${record}'\nexit 2\n`
  const hostile = `$(touch ${folder}/owned); "x" 'y'`
  const inputs = { url: hostile, target: 'a b.yaml', only: '*', strict: 'true', shard: '1/2', 'max-model-calls': '5' }
  expect(runStep(stepNamed('Run the suite'), inputs, npx)).toMatchObject({ status: 0, output: 'exit-code=2\n' })
  const passed = readFileSync(record, 'utf8').trimEnd().split('\n')
  expect(passed).toEqual([
    '--yes',
    '--package',
    `acs-kit@${version}`,
    '--',
    'acs',
    'test',
    '--out',
    'acs-report',
    '--tier',
    'gate',
    '--target',
    'a b.yaml',
    '--only',
    '*',
    '--shard',
    '1/2',
    '--max-model-calls',
    '5',
    '--strict',
    '--',
    hostile,
  ])
  expect(existsSync(join(folder, 'owned'))).toBe(false)
})

test('without a report the action says so and ends with the code of the run', () => {
  const { status, summary } = runStep(stepNamed('Render the report'), { out: 'nowhere' }, '#!/bin/sh\nexit 1\n')
  expect({ status, summary }).toEqual({ status: 0, summary: 'No report was written.\n' })
})

/** The codes of runs without a broken rule, with one, with something open, of nothing judged, of wrong usage, and of no run. */
const codes = ['0', '1', '2', '3', '64', '']

const endingsOf = {
  incomplete: [0, 1, 2, 3, 64, 70],
  nonconformant: [0, 1, 0, 3, 64, 70],
  invalid: [0, 0, 0, 3, 64, 70],
  mistyped: [64, 64, 64, 64, 64, 64],
}

test.each(sampleOf('outcomes that the action is told to fail on', Object.entries(endingsOf)))(
  'the action fails on the outcome that it is told, and never passes what was not judged: %s',
  (failOn, expected) => {
    const last = stepNamed('Pass or fail')
    const endings = codes.map(
      (code) => runStep({ ...last, env: { ACS_CODE: code, ACS_IN_FAIL_ON: failOn } }, {}, '').status,
    )
    expect(endings).toEqual(expected)
  },
)

test('an action that is told neither url nor target is wrong usage and tests no mock', () => {
  const inputs = { url: '', target: '' }
  expect(runStep(stepNamed('Run the suite'), inputs, '#!/bin/sh\nexit 0\n')).toMatchObject({
    status: 0,
    output: 'exit-code=64\n',
  })
})

/** The contexts that a composite action may use, and what each step of this one may. */
const expressions =
  /^(?:inputs\.[\w-]+|github\.(?:job|token|event\.pull_request\.number)|strategy\.job-index|steps\.\w+\.outputs\.[\w-]+)$/

test('every expression of the action names an input, an output or a context that composite actions have', () => {
  const text = readFileSync(join(root, 'action.yml'), 'utf8')
  const used = [...text.matchAll(/\$\{\{ (.*?) \}\}/g)].map(([, expression = '']) => expression)
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter((expression) => !expressions.test(expression))).toEqual([])
  const inputs = [...text.matchAll(/\binputs\.([\w-]+)/g)].map(([, name = '']) => name)
  expect([...new Set(inputs)].sort()).toEqual(Object.keys(action.inputs).sort())
  const ids = new Set(steps.flatMap(({ id }) => id ?? []))
  for (const [, id = ''] of text.matchAll(/\bsteps\.(\w+)\.outputs/g)) expect(ids).toContain(id)
})

test('every script of the action is valid for bash, and every step that runs one says which shell', () => {
  for (const { name, run, shell } of steps.filter((step) => step.run !== undefined)) {
    expect(shell, name).toBe('bash')
    expect(spawnSync('bash', ['-n'], { input: run }).status, name).toBe(0)
  }
})

test('jobs of a matrix upload artefacts of different names', () => {
  expect(stepNamed('Keep the report').with?.name).toBe(
    '${{ inputs.artifact }}-${{ github.job }}-${{ strategy.job-index }}',
  )
})

test('a merge job hands the reports of all parts to acs merge', () => {
  const record = join(folder, 'merge-arguments')
  for (const part of ['parts/a-0', 'parts/a-1']) {
    mkdirSync(join(folder, part), { recursive: true })
    writeFileSync(join(folder, part, 'report.json'), '{}')
  }
  const npx = `#!/bin/sh\nprintf '%s\\n' "$@" > '${record}'\n`
  const { output } = runStep(stepNamed('Run the suite'), { merge: 'parts', target: 't.yaml' }, npx)
  expect(output).toBe('exit-code=0\n')
  const passed = readFileSync(record, 'utf8').trimEnd().split('\n').slice(5)
  expect(passed).toEqual(
    'merge --out acs-report --target t.yaml -- parts/a-0/report.json parts/a-1/report.json'.split(' '),
  )
})

test('alerts are attached to the profile, or else to the workflow, and annotations are the only commands', () => {
  const out = join(folder, 'rendered')
  const record = join(folder, 'render-arguments')
  mkdirSync(out, { recursive: true })
  writeFileSync(join(out, 'report.json'), '{"run":{"outcome":"nonconformant"}}')
  writeFileSync(join(out, 'summary.md'), '# summary\n')
  writeFileSync(join(out, 'annotations.txt'), '::error title=a.b::text\n::set-output name=x::forged\n')
  const npx = `#!/bin/sh\nprintf '%s ' "$@" >> '${record}'\necho >> '${record}'\n`
  const more = { GITHUB_WORKFLOW_REF: 'org/repo/.github/workflows/ci.yml@refs/heads/main' }
  const { printed, summary, output } = runStep(stepNamed('Render the report'), { out }, npx, { more })
  expect(summary).toBe('# summary\n')
  expect(output).toBe('outcome=nonconformant\n')
  expect(printed).toMatch(/::[0-9a-f]{32}::\n::error title=a\.b::text\n$/)
  runStep(stepNamed('Render the report'), { out, target: './a b.yaml' }, npx, { more })
  const sarif = readFileSync(record, 'utf8')
    .split('\n')
    .filter((line) => line.includes('--format sarif'))
  expect(sarif[0]).toMatch(/--artifact \.github\/workflows\/ci\.yml $/)
  expect(sarif[1]).toMatch(/--artifact a b\.yaml --target \.\/a b\.yaml $/)
})

test.each([
  ['writes a new comment', '', /--method POST repos\/org\/repo\/issues\/7\/comments -F body=@/],
  ['writes its own comment anew', '42', /--method PATCH repos\/org\/repo\/issues\/comments\/42 -F body=@/],
])('a pull request gets one comment: %s', (_, known, expected) => {
  const out = mkdtempSync(join(folder, 'comment-'))
  writeFileSync(join(out, 'summary.md'), 'summary\n')
  const gh = `#!/bin/sh\necho "$@" >> '${out}/sent'\ncase "$*" in *--paginate*) printf '%s' '${known}';; esac\n`
  const more = { ACS_MARKER: '<!-- acs-kit a -->', ACS_PULL_REQUEST: '7', GITHUB_REPOSITORY: 'org/repo' }
  expect(runStep(stepNamed('Comment'), { out }, '', { gh, more }).status).toBe(0)
  expect(readFileSync(join(out, 'sent'), 'utf8')).toMatch(expected)
  expect(readFileSync(join(out, 'comment.md'), 'utf8')).toBe('<!-- acs-kit a -->\nsummary\n')
})

test('a comment that is refused is a warning and fails nothing', () => {
  const out = mkdtempSync(join(folder, 'comment-'))
  writeFileSync(join(out, 'summary.md'), 'summary\n')
  const { status, printed } = runStep(stepNamed('Comment'), { out }, '')
  expect({ status, isWarned: printed.startsWith('::warning title=acs-kit::The comment was refused') }).toEqual({
    status: 0,
    isWarned: true,
  })
})

/** Later blocks read the report of the first, and each works without the others. */
const sampledBlocks = (blocks: readonly string[]): readonly string[] => [
  ...blocks.slice(0, 1),
  ...sampleOf('commands of docs/ci.md behind the first', blocks.slice(1)),
]

test('every command of docs/ci.md works as it stands there', async () => {
  const blocks = [...readFileSync(join(root, 'docs', 'ci.md'), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(
    ([, block = '']) => block,
  )
  expect(blocks.length).toBeGreaterThan(4)
  const script = sampledBlocks(blocks).join('\n')
  const acs = `#!/bin/sh\nexec '${process.execPath}' '${await builtCommand()}' "$@"\n`
  await using mock = await createMock()
  const listening = await mock.listen({ port: 0, host: '127.0.0.1' })
  const env = {
    ...process.env,
    PATH: `${binFolder('acs', acs)}${delimiter}${process.env.PATH}`,
    ACS_URL: listening.url,
  }
  await promisify(execFile)('bash', ['-c', `set -e\n${script}`], { cwd: folder, env }).finally(listening.close)
  const written = [...script.matchAll(/--out (\S+)/g)].map(([, file = '']) => join(folder, file))
  // Nothing is violated, so that no test of a finding is written.
  for (const file of written.filter((name) => !/find|Find/.test(name))) expect(existsSync(file), file).toBe(true)
  expect(existsSync(join(folder, 'acs-report', 'junit.xml'))).toBe(true)
  const forms = Object.entries({
    'summary.md': /^## ✅ ACS conformance: conformant\n/,
    'merged/report.html': /^<!doctype html>/i,
  }).filter(([file]) => existsSync(join(folder, file)))
  for (const [file, beginning] of forms) expect(readFileSync(join(folder, file), 'utf8'), file).toMatch(beginning)
})
