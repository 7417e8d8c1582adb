/** Tests that clients generated from our documents compile strictly and hold a conversation with the mock. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMock, type Listener, type Mock } from '../../mock-server/index.ts'
import { loadDocument, renderDocument } from '../../spec/index.ts'
import { sampleOf } from '../support/samples.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'acs-clients-'))
/** Installed apart: the generators use the API of an older compiler, and few tests need them. */
const generatorsHome = join(import.meta.dirname, 'node_modules')
let mock: Mock
let listener: Listener

beforeAll(async () => {
  mock = await createMock()
  listener = await mock.listen()
  const apart = { cwd: import.meta.dirname }
  if (!existsSync(generatorsHome)) await promisify(execFile)('npm', ['ci', '--prefer-offline'], apart)
  symlinkSync(generatorsHome, join(folder, 'node_modules'), 'dir')
  for (const profile of ['reference', 'contract'] as const) {
    writeFileSync(join(folder, `${profile}.yaml`), renderDocument(await loadDocument({ profile, clients: {} }), 'yaml'))
  }
}, 240_000)

afterAll(async () => {
  await mock.close()
  rmSync(folder, { recursive: true })
})

const generator = (name: string): string => join(generatorsHome, '.bin', name)

const run = async (command: string, args: readonly string[]): Promise<string> => {
  const done = promisify(execFile)(command, args, { cwd: folder, encoding: 'utf8' })
  const { stdout } = await done.catch((cause: { stdout: string; stderr: string }) => {
    throw new Error(`${command}\n${cause.stdout}${cause.stderr}`)
  })
  return stdout
}

/** Compiles a use of a client strictly, runs it against the mock, and returns what it printed. */
const conversation = async (name: string): Promise<unknown> => {
  const text = readFileSync(join(import.meta.dirname, 'fixtures', `${name}.ts`), 'utf8')
  const door = JSON.stringify(join(root, 'spec', 'client', 'index.ts'))
  writeFileSync(join(folder, `${name}.ts`), text.replaceAll("'acs-kit/client'", door))
  const compilerOptions = {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }))
  await run(join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder])
  const outfile = join(folder, `${name}.mjs`)
  buildSync({ entryPoints: [join(folder, `${name}.ts`)], outfile, bundle: true, format: 'esm', platform: 'node' })
  return JSON.parse(await run(process.execPath, [outfile, listener.url]))
}

const talked = {
  answer: 'You said: Hello',
  mood: expect.any(String),
  roles: ['assistant 1', 'user'],
  thought: true,
  unknown: 'resource not found',
}

const generators = {
  'openapi-typescript and openapi-fetch': async () => {
    await run(generator('openapi-typescript'), ['reference.yaml', '-o', 'schema.d.ts'])
    await run(generator('openapi-typescript'), ['contract.yaml', '-o', 'contract.d.ts'])
    expect(await conversation('openapi-fetch')).toEqual({
      ...talked,
      streamed: 'You said: Hello',
      invalid: expect.stringContaining('messages'),
      refused: expect.stringContaining('unauthorized'),
      open: ['tools', 'more'],
      message: true,
    })
  },
  '@hey-api/openapi-ts': async () => {
    const args = ['-i', 'reference.yaml', '-o', 'hey', '-c', '@hey-api/client-fetch', '--silent']
    await run(generator('openapi-ts'), args)
    expect(await conversation('hey-api')).toEqual(talked)
  },
} as const satisfies Readonly<Record<string, () => Promise<void>>>

const names = Object.keys(generators) as (keyof typeof generators)[]

test.for(sampleOf('generators of clients', names))('a client of %s compiles and talks to the mock', (name) =>
  generators[name](),
)
