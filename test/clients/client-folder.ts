/** A folder in which tools of clients run: the documents are there, and uses of a client are compiled strictly. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildSync } from 'esbuild'
import { loadDocument, renderDocument } from '../../spec/index.ts'

const root = join(import.meta.dirname, '..', '..')

export interface ClientFolder extends Disposable {
  readonly path: string
  /** Runs a command that the packages of the home bring; what it printed. */
  readonly run: (name: string, args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<string>
  /** Compiles `fixtures/<name>.ts` of the home strictly, runs it with the URL of a mock, and returns what it printed. */
  readonly conversation: (name: string, url: string) => Promise<unknown>
  /** Compiles a text strictly. */
  readonly compiles: (name: string, text: string) => Promise<void>
}

/** A new folder with the packages of `home`, which are installed on first use: they are large, and few tests need them. */
export async function clientFolder(home: string): Promise<ClientFolder> {
  const path = mkdtempSync(join(tmpdir(), 'acs-clients-'))
  const packages = join(home, 'node_modules')
  if (!existsSync(packages)) {
    await promisify(execFile)('npm', ['ci', '--prefer-offline', '--ignore-scripts'], { cwd: home }).catch((cause) => {
      throw new Error(`npm ci in ${home}\n${cause.stderr}`)
    })
  }
  symlinkSync(packages, join(path, 'node_modules'), 'dir')
  for (const profile of ['reference', 'contract'] as const) {
    writeFileSync(join(path, `${profile}.yaml`), renderDocument(await loadDocument({ profile, clients: {} }), 'yaml'))
    const older = await loadDocument({ profile, openapi: '3.0', clients: {} })
    writeFileSync(join(path, `${profile}-3.0.yaml`), renderDocument(older, 'yaml'))
  }
  const execute = async (command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const options = { cwd: path, encoding: 'utf8', env: { ...process.env, ...env } } as const
    const { stdout } = await promisify(execFile)(command, args, options).catch((cause) => {
      throw new Error(`${command}\n${cause.stdout}${cause.stderr}`)
    })
    return stdout
  }
  const compiles = async (name: string, text: string): Promise<void> => {
    const door = JSON.stringify(join(root, 'spec', 'client', 'index.ts'))
    writeFileSync(join(path, `${name}.ts`), text.replaceAll("'acs-kit/client'", door))
    writeFileSync(join(path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }))
    await execute(join(root, 'node_modules', '.bin', 'tsc'), ['-p', path])
  }
  const conversation = async (name: string, url: string): Promise<unknown> => {
    await compiles(name, readFileSync(join(home, 'fixtures', `${name}.ts`), 'utf8'))
    const outfile = join(path, `${name}.mjs`)
    const form = { bundle: true, format: 'esm', platform: 'node', packages: 'external' } as const
    buildSync({ entryPoints: [join(path, `${name}.ts`)], outfile, ...form })
    return JSON.parse(await execute(process.execPath, [outfile, url]))
  }
  return {
    path,
    run: (name, args, env) => execute(join(packages, '.bin', name), args, env),
    conversation,
    compiles,
    [Symbol.dispose]: () => rmSync(path, { recursive: true }),
  }
}

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
