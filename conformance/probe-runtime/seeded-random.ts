/**
 * Gives every probe its own reproducible stream of random values. The key is the run's seed with the probe's id, so adding
 * a probe never changes what another one sends. It runs a hash in counter mode: it needs no shared state and no fixed
 * order.
 */
import { hash } from 'node:crypto'

export interface SeededRandom {
  /** A fresh version 4 UUID. */
  uuid(): string
  /** A whole number from 0 up to, but not including, `bound`. */
  below(bound: number): number
  /** One of the items; the list must not be empty. */
  pick<T>(items: readonly [T, ...T[]]): T
  /** The items in random order. */
  shuffled<T>(items: readonly T[]): readonly T[]
  /** A seed for an engine of its own (fast-check). */
  seed(): number
  /** One number for the whole run, the same in every stream: it distinguishes the texts of this run from those of another. */
  readonly runNumber: number
}

/** Creates the stream of random values for `key` under `seed`. */
export function seededRandom(seed: number, key: string): SeededRandom {
  let drawn = 0
  const block = (): Buffer => {
    drawn += 1
    return hash('sha256', `${seed}/${key}/${drawn}`, 'buffer')
  }
  const below = (bound: number): number => block().readUIntBE(0, 6) % bound
  return {
    uuid: () => uuidFrom(block()),
    below,
    pick: (items) => items[below(items.length)] ?? items[0],
    shuffled: (items) => {
      const all = [...items]
      for (let at = all.length - 1; at > 0; at -= 1) {
        const other = below(at + 1)
        const [one, two] = [all[at], all[other]] as [(typeof all)[number], (typeof all)[number]]
        all[at] = two
        all[other] = one
      }
      return all
    },
    seed: () => block().readInt32BE(0),
    runNumber: 10_000_000 + (hash('sha256', `${seed}`, 'buffer').readUIntBE(0, 6) % 90_000_000),
  }
}

function uuidFrom(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  const variant = '89ab'[bytes.readUInt8(8) % 4] ?? '8'
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
