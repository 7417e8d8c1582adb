/** Splits a streamed body into its lines, each with its time and the text that it adds. */

/** One line of a stream. */
interface StreamLine {
  readonly afterMs: number
  /** Milliseconds since the line before. */
  readonly gapMs: number
  readonly sizeBytes: number
  /** The text that it adds, or the line itself when it is no chunk. */
  readonly text: string
  readonly isChunk: boolean
}

export interface StreamText {
  readonly lines: readonly StreamLine[]
  /** Fields that are the same in all chunks, as JSON. */
  readonly constant: Readonly<Record<string, unknown>>
  /** The text of all chunks together. */
  readonly joined: string
}

/** The lines of a body that arrived in these pieces. */
export function streamText(pieces: readonly { readonly afterMs: number; readonly text: string }[]): StreamText {
  const lines: StreamLine[] = []
  const chunks: Readonly<Record<string, unknown>>[] = []
  let rest = ''
  let lastMs = 0
  const end = (line: string, afterMs: number): void => {
    if (line.trim() === '') return
    const chunk = chunkOf(line)
    if (chunk !== null) chunks.push(chunk)
    const text = chunk === null ? line : deltaText(chunk)
    const sizeBytes = new TextEncoder().encode(line).length
    lines.push({ afterMs, gapMs: afterMs - lastMs, sizeBytes, text, isChunk: chunk !== null })
    lastMs = afterMs
  }
  for (const { afterMs, text } of pieces) {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) end(part, afterMs)
  }
  end(rest, pieces.at(-1)?.afterMs ?? 0)
  const joined = lines.map(({ isChunk, text }) => (isChunk ? text : '')).join('')
  return { lines, constant: constantFields(chunks), joined }
}

function chunkOf(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null
  } catch {
    return null
  }
}

/** The text of a chunk: its content, or the texts of its content blocks. */
function deltaText({ delta }: Readonly<Record<string, unknown>>): string {
  if (typeof delta !== 'object' || delta === null) return ''
  const { content, content_blocks: blocks } = delta as Readonly<Record<string, unknown>>
  if (typeof content === 'string') return content
  if (!Array.isArray(blocks)) return ''
  return blocks
    .map((block: { readonly text?: unknown } | null) => (typeof block?.text === 'string' ? block.text : ''))
    .join('')
}

function constantFields(chunks: readonly Readonly<Record<string, unknown>>[]): StreamText['constant'] {
  const [first = {}, ...others] = chunks
  const same = Object.entries(first).filter(([key, value]) =>
    others.every((chunk) => JSON.stringify(chunk[key]) === JSON.stringify(value)),
  )
  return Object.fromEntries(same)
}
