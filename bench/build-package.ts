/**
 * The package as it is published, built once per run of a benchmark: commands are timed in that form.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
let built = false

/** Builds the package and returns the path of its command; throws with the compiler's words when it does not build. */
export const buildPackage = (say: (text: string) => void): string => {
  if (!built) {
    say('building the package')
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts', 'build.ts')], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`the package does not build:\n${stdout}${stderr}`)
    built = true
  }
  return join(root, 'dist', 'bin.js')
}
