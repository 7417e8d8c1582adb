/**
 * Identifiers and instants: time-ordered UUIDs of version 7 and microsecond timestamps.
 * Instants never go back, but may repeat: messages that arrive in one request share theirs.
 */
import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'

let latest = 0

/** Microseconds since the epoch. */
export function currentMicros(): number {
  latest = Math.max(latest, Math.floor((performance.timeOrigin + performance.now()) * 1000))
  return latest
}

/** A moment as the contract writes it. */
export function formatInstant(micros: number): string {
  const seconds = new Date(Math.floor(micros / 1000)).toISOString().slice(0, 19)
  return `${seconds}.${String(micros % 1_000_000).padStart(6, '0')}Z`
}

/** A fresh identifier. */
export function newId(): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The identifier in lower case, if the text is a hyphenated UUID. */
export function parseId(value: unknown): string | null {
  const isId = typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
  return isId ? value.toLowerCase() : null
}
