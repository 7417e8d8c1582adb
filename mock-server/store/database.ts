/** The embedded database (LevelDB) of a state directory, and how it is opened. */
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { ClassicLevel } from 'classic-level'
import { StateError } from './state-error.ts'

/** The database: texts by text keys. */
export type Database = ClassicLevel<string, string>

/** The package is optional: who keeps no state need not install it. */
const loadLevel = () => import('classic-level')

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
  const database: Database = new ClassicLevel(directory)
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
