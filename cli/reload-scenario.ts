/** Reads a scenario file again whenever it changes, and hands on each version that can be played. */
import { watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Scenario } from '../mock-server/index.ts'
import { problemsOf } from './failure.ts'
import { textIfAny } from './read-file.ts'

interface ReloadOptions {
  /** Plays a new version; what it throws is told as what is wrong with the file. */
  readonly play: (scenario: Scenario) => Promise<void>
  /** Hears what became of each change, in a line. */
  readonly tell: (line: string) => void
}

/** An editor writes in several steps; what comes within this time is one change. */
const settleMs = 50

/** Watches until it is closed. A version that cannot be played changes nothing and is told, every problem of it. */
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
  // The folder: an editor may put a new file in place, and a watch on the old one would see nothing any more.
  const watcher = watch(dirname(resolve(file)), (_event, name) => {
    if (name !== null && name !== basename(file)) return
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(() => void read(), settleMs)
  })
  // Without a watch the mock goes on with what it has.
  watcher.on('error', (cause) => tell(`${file} is no longer watched: ${cause.message}`))
  return {
    [Symbol.dispose]() {
      if (timer !== null) clearTimeout(timer)
      watcher.close()
    },
  }
}
