/** A stream as frames: the time of each chunk, the gap before it, and its text. */
import { element, table } from './elements.ts'
import { microsecondsOf, secondsText } from './time-text.ts'

export interface Frame {
  readonly at: string
  readonly text: string
}

interface FrameTable {
  readonly root: HTMLElement
  /** Shows the frames from one on, the longest gap marked, with a bar for each gap. */
  show(frames: readonly Frame[], from: number): void
}

/** A table that keeps its rows when it shows other frames: a stream that grows fast shows others several times a second. */
export function createFrameTable(startedAt: string): FrameTable {
  const start = microsecondsOf(startedAt)
  const root = table(['#', 'at', 'gap', 'delta'], [], { class: 'frames', 'aria-label': 'Frames of the stream' })
  const rows: FrameRow[] = []
  return {
    root,
    show(frames, from) {
      const shown = frames.slice(from)
      const times = shown.map(({ at }) => microsecondsOf(at))
      const before = frames[from - 1]
      const gaps = times.map((time, index) => time - (times[index - 1] ?? (before ? microsecondsOf(before.at) : start)))
      const longest = Math.max(1, ...gaps)
      while (rows.length < shown.length) {
        const row = createFrameRow()
        rows.push(row)
        root.tBodies[0]?.append(row.root)
      }
      for (const { root: unused } of rows.splice(shown.length)) unused.remove()
      for (const [index, { text }] of shown.entries()) {
        const gap = gaps[index] ?? 0
        const time = `+${secondsText((times[index] ?? start) - start)}`
        const isLongest = gap === longest && shown.length > 1
        rows[index]?.show([String(from + index + 1), time, secondsText(gap), deltaText(text)], gap / longest, isLongest)
      }
    },
  }
}

interface FrameRow {
  readonly root: HTMLTableRowElement
  /** Texts of the columns; the share that the gap has of the longest. */
  show(texts: readonly string[], share: number, isLongest: boolean): void
}

function createFrameRow(): FrameRow {
  const bar = element('i', { class: 'bar', 'aria-hidden': 'true' })
  const texts = Array.from({ length: 4 }, () => document.createTextNode(''))
  const [number = '', at = '', gap = '', delta = ''] = texts
  const root = element(
    'tr',
    {},
    element('td', {}, number),
    element('td', {}, at),
    element('td', { class: 'gap' }, bar, gap),
    element('td', {}, element('code', {}, delta)),
  )
  return {
    root,
    show(shown, share, isLongest) {
      for (const [index, text] of texts.entries()) text.data = shown[index] ?? ''
      bar.style.width = `${Math.round(share * 100)}%`
      root.classList.toggle('longest', isLongest)
    },
  }
}

/** The joined text of all chunks. */
export function joinedText(frames: readonly Frame[]): string {
  return frames.map(textOfFrame).join('')
}

const texts = new WeakMap<Frame, string>()

/** Each frame is read once, however often a stream that grows is shown. */
function textOfFrame(frame: Frame): string {
  const text = texts.get(frame) ?? textOf(deltaOf(frame.text))
  texts.set(frame, text)
  return text
}

function deltaOf(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const delta: unknown = Reflect.get(JSON.parse(line) as object, 'delta')
    return typeof delta === 'object' && delta !== null ? (delta as Readonly<Record<string, unknown>>) : null
  } catch {
    return null
  }
}

/** The text alone where there is nothing else; a line that is no chunk as it is. */
function deltaText(line: string): string {
  const delta = deltaOf(line)
  if (delta === null) return line.trimEnd()
  const others = Object.entries(delta).filter(
    ([name, value]) => !['content', 'role'].includes(name) && value !== null && JSON.stringify(value) !== '[]',
  )
  const text = JSON.stringify(typeof delta.content === 'string' ? delta.content : textOf(delta) || delta)
  return others.length === 0 ? text : `${text} ${JSON.stringify(Object.fromEntries(others))}`
}

function textOf(delta: Readonly<Record<string, unknown>> | null): string {
  if (typeof delta?.content === 'string') return delta.content
  if (!Array.isArray(delta?.content)) return ''
  return (delta.content as readonly Readonly<Record<string, unknown>>[])
    .map((block) => (typeof block.text === 'string' ? block.text : ''))
    .join('')
}
