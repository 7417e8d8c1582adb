/**
 * Creates the folders that a command writes to, and turns their errors into a failure of the command. It is separate from
 * the trace file, which loads the suite: a starting command must not load it.
 */
import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type CommandFailure, writeFailure } from './failure.ts'

/** Makes a folder and those above it, one by one: Node's recursive way never ends where a parent cannot be made. */
export const makeFolder = (folder: string): void => {
  const missing: string[] = []
  for (let path = resolve(folder); !isFolder(path); path = dirname(path)) missing.unshift(path)
  for (const path of missing) orFailure(folder, () => mkdirSync(path))
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return dirname(path) === path
  }
}

/** The result of the work; a path that cannot be written ends the command. */
export const orFailure = <T>(path: string, work: () => T): T => {
  try {
    return work()
  } catch (cause) {
    throw notWritable(path, cause)
  }
}

/** The failure of a command that cannot write where `--out` says. */
export const notWritable = (path: string, cause: unknown): CommandFailure =>
  writeFailure(path, cause, 'choose another with --out')
