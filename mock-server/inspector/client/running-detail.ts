/** A running exchange: its chunks so far, and the actions on it. */
import { worldPath } from './admin-client.ts'
import type { Context } from './context.ts'
import { createStreamDetail, detailHeading, section } from './detail-parts.ts'
import { button, element, group } from './elements.ts'
import type { ExchangeRow } from './exchange-store.ts'

/** Frames of a stream that still grows: as many as are in sight. All are shown once it has ended. */
const mostFrames = 20
/** How often a longer one is drawn, milliseconds. */
const longStreamMs = 250

export interface RunningDetail {
  readonly root: HTMLElement
  /** Shows new chunks; the buttons stay in place. */
  update(): void
}

/** The view of a running exchange. */
export function createRunningDetail({ admin }: Context, row: ExchangeRow): RunningDetail {
  const act = (action: string, text?: string) =>
    admin.post(worldPath(row.world, `/running/${row.id}`), { action, text })
  const words = element('input', { type: 'text', 'aria-label': 'Text of a chunk', placeholder: 'text of a chunk' })
  const pause = button('Pause', () => act(row.held ? 'release' : 'hold'))
  const drop = button('Drop next', () => act('drop'), { title: 'Leaves the next chunk out' })
  const change = button('Change next', () => act('edit', words.value), { title: 'The next chunk says this instead' })
  const insert = button('Insert', () => act('inject', words.value), { title: 'Sends a chunk more, now' })
  const state = element('p', { 'aria-live': 'polite' })
  const stream = createStreamDetail(row.startedAt)
  let shown = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  const draw = () => {
    clearTimeout(timer)
    timer = undefined
    shown = stateOf(row)
    pause.textContent = row.held ? 'Continue' : 'Pause'
    drop.hidden = !row.actions.includes('drop')
    for (const control of [words, change, insert]) control.hidden = !row.actions.includes('edit')
    state.textContent = waitText(row)
    stream.show(row.sent, mostFrames)
  }
  const update = () => {
    if (shown === stateOf(row)) return
    // The effect of a user's action shows at once.
    if (row.held || row.chunks <= mostFrames) draw()
    else timer ??= setTimeout(draw, longStreamMs)
  }
  update()
  const root = element(
    'div',
    { class: 'stack' },
    detailHeading(row),
    group(
      'Running exchange',
      'actions',
      pause,
      button('Send next', () => act('step'), { title: 'Goes on now, whatever the clock says' }),
      drop,
      words,
      change,
      insert,
      button('Close', () => act('close'), { class: 'danger', title: 'Breaks the connection off' }),
    ),
    section('Why', state),
    stream.root,
  )
  return { root, update }
}

const stateOf = ({ held, chunks, planned, actions }: ExchangeRow): string =>
  [held, chunks, planned, ...actions].join(' ')

function waitText({ held, planned, chunks, actions }: ExchangeRow): string {
  const next = planned === null ? 'the answer' : `chunk ${chunks + 1} of ${planned}`
  const waits = held ? `Paused here before ${next}.` : `Waits on the world's clock for ${next}.`
  const isRecorded = actions.includes('drop') && !actions.includes('edit')
  return isRecorded ? `${waits} A recorded stream: its chunks cannot be changed.` : waits
}
