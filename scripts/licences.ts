/** Gathers the licences of the packages inside a bundle, which have to go along with it. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

const root = join(import.meta.dirname, '..')

/** The text of all licences in a bundle; throws when a package has none. */
export function licencesIn({ inputs }: Metafile): string {
  const folders = Object.keys(inputs).flatMap((input) => input.match(/.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? [])
  const texts = [...new Set(folders)].sort().map((folder) => {
    const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: join(root, folder) })
    if (file === undefined) throw new Error(`${folder} has no licence`)
    return `${folder.replace('node_modules/', '')}\n\n${readFileSync(join(root, folder, file), 'utf8')}`
  })
  return texts.join('\n---\n\n')
}
