/** Shows where a line of a stream breaks off inside of a string, which is far behind its beginning. */
import { bodyBuffer, utf8Of } from './body-text.ts'
import type { ReportedExchange } from './report.ts'

/** Characters on each side of the break. */
const shownCharacters = 30

/** `…"content":"one␊two"}`, the text around the line feed; `null` where the line that the pointer names has no such break. */
export function brokenLineText({ response }: ReportedExchange, pointer: string | null): string | null {
  const number = Number(/^line (\d+)$/.exec(pointer ?? '')?.[1] ?? 0)
  if (number === 0 || response === null) return null
  const lines = (utf8Of(bodyBuffer(response.pieces)) ?? '').split('\n')
  const [line = '', next] = lines.slice(number - 1)
  if (next === undefined || !endsInString(line)) return null
  const before = [...line].slice(-shownCharacters).join('')
  const after = [...next].slice(0, shownCharacters).join('')
  return `${before === line ? '' : '…'}${before}␊${after}${after === next ? '' : '…'}`
}

/** Whether the line begins as JSON and a string of it is not closed. */
function endsInString(line: string): boolean {
  const rest = line.replace(/"(?:[^"\\]|\\.)*"/g, '')
  return /^\s*[{[]/.test(line) && rest.includes('"')
}
