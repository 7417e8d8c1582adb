/**
 * Redacts the lines of a stream together.
 * A key that an assistant echoes may be cut at borders of chunks. A pseudonym is as long as its secret, so each line gets its
 * part back.
 */
import type { Redaction } from './redaction.ts'

interface Line {
  readonly value: { readonly delta: Record<string, unknown> }
  changed: boolean
}

/** The lines without secrets; those that are no chunks, and those without a secret, stay the same bytes. */
export function redactLines(pieces: readonly Uint8Array[], redaction: Redaction): readonly Uint8Array[] {
  const alone = pieces.map((piece) => redaction.bytes(piece))
  if (pieces.length < 2) return alone
  const lines = alone.map(lineOf)
  const names = new Set(lines.flatMap((line) => (line === null ? [] : Object.keys(line.value.delta))))
  for (const name of names) redactField(name, lines, redaction)
  return alone.map((bytes, index) => {
    const line = lines[index]
    return line?.changed === true ? Buffer.from(`${JSON.stringify(line.value)}\n`) : bytes
  })
}

function redactField(name: string, lines: readonly (Line | null)[], redaction: Redaction): void {
  const parts = lines.map((line) => textOf(line?.value.delta[name]))
  const joined = parts.join('')
  const shown = redaction.text(joined)
  if (shown === joined) return
  let start = 0
  for (const [index, part] of parts.entries()) {
    const line = lines[index]
    const now = shown.slice(start, start + part.length)
    start += part.length
    if (line === null || line === undefined || now === part) continue
    line.value.delta[name] = withText(line.value.delta[name], now)
    line.changed = true
  }
}

/** A fragment is a text, or the text of the only block of a list. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  const block: unknown = Array.isArray(value) && value.length === 1 ? value[0] : null
  const name = textNameOf(block)
  return name === null ? '' : String(Reflect.get(block as object, name))
}

function withText(value: unknown, text: string): unknown {
  if (!Array.isArray(value)) return text
  const [block] = value
  const name = textNameOf(block)
  return name === null ? value : [{ ...block, [name]: text }]
}

function textNameOf(block: unknown): string | null {
  if (typeof block !== 'object' || block === null) return null
  return ['text', 'content', 'reasoning'].find((name) => typeof Reflect.get(block, name) === 'string') ?? null
}

function lineOf(bytes: Uint8Array): Line | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString())
    const delta: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'delta') : null
    return typeof delta === 'object' && delta !== null ? { value: value as Line['value'], changed: false } : null
  } catch {
    return null
  }
}
