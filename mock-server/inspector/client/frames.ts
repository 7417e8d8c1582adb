/** A stream as frames: when each chunk went out, the gap before it, and what it says. */
import { element, table } from './elements.ts'
import { microsecondsOf, secondsText } from './time-text.ts'

export interface Frame {
  readonly at: string
  readonly text: string
}

/** A table of the frames from one on, the longest gap marked, with a bar for each gap. */
export function frameTable(startedAt: string, frames: readonly Frame[], from = 0): HTMLElement {
  const start = microsecondsOf(startedAt)
  const shown = frames.slice(from)
  const times = shown.map(({ at }) => microsecondsOf(at))
  const before = frames[from - 1]
  const gaps = times.map((time, index) => time - (times[index - 1] ?? (before ? microsecondsOf(before.at) : start)))
  const longest = Math.max(1, ...gaps)
  const rows = shown.map(({ text }, index) => {
    const gap = gaps[index] ?? 0
    const bar = element('i', { class: 'bar', 'aria-hidden': 'true' })
    bar.style.width = `${Math.round((gap / longest) * 100)}%`
    return element(
      'tr',
      gap === longest && shown.length > 1 ? { class: 'longest' } : {},
      element('td', {}, String(from + index + 1)),
      element('td', {}, `+${secondsText((times[index] ?? start) - start)}`),
      element('td', { class: 'gap' }, bar, secondsText(gap)),
      element('td', {}, element('code', {}, deltaText(text))),
    )
  })
  return table(['#', 'at', 'gap', 'delta'], rows, { class: 'frames', 'aria-label': 'Frames of the stream' })
}

/** What all chunks say together. */
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
