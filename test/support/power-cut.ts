/**
 * Simulates power cuts: of the log of a state directory only what was synced is sure.
 * LevelDB syncs its other files itself before it relies on them.
 */
import { cpSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { ClassicLevel } from 'classic-level'

type Sizes = ReadonlyMap<string, number>

/** How long each file of a directory is. */
const sizesOf = (directory: string): Sizes =>
  new Map(readdirSync(directory).map((name) => [name, statSync(join(directory, name)).size]))

type Batch = (...given: readonly unknown[]) => Promise<void>

interface SyncNotes extends Disposable {
  /** The sizes when a synced write had last returned. */
  readonly sizes: () => Sizes
}

/** Notes how long each file is whenever a synced write has returned, until it is disposed of. */
export function noteSyncs(directory: string): SyncNotes {
  let synced: Sizes = new Map()
  const prototype = ClassicLevel.prototype as unknown as { batch: Batch }
  const { batch } = prototype
  prototype.batch = async function (this: unknown, ...given) {
    await batch.apply(this, [...given])
    if ((given[1] as { readonly sync?: boolean }).sync === true) synced = sizesOf(directory)
  }
  return {
    sizes: () => synced,
    [Symbol.dispose]() {
      prototype.batch = batch
    },
  }
}

/** Copies a directory as a cut leaves it, with the share `keep` of what was written to each log and not synced. */
export function copyAfterCut(directory: string, copy: string, { synced, keep }: { synced: Sizes; keep: number }): void {
  cpSync(directory, copy, { recursive: true })
  rmSync(join(copy, 'LOCK'), { force: true })
  for (const [name, size] of sizesOf(copy)) {
    const sure = name.endsWith('.log') ? (synced.get(name) ?? 0) : size
    truncateSync(join(copy, name), sure + Math.floor((size - sure) * keep))
  }
}
