/** Reads a scenario file again whenever it changes, and passes on each playable version. */
import { watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Scenario } from '../mock-server/index.ts'
import { problemsOf } from './failure.ts'
import { textIfAny } from './read-file.ts'

interface ReloadOptions {
  /** Plays a new version; its error is reported as the problem of the file. */
  readonly play: (scenario: Scenario) => Promise<void>
  /** Called with the result of each change, in a line. */
  readonly tell: (line: string) => void
}

/** An editor writes in several steps; writes within this time are one change. */
const settleMs = 50

/** Watches until it is closed. A version that cannot be played changes nothing, and every problem of it is reported. */
export const reloadOnChange = (file: string, { play, tell }: ReloadOptions): Disposable => {
  let last = textIfAny(file)
  let timer: NodeJS.Timeout | null = null
  const read = async () => {
    const text = textIfAny(file)
    if (text === last) return
    last = text
    if (text === null) return tell(`${file} is gone; the previous scenario stays active`)
    const { loadScenario } = await import('../mock-server/index.ts')
    try {
      await play(await loadScenario(text, { file }))
      tell(`${file} changed and is now active`)
    } catch (cause) {
      tell(`${file} changed but is invalid; the previous scenario stays active`)
      for (const problem of problemsOf(cause)) tell(problem)
    }
  }
  // The folder is watched: an editor may replace the file, and a watch on the old one would no longer report changes.
  const watcher = watch(dirname(resolve(file)), (_event, name) => {
    if (name !== null && name !== basename(file)) return
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(() => void read(), settleMs)
  })
  // Without a watch the mock keeps its scenario.
  watcher.on('error', (cause) => tell(`${file} is no longer watched: ${cause.message}`))
  return {
    [Symbol.dispose]() {
      if (timer !== null) clearTimeout(timer)
      watcher.close()
    },
  }
}
