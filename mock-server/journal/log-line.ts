/**
 * Writes one exchange as one line of a log: time, caller, request and ending. Keys never show, and a signature is visibly
 * left out: a URL with another one would look as if it worked.
 */
import { timestampOf } from '../clock/timestamp.ts'
import type { JournalEntry } from './journal-entry.ts'
import type { Redaction } from './redaction.ts'

const signature = /signature=[0-9a-f]{64}/g

/** The line, without a line feed. */
export function logLine(entry: JournalEntry, redaction: Redaction): string {
  const { world, owner, method, target, status, reason, outcome, chunkTimesUs, injected } = entry
  const lastUs = Math.max(entry.endedAtUs, chunkTimesUs.at(-1) ?? 0)
  const words = [
    `${timestampOf(lastUs).slice(0, 23)}Z`,
    world,
    owner ?? '-',
    method,
    redaction.text(target.replace(signature, 'signature=(redacted)')),
    String(status),
    `${((lastUs - entry.startedAtUs) / 1000).toFixed(1)}ms`,
    ...(chunkTimesUs.length === 0 ? [] : [`${chunkTimesUs.length} chunks`]),
    ...(reason === null ? [] : [reason]),
    ...(outcome === 'read-all' ? [] : [outcome]),
    ...injected.map((one) => `fault ${one.fault} ${one.why ?? one.state}`),
    ...(entry.scenarioFault === null ? [] : [`scenario fault: ${entry.scenarioFault}`]),
    ...(entry.mockFault === null ? [] : [`mock fault: ${String(entry.mockFault)}`]),
  ]
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a request must not be able to write lines of its own
  return words.join('  ').replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?')
}
