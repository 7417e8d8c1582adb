/**
 * Bundles the command `acs` as the package ships it, once for all tests that start it as a process.
 * Starting the bundle takes half the processor time of starting the sources, which test/exit-codes start as they are.
 */
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { buildEntryPoints } from '../../scripts/bundle-package.ts'

const root = join(import.meta.dirname, '..', '..')
const cache = join(root, 'node_modules', '.cache', 'acs-command')

/** What the bundle is made of. */
const sources = '{spec,generators,mock-server,conformance,reports,cli,scripts}/**/*.{ts,json,yaml,css}'
/** What it reads at run time. */
const readFiles = ['conformance/profile/target.schema.json', 'mock-server/scenario/scenario.schema.json']

/** The file to start; it is built if no worker has done so for these sources. */
export async function builtCommand(): Promise<string> {
  const folder = join(cache, digestOfSources())
  if (!existsSync(folder)) await build(folder)
  return join(folder, 'bin.js')
}

async function build(folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true })
  const made = mkdtempSync(join(cache, 'making-'))
  await buildEntryPoints(made)
  for (const file of readFiles) copyFileSync(join(root, file), join(made, basename(file)))
  writeFileSync(join(made, 'package.json'), '{ "type": "module" }')
  try {
    renameSync(made, folder)
  } catch (cause) {
    // Another worker was quicker, with the same result.
    rmSync(made, { recursive: true })
    if (!existsSync(folder)) throw cause
  }
}

function digestOfSources(): string {
  const hash = createHash('sha256')
  for (const file of globSync(sources, { cwd: root }).toSorted())
    hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}
