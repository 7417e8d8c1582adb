/** The embedded database (LevelDB) of a state directory, and how it is opened. */
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Change } from './batch-writer.ts'
import { StateError } from './state-error.ts'

/** Keys between two, without them. */
interface KeyRange {
  readonly gt: string
  readonly lt: string
}

/**
 * The database: texts by text keys. It is declared here, since users without a state directory do not have the types of
 * the package.
 */
export interface Database {
  open(): Promise<void>
  close(): Promise<void>
  batch(changes: Change[], options: { readonly sync: boolean }): Promise<void>
  del(key: string): Promise<void>
  clear(range: KeyRange): Promise<void>
  iterator(range: KeyRange): AsyncIterable<[string, string]>
}

/** The package is optional: it is needed only for a state directory. */
const loadLevel = (): Promise<{ readonly ClassicLevel: new (directory: string) => Database }> => import('classic-level')

/** Opens the database of a directory, which is made if need be; throws a StateError. */
export async function openDatabase(directory: string, load = loadLevel): Promise<Database> {
  if (directory === '') throw new StateError('state-unusable', 'the name of the directory is empty', null)
  try {
    await makeDirectory(resolve(directory))
  } catch (cause) {
    throw new StateError('state-unusable', `${directory} cannot be made: ${(cause as Error).message}`, cause)
  }
  const { ClassicLevel } = await load().catch((cause: unknown) => {
    throw new StateError(
      'state-unusable',
      'the package classic-level is not installed; npm install classic-level',
      cause,
    )
  })
  const database = new ClassicLevel(directory)
  try {
    await database.open()
    return database
  } catch (error) {
    const cause = (error as Error).cause ?? error
    const { code, message } = cause as { readonly code?: string; readonly message?: string }
    if (code === 'LEVEL_LOCKED') throw new StateError('state-locked', `${directory} is in use by another mock`, error)
    throw new StateError('state-unusable', `${directory} cannot be opened: ${message ?? String(cause)}`, error)
  }
}

/** Parents first, each once: the recursive way of Node never comes back where a file system refuses with ENOENT. */
async function makeDirectory(directory: string, mayClimb = true): Promise<void> {
  try {
    await mkdir(directory)
  } catch (cause) {
    const { code } = cause as { readonly code?: string }
    if (code === 'EEXIST') return
    const parent = dirname(directory)
    if (code !== 'ENOENT' || parent === directory || !mayClimb) throw cause
    await makeDirectory(parent)
    await makeDirectory(directory, false)
  }
}
