/** The clock of a world: its time, its mode, and buttons that move it. */
import type { Context } from './context.ts'
import { attempt, button, element, group, inNextFrame, labelled, selection } from './elements.ts'
import type { WorldView } from './wire.ts'

interface ClockBar {
  readonly root: HTMLElement
  show(clock: WorldView['clock']): void
}

const modes = [
  ['real', 'real'],
  ['scaled', 'ten times as fast'],
  ['frozen', 'frozen'],
  ['stepped', 'stepped'],
] as const

const rates: Readonly<Record<string, number>> = { real: 1, scaled: 10 }

/** The bar. */
export function createClockBar(context: Context): ClockBar {
  const mode = selection(modes)
  const now = element('output', { class: 'now' })
  const set = element('input', { type: 'datetime-local', step: '1', 'aria-label': 'Time to set (UTC)' })
  let clock: WorldView['clock'] = { mode: 'real', now: '' }
  let readAtMs = 0
  const draw = inNextFrame(() => {
    const rate = rates[clock.mode] ?? 0
    const time = Date.parse(clock.now) + (performance.now() - readAtMs) * rate
    now.textContent = Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, 23).replace('T', ' ')
  })
  const show = (read: WorldView['clock']) => {
    clock = read
    readAtMs = performance.now()
    mode.value = read.mode
    const held = read.mode === 'frozen' || read.mode === 'stepped'
    for (const one of moves) one.hidden = !held
    next.hidden = read.mode !== 'stepped'
    draw()
  }
  const move = async (fields: object) => {
    const answered = await context.admin.post<WorldView['clock'] & { readonly moved?: boolean }>(
      context.path('/clock'),
      fields,
    )
    show(answered)
    if (answered.moved === false) context.tell('Nothing waits on this clock now.')
  }
  const forward = (label: string, ms: number) =>
    button(label, () => move({ advance_ms: ms }), { title: 'Moves the clock forward' })
  const next = button('Next chunk', () => move({ to_next: true }), {
    title: 'Moves the clock to the next thing that waits',
  })
  const setButton = button('Set', () => {
    if (set.value === '') throw new Error('Choose a time to set the clock to.')
    return move({ mode: clock.mode, start_at: new Date(`${set.value}Z`).toISOString() })
  })
  const moves = [
    forward('+1 s', 1000),
    forward('+1 min', 60_000),
    forward('+1 h', 3_600_000),
    forward('+1 day', 86_400_000),
    set,
    setButton,
  ]
  mode.addEventListener('change', () => attempt(() => move({ mode: mode.value })))
  setInterval(() => {
    if (clock.mode in rates) draw()
  }, 250)
  return {
    root: group('Clock', 'bar', labelled('Clock', mode), now, next, moves),
    show,
  }
}
