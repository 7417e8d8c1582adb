/** Reads and writes the state files of `acs mock --import` and `--export`. */
import type { Mock } from '../mock-server/index.ts'
import { problemsFailure, problemsOf } from './failure.ts'
import { parseFile } from './read-file.ts'

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

/** Puts the worlds of a file into a mock; each problem of the file is a line. */
export const importState = (mock: Mock, { file, data }: StateFile): void => {
  try {
    mock.import(data)
  } catch (cause) {
    const lines = problemsOf(cause).map((problem) => `${file}: ${problem}`)
    throw problemsFailure(lines, cause)
  }
}

/** All worlds of a mock as the text of a state file. */
export const stateText = (mock: Mock): string => `${JSON.stringify(mock.export(), null, 2)}\n`
