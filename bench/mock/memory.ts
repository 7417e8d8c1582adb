/**
 * What a stored message weighs beyond its content, and what reset and fork of a world cost, small and large.
 */
import { bar, fact } from '../bar.ts'
import type { Chapter } from '../plan.ts'
import { runScript } from '../run-script.ts'

export interface MemoryJob {
  readonly messages: number
}

export interface MemoryResult {
  /** Heap and buffers held for a message, less the bytes of its `content`. */
  readonly beyondContentBytes: number
  /** The same, less the bytes of its whole JSON. */
  readonly beyondJsonBytes: number
  readonly residentBytes: number
  readonly resetMs: number
  readonly forkMs: number
}

const few = 10

/** Memory of messages, reset and fork of worlds. */
export const memoryChapter: Chapter = {
  name: 'memory',
  async measure({ rounds, manyMessages, say }) {
    say(`storing ${manyMessages} messages`)
    const probe = (messages: number) =>
      runScript<MemoryResult>('mock/memory-probe.ts', { messages }, ['--expose-gc', '--max-old-space-size=6000'])
    const small: MemoryResult[] = []
    const large: MemoryResult[] = []
    // Deterministic but for the collector, and a million messages take seconds: fewer rounds say as much.
    for (let round = 0; round < Math.min(rounds, 3); round += 1) {
      small.push(await probe(few))
      large.push(await probe(manyMessages))
    }
    const all = (results: readonly MemoryResult[], figure: keyof MemoryResult) =>
      results.map((result) => result[figure])
    const quick = { atMost: 1 }
    return {
      bars: [
        bar(
          { name: 'memory of a stored message beyond its content', unit: 'B' },
          { atMost: 300 },
          all(large, 'beyondContentBytes'),
        ),
        bar({ name: `world reset, ${few} messages`, unit: 'ms' }, quick, all(small, 'resetMs')),
        bar({ name: `world reset, ${manyMessages} messages`, unit: 'ms' }, quick, all(large, 'resetMs')),
        bar({ name: `world fork, ${few} messages`, unit: 'ms' }, quick, all(small, 'forkMs')),
        bar({ name: `world fork, ${manyMessages} messages`, unit: 'ms' }, quick, all(large, 'forkMs')),
      ],
      facts: [
        fact({ name: 'memory of a stored message beyond its JSON', unit: 'B' }, all(large, 'beyondJsonBytes')),
        fact({ name: 'resident memory of a stored message', unit: 'B' }, all(large, 'residentBytes')),
      ],
    }
  },
}
