/** Tests the package as users get it: packed, installed, run as a command and imported with types. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampling } from './support/samples.ts'
import { slowTest } from './support/slow-test.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'acs-kit-package-'))

/** The compiler needs less processor time with a bigger heap. */
const env = { ...process.env, GOGC: '400' }

const run = (command: string, args: readonly string[], cwd = folder): string =>
  execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

const acs = (...args: readonly string[]): string => run(join(folder, 'node_modules', '.bin', 'acs'), args)

let archive = ''

beforeAll(() => {
  const packed = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], root).replace(/^[^[]*/, ''))
  archive = join(folder, packed[0].filename)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, packed[0].filename)])
}, 240_000)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

test('the installed command prints its help, its version and the rules', () => {
  expect(acs('--help')).toContain('acs')
  expect(acs('--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(acs('list', 'requirements').split('\n').length).toBeGreaterThan(120)
  expect(acs('spec', '--profile', 'reference', '--format', 'json')).toContain('"createThread"')
})

test('an install with all it depends on takes at most 15 MB on a disk', () => {
  const installed = join(folder, 'node_modules')
  const block = 4096
  const entries = readdirSync(installed, { recursive: true }).map((entry) => lstatSync(join(installed, String(entry))))
  const bytes = entries.reduce((sum, { size }) => sum + Math.ceil(size / block) * block, 0)
  expect(bytes).toBeLessThan(15_000_000)
  expect(bytes).toBeGreaterThan(5_000_000)
})

test('the package carries the licence of each package that is inside its bundle', () => {
  const licences = readFileSync(join(folder, 'node_modules', 'acs-kit', 'dist', 'licences.txt'), 'utf8')
  const inside = licences.split('\n---\n').map((text) => text.trim().split('\n')[0])
  expect(inside).toEqual(expect.arrayContaining(['ajv', 'ajv-formats', 'badgen', 'json-p3', 're2js']))
})

test('the installed mock says what --state needs', () => {
  const mock = spawnSync(join(folder, 'node_modules', '.bin', 'acs'), [
    'mock',
    '--port',
    '0',
    '--state',
    join(folder, 'kept'),
  ])
  expect(String(mock.stderr)).toContain('npm install classic-level')
  expect(mock.status).toBeGreaterThan(0)
})

test('the installed command reads a profile by its schema', () => {
  const profile = {
    baseUrl: 'http://127.0.0.1:9',
    tenants: { primary: { key: 'x' } },
    claims: ['core'],
    colour: 'blue',
  }
  writeFileSync(join(folder, 'wrong.yaml'), JSON.stringify(profile))
  const args = ['test', '--target', 'wrong.yaml']
  const { stderr } = spawnSync(join(folder, 'node_modules', '.bin', 'acs'), args, { cwd: folder, encoding: 'utf8' })
  expect(stderr).toContain('the profile has no field "colour"')
})

slowTest('the installed command runs the suite against its own mock and finds it conformant', () => {
  const printed = acs('test', '--out', join(folder, 'report'))
  expect(printed).toMatch(/^✓ conformant {2}0 failures/m)
})

slowTest('the installed command finds the bundles of its workers beside it', () => {
  const dist = join(folder, 'node_modules', 'acs-kit', 'dist')
  const named = globSync('*.js', { cwd: dist }).flatMap((file) =>
    [...readFileSync(join(dist, file), 'utf8').matchAll(/`\.\/([\w-]+)\$\{extname/g)].map(([, name]) => `${name}.js`),
  )
  expect(new Set(named)).toEqual(
    new Set(['bin.js', 'part-worker.js', 'recording-worker.js', 'trial-worker.js', 'verify-worker.js']),
  )
  for (const file of named) expect(existsSync(join(dist, file))).toBe(true)
  const args = ['prove', '--tier', 'smoke', '--only', 'threads.assistant-stored-as-user', '--out', 'proof']
  const { stderr } = spawnSync(join(folder, 'node_modules', '.bin', 'acs'), args, { cwd: folder, encoding: 'utf8' })
  expect(stderr).toContain('1 of 1')
})

/** The instructions of the Dockerfile, by name. */
const instructions = (): ReadonlyMap<string, string> =>
  new Map(
    readFileSync(join(root, 'Dockerfile'), 'utf8')
      .split('\n')
      .flatMap((line): readonly [string, string][] => {
        const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
        return name === '' ? [] : [[name, rest]]
      }),
  )

test('the lines of the Dockerfile get Node and a user where the base has none, and leave them alone where it has', () => {
  const steps = readFileSync(join(root, 'Dockerfile'), 'utf8').match(/(?<=^RUN ).*(?:apt-get|useradd).*$/gm) ?? []
  const calls = (status: number) => {
    const bin = mkdtempSync(join(folder, 'bin-'))
    const note = (name: string, code: number) =>
      writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} "$@"\nexit ${code}\n`, { mode: 0o755 })
    for (const name of ['apt-get', 'useradd']) note(name, 0)
    note('id', status)
    writeFileSync(join(bin, 'rm'), '#!/bin/sh\n', { mode: 0o755 })
    if (status === 0) for (const name of ['npm', 'node']) note(name, 0)
    return steps.map((step) => execFileSync('/bin/sh', ['-c', step], { env: { PATH: bin }, encoding: 'utf8' }))
  }
  expect(calls(1)).toEqual([
    'apt-get update\napt-get install -y --no-install-recommends nodejs npm\n',
    'apt-get update\napt-get install -y --no-install-recommends nodejs\n',
    'id node\nuseradd --system node\n',
  ])
  expect(calls(0)).toEqual([expect.stringMatching(/\/npm\n$/), expect.stringMatching(/\/node\n$/), 'id node\n'])
})

slowTest('the Dockerfile installs the package in an empty folder, serves, and tells whether it does', async () => {
  const lines = instructions()
  const image = join(folder, 'image')
  mkdirSync(image)
  expect([...lines.keys()].indexOf('USER')).toBeLessThan([...lines.keys()].indexOf('ENTRYPOINT'))
  expect(lines.get('USER')).toBe('node')
  const here = (line = '') => line.replaceAll('/opt/acs', image)
  const install = /(?<=^RUN )npm install.*$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))?.[0]
  execFileSync('sh', ['-c', `${here(install)} --prefer-offline`], {
    cwd: image,
    env: { ...env, ACS_KIT: archive },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [command = '', ...entry]: readonly string[] = JSON.parse(here(lines.get('ENTRYPOINT')))
  const words: readonly string[] = JSON.parse(lines.get('CMD') ?? '[]')
  const mock = spawn(command, [...entry, ...words, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [banner] = await once(mock.stdout, 'data')
  const port = /http:\/\/0\.0\.0\.0:(\d+)/.exec(String(banner))?.[1] ?? ''
  const check = (lines.get('HEALTHCHECK') ?? '').replace(/^.*? CMD /, '').replace('4010', port)
  const [node = '', ...asking]: readonly string[] = JSON.parse(check)
  expect(spawnSync(node, asking).status).toBe(0)
  const ended = once(mock, 'exit')
  mock.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(spawnSync(node, asking).status).toBe(1)
})

const consumer = `
import { requirements, type RequirementId } from 'acs-kit/spec'
import { createMock } from 'acs-kit/mock'
import { judge, type Trace } from 'acs-kit/conformance'
import { createReport, type Report } from 'acs-kit/reports'
import { arbitraryFromSchema } from 'acs-kit/generators'
import { readNdjson, type TextStreamItem } from 'acs-kit/client'
import * as kit from 'acs-kit'

const id: RequirementId = requirements[0].id
const report = (trace: Trace): Report => createReport(trace, judge(trace, {}))
export const texts = (body: Response) => readNdjson<TextStreamItem>(body)
console.log(id, typeof createMock, typeof report, typeof arbitraryFromSchema, Object.keys(kit).length > 0)
`

slowTest('every entry point can be imported, and its types are right for a strict consumer', () => {
  mkdirSync(join(folder, 'src'), { recursive: true })
  writeFileSync(join(folder, 'src', 'consumer.ts'), consumer)
  const options = {
    strict: true,
    module: 'NodeNext',
    target: 'ES2022',
    outDir: 'out',
    rootDir: 'src',
    // Types of others are most of the work; the imports of our own are tested below.
    skipLibCheck: !sampling.whole,
    types: ['node'],
    lib: ['ES2023', 'ESNext.Disposable', 'DOM'],
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { ...options, typeRoots: [join(root, 'node_modules', '@types')] },
      include: ['src'],
    }),
  )
  run(join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder, '--singleThreaded'])
  expect(run('node', [join('out', 'consumer.js')]).trim()).toBe('http.operation-served function function function true')
})

slowTest('the types of the mock need neither those of Node nor a library of the newest JavaScript', () => {
  const page = join(folder, 'page')
  mkdirSync(page)
  const lib = ['ES2023', 'DOM', 'DOM.Iterable']
  const compilerOptions = { strict: true, noEmit: true, module: 'esnext', moduleResolution: 'bundler', lib, types: [] }
  writeFileSync(join(page, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['page.ts'] }))
  const text = `import { readNdjson } from 'acs-kit/client'\nimport { createMock } from 'acs-kit/mock'\n`
  writeFileSync(
    join(page, 'page.ts'),
    `${text}export const world = (await createMock()).world()\nexport { readNdjson }\n`,
  )
  run(join(root, 'node_modules', '.bin', 'tsc'), ['-p', page, '--singleThreaded'])
})

slowTest('CommonJS can require the mock, where Node requires ES modules and where nothing does, as in Jest', () => {
  const script = `const { createMock } = require('acs-kit/mock')
    createMock().then(async (mock) => {
      const listener = await mock.listen()
      const { status } = await fetch(listener.url + '/v1/assistants', { headers: { 'api-key': 'acs-demo-primary' } })
      await mock.close()
      console.log(status, require.resolve('acs-kit/mock').endsWith('.cjs'))
    })`
  for (const node of nodes()) {
    expect(run(node, ['-e', script])).toBe('200 false\n')
    expect(run(node, ['--no-experimental-require-module', '-e', script])).toBe('200 true\n')
  }
})

/** The Node of the tests, and that of the machine where it is another one. */
const nodes = (): readonly string[] => {
  const path = (process.env.PATH ?? '').split(':').filter((one) => !one.includes('node_modules'))
  const other = path.map((one) => join(one, 'node')).find((one) => existsSync(one))
  const able = other !== undefined && /^v(2[0-9])\.(19|[2-9][0-9])/.test(run(other, ['--version']))
  return [process.execPath, ...(able ? [other] : [])]
}

test('bundlers for browsers find the build for browsers', () => {
  const print = `console.log(import.meta.resolve('acs-kit/mock'), import.meta.resolve('acs-kit/vitest'))`
  const [mock = '', vitest = ''] = run('node', ['-C', 'browser', '--input-type=module', '-e', print]).split(' ')
  expect(mock).toMatch(/dist\/browser\/mock\.js$/)
  expect(vitest).toMatch(/dist\/vitest-browser\.js$/m)
  expect(existsSync(join(folder, 'node_modules', 'acs-kit', 'dist', 'browser', 'licences.txt'))).toBe(true)
})

test('the package exports both documents for generators of clients', () => {
  const print = `for (const name of ['openapi.yaml', 'openapi.reference.yaml'])
    console.log(fs.readFileSync(new URL(import.meta.resolve('acs-kit/' + name)), 'utf8'))`
  const text = run('node', ['--input-type=module', '-e', `import fs from 'node:fs'\n${print}`])
  expect(text.match(/^openapi: 3\.1\.0$/gm)).toHaveLength(2)
  expect(text).toContain('createThread')
  expect(text).not.toContain('{base_url}')
})

test('the types of the package import only what the package ships or depends on', () => {
  const installed = join(folder, 'node_modules', 'acs-kit')
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const known = new Set(Object.keys({ 'acs-kit': '', ...dependencies }))
  const files = globSync('dist/**/*.d.ts', { cwd: installed })
  const isSkin = (file: string) => /skins|vitest\.d\.ts$/.test(file)
  const missing = files.flatMap((file) =>
    importsOf(join(installed, file))
      .filter((from) => !isShipped(from, dirname(join(installed, file))) && !known.has(packageOf(from)))
      .filter((from) => !(isSkin(file) && packageOf(from) in peerDependencies))
      .map((from) => `${file}: ${from}`),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(missing).toEqual([])
})

const importsOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/\b(?:from|import\() ?['"]([^'"]+)['"]/g)].map(([, from = '']) => from)

const isShipped = (from: string, home: string): boolean =>
  from.startsWith('node:') ||
  (from.startsWith('.') && [from, from.replace(/\.[jt]s$/, '.d.ts')].some((file) => existsSync(join(home, file))))

const packageOf = (from: string): string =>
  from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/')

/** What the repository has and the package has not: files for contributors, and pictures. */
const leftOut = new Set(['CONTRIBUTING.md', 'docs/decisions'])
const isLeftOut = (path: string): boolean =>
  leftOut.has(path) || (path.startsWith('docs/images/') && existsSync(join(root, path)))

test('the documents of the package lead to files of the package', () => {
  const installed = join(folder, 'node_modules', 'acs-kit')
  const linked = ['README.md', ...globSync('docs/*.md', { cwd: installed })].flatMap((document) =>
    [...readFileSync(join(installed, document), 'utf8').matchAll(/(?:\]\(|src(?:set)?=")([^)#":\s]+)(?=[)#"])/g)].map(
      ([, path = '']) => join(dirname(document), path).replace(/\/$/, ''),
    ),
  )
  expect(linked.length).toBeGreaterThan(25)
  expect(linked.filter((path) => !existsSync(join(installed, path)) && !isLeftOut(path))).toEqual([])
})
