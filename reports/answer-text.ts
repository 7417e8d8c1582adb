/** Formats the answer to an open question: names with the same status are listed after it once. */
import { groupBy } from '../spec/index.ts'

/** `200 runThread; 200 createMessage; 201 createThread` as `200 runThread, createMessage; 201 createThread`. */
export function answerText(value: string): string {
  const pairs = value.split('; ').map((part) => /^(\d{3}) (\S+)$/.exec(part)?.slice(1) ?? null)
  if (pairs.includes(null)) return value
  const groups = groupBy(pairs, (pair) => pair?.[0] ?? null)
  return [...groups].map(([status, those]) => `${status} ${those.map((pair) => pair?.[1]).join(', ')}`).join('; ')
}
