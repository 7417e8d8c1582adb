/** Compares a site with a folder, and writes it there. Only the files of a board are touched. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandFailure, exitCodes } from '../failure.ts'
import { textIfAny } from '../read-file.ts'

/** Path → content. */
type BoardSite = ReadonlyMap<string, string>

/** The folders that belong to a board alone. */
const ownFolders = ['implementations', 'badges', 'requirements', 'gaps'] as const

/** One line for each file that is missing, different, or not of this site. */
export const siteDifferences = (folder: string, site: BoardSite): readonly string[] => {
  const changed = [...site].flatMap(([path, text]) => {
    const there = textIfAny(join(folder, path))
    if (there === null) return [`${path}: missing`]
    return there === text ? [] : [`${path}: different`]
  })
  return [...changed, ...strayFiles(folder, site).map((path) => `${path}: does not come from these bundles`)]
}

/** Writes the site and removes what earlier bundles left. */
export const writeSite = (folder: string, site: BoardSite): void => {
  try {
    for (const path of strayFiles(folder, site)) rmSync(join(folder, path))
    for (const parent of new Set([...site.keys()].map((path) => dirname(path))))
      mkdirSync(join(folder, parent), { recursive: true })
    for (const [path, text] of site) writeFileSync(join(folder, path), text)
  } catch (cause) {
    const reason = (cause as { readonly code?: string }).code ?? String(cause)
    throw new CommandFailure(`${folder}: the site cannot be written there (${reason}); choose another with --out`, {
      exitCode: exitCodes.cannotCreate,
      cause,
    })
  }
}

const strayFiles = (folder: string, site: BoardSite): readonly string[] =>
  ownFolders
    .flatMap((own) => namesIn(join(folder, own)).map((name) => `${own}/${name}`))
    .filter((path) => /\.(?:html|svg)$/.test(path) && !site.has(path))

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
