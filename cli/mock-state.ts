/** Reads and writes the state files of `acs mock --import` and `--export`, and checks the directory of `--state`. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import type { Mock } from '../mock-server/index.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { contentFailure, parseFile } from './read-file.ts'

interface StateFile {
  readonly file: string
  readonly data: unknown
  /** That of the default world, if it says one. */
  readonly seed: number | undefined
}

/** The data of a state file; the mock checks it. */
export const readState = (file: string): StateFile => {
  const data = parseFile(file, (text): unknown => JSON.parse(text))
  return { file, data, seed: seedIn(data) }
}

const seedIn = (data: unknown): number | undefined => {
  const { worlds } = (data ?? {}) as { readonly worlds?: unknown }
  if (!Array.isArray(worlds)) return undefined
  const seed: unknown = worlds.find((world) => world?.name === 'default')?.seed
  return typeof seed === 'number' && Number.isSafeInteger(seed) ? seed : undefined
}

/** Whether an earlier mock has left something in a state directory; throws for one that cannot be read. */
export const holdsState = (directory: string | undefined): directory is string => {
  if (directory === undefined || !existsSync(directory)) return false
  if (!statSync(directory).isDirectory()) {
    const fix = `for the state in a file, use --import ${directory}`
    throw unusableState(`${directory} is a file, and --state takes a directory; ${fix}`)
  }
  try {
    return readdirSync(directory).length > 0
  } catch (cause) {
    const reason = (cause as Error).message
    throw unusableState(`${directory} cannot be read (${reason}); choose another directory with --state`, cause)
  }
}

const unusableState = (problem: string, cause?: unknown): CommandFailure =>
  new CommandFailure(problem, { exitCode: exitCodes.cannotCreate, cause })

/** Which options the state of an earlier mock does not go along with, a line each; before the import. */
export const stateNotices = (
  mock: Mock,
  directory: string,
  { seed, imported }: { readonly seed: number | undefined; readonly imported: StateFile | null },
): readonly string[] => {
  const kept = mock.main.seed
  const notices: string[] = []
  if (seed !== undefined && seed !== kept)
    notices.push(`the default world in ${directory} keeps its seed ${kept}; --seed ${seed} applies to new worlds only`)
  const lost = replacedWorlds(mock, imported?.data)
  if (lost.length > 0)
    notices.push(
      `--import replaces these worlds in ${directory}: ${lost.join(', ')}; leave it out to keep what is stored`,
    )
  return notices
}

/** Names of the worlds that an import changes. */
const replacedWorlds = (mock: Mock, data: unknown): readonly string[] => {
  const { worlds } = (data ?? {}) as { readonly worlds?: unknown }
  if (!Array.isArray(worlds)) return []
  const given = new Map(worlds.map((world) => [world?.name, JSON.stringify(world)]))
  const held = mock.export().worlds
  return held.flatMap((world) =>
    given.has(world.name) && given.get(world.name) !== JSON.stringify(world) ? [world.name] : [],
  )
}

/** Puts the worlds of a file into a mock; each problem of the file is a line. */
export const importState = (mock: Mock, { file, data }: StateFile): void => {
  try {
    mock.import(data)
  } catch (cause) {
    throw contentFailure(file, cause)
  }
}

/** All worlds of a mock as the text of a state file. */
export const stateText = (mock: Mock): string => `${JSON.stringify(mock.export(), null, 2)}\n`
