/**
 * Describes the effect of each transport fault on an answer as data. A row names the line at which the fault acts and the
 * steps that replace it; `fault-sink.ts` carries them out.
 */
import type { TransportFault } from '../fault-catalogue/fault-catalogue.ts'

export type DamageStep =
  | { readonly kind: 'send'; readonly bytes: Uint8Array }
  | { readonly kind: 'pause'; readonly ms: number }
  /** Ends the stream in good order. */
  | { readonly kind: 'end' }
  /** Breaks the connection off. */
  | { readonly kind: 'close' }
  | { readonly kind: 'reset' }

type Numbers = Readonly<Record<string, number>>

/** A line about to go out: its bytes, its number from 1, and how many there will be. */
interface LineAt {
  readonly bytes: Uint8Array
  readonly number: number
  readonly count: number
}

export interface LineDamage {
  /** The line at which it acts when that is known beforehand; 0 stands for the headers. */
  position(numbers: Numbers, count: number): number | null
  acts(line: LineAt, numbers: Numbers): boolean
  /** `bytes` is empty right after the headers. */
  steps(bytes: Uint8Array, numbers: Numbers): readonly DamageStep[]
}

const send = (bytes: Uint8Array): DamageStep => ({ kind: 'send', bytes })
const sendAny = (bytes: Uint8Array): readonly DamageStep[] => (bytes.length === 0 ? [] : [send(bytes)])
const of = (numbers: Numbers, name: string): number => numbers[name] ?? 0

/** Acts at the line whose number is set by a parameter. */
const atNumber = (name: string, steps: LineDamage['steps']): LineDamage => ({
  position: (numbers) => of(numbers, name),
  acts: (line, numbers) => line.number === of(numbers, name),
  steps,
})

const atLast = (steps: LineDamage['steps']): LineDamage => ({
  position: (_numbers, count) => count,
  acts: (line) => line.number === line.count,
  steps,
})

/** Acts inside a character: of one line, or of the first one that has one of several bytes. */
const atCharacter = (steps: LineDamage['steps']): LineDamage => ({
  position: (numbers) => (of(numbers, 'chunk') === 0 ? null : of(numbers, 'chunk')),
  acts(line, numbers) {
    const wanted = of(numbers, 'chunk')
    return (wanted === 0 || wanted === line.number) && insideCharacter(line.bytes) > 0
  },
  steps,
})

const insideLine = (bytes: Uint8Array, numbers: Numbers): number => {
  const wanted = of(numbers, 'at')
  // The line feed is the last byte: a cut before it is still inside the line.
  return Math.min(wanted === 0 ? bytes.length >> 1 : wanted, bytes.length - 1)
}

/** Where the first character of several bytes has one of them behind it; 0 without such a character. */
const insideCharacter = (bytes: Uint8Array): number => bytes.findIndex((byte) => byte >= 0xc0) + 1

const cutAt = (bytes: Uint8Array, border: number): readonly DamageStep[] => [
  send(bytes.subarray(0, border)),
  { kind: 'close' },
]
const splitAt = (bytes: Uint8Array, border: number, numbers: Numbers): readonly DamageStep[] => [
  send(bytes.subarray(0, border)),
  { kind: 'pause', ms: of(numbers, 'ms') },
  send(bytes.subarray(border)),
]

/** Faults that act on the lines of a stream, or right after the headers. */
export const lineDamage: Readonly<Partial<Record<TransportFault, LineDamage>>> = {
  stall: atNumber('after', (bytes, numbers) => [...sendAny(bytes), { kind: 'pause', ms: of(numbers, 'ms') }]),
  'reset-after-chunk': atNumber('after', (bytes) => [...sendAny(bytes), { kind: 'reset' }]),
  'cut-after-chunk': atNumber('after', (bytes) => [...sendAny(bytes), { kind: 'close' }]),
  'end-after-chunk': atNumber('after', (bytes) => [...sendAny(bytes), { kind: 'end' }]),
  'cut-in-line': atNumber('chunk', (bytes, numbers) => cutAt(bytes, insideLine(bytes, numbers))),
  'cut-in-character': atCharacter((bytes) => cutAt(bytes, insideCharacter(bytes))),
  'split-in-line': atNumber('chunk', (bytes, numbers) => splitAt(bytes, insideLine(bytes, numbers), numbers)),
  'split-in-character': atCharacter((bytes, numbers) => splitAt(bytes, insideCharacter(bytes), numbers)),
  'duplicate-chunk': atNumber('chunk', (bytes) => [send(bytes), send(bytes)]),
  'truncated-last-line': atLast((bytes) => [send(bytes.subarray(0, bytes.length >> 1)), { kind: 'end' }]),
  'no-final-newline': atLast((bytes) => [send(bytes.subarray(0, bytes.length - 1))]),
}
