/** Describes a seeded fuzzer, and runs some of its attempts with a limit on memory. */
import { derive, drawsFrom, rootKey } from '../../mock-server/randomness/key.ts'

export type SeededRandom = () => number

/** One attempt: a function of its random numbers alone; `null`, or what went wrong in a sentence. */
export type Attempt = (random: SeededRandom) => Promise<string | null>

export interface Fuzzer {
  /** What one attempt is. */
  readonly name: string
  /** Ten times what the security review tried. */
  readonly goal: number
  /** Attempts in `npm test`. */
  readonly sample: number
  /** Longest time without an attempt that ends, default 60,000. */
  readonly deadlineMs?: number
  /** Whatever attempts share; called once. */
  readonly prepare: () => Promise<{ readonly attempt: Attempt; readonly close?: () => Promise<unknown> }>
}

export interface Tally {
  readonly attempts: number
  readonly failures: readonly string[]
  /** Growth of the heap from the first quarter to the end, where garbage can be collected on demand. */
  readonly grownBytes: number
}

interface AttemptRange {
  readonly seed: number
  readonly count: number
  /** Asked after each attempt; `true` ends the run. */
  readonly done?: (attempts: number) => boolean
}

/** More than this is a leak; what is kept on purpose (journals, caches) is far smaller. */
const mostGrowthBytes = 150_000_000

const mostFailures = 20

/** Runs attempts 0 to `count` of a seed. */
export async function runFuzzer(fuzzer: Fuzzer, { seed, count, done = () => false }: AttemptRange): Promise<Tally> {
  const { attempt, close = () => Promise.resolve() } = await fuzzer.prepare()
  const key = derive(rootKey(seed), fuzzer.name)
  const failures: string[] = []
  let attempts = 0
  let settledBytes: number | null = null
  try {
    while (attempts < count && failures.length < mostFailures) {
      const problem = await attempt(drawsFrom(derive(key, 'attempt', attempts))).catch(crashOf)
      if (problem !== null) failures.push(`seed ${seed}, attempt ${attempts}: ${problem.slice(0, 1000)}`)
      attempts += 1
      if (settledBytes === null && attempts >= Math.min(count / 4, 1000)) settledBytes = heapBytes()
      if (done(attempts)) break
    }
  } finally {
    await close()
  }
  const grownBytes = heapBytes() - (settledBytes ?? heapBytes())
  if (globalThis.gc !== undefined && grownBytes > mostGrowthBytes) failures.push(`the heap grew by ${grownBytes} bytes`)
  return { attempts, failures, grownBytes }
}

function heapBytes(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** What a program says that did not expect something; a refusal says what is wrong with the input. */
const crashWords =
  /Cannot (?:read|convert|set|destructure)|is not a function|is not iterable|call stack|Invalid time value|URI malformed|string length|undefined|object null|circular/

/** A thrown error as a failure, unless it is a refusal that names what is wrong. */
export function crashOf(cause: unknown): string | null {
  if (!(cause instanceof Error)) return `something was thrown that is no error: ${String(cause)}`
  const isOurs = !['Error', 'TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'].includes(cause.name)
  if (isOurs) return null
  return crashWords.test(cause.message) ? `${cause.name}: ${cause.message}\n${cause.stack}` : null
}

/** One of the items. */
export function pick<Item>(random: SeededRandom, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item
}
