/** The oracle about the end of a walk: its last page leads to nothing that was shown before. */
import type { View } from '../../history/thread-record.ts'
import type { Oracle } from '../support/oracle.ts'
import { exchangesOf, type Walk, walksOf } from './walks.ts'

/** Oracle of pagination.walk-ends. */
export const walkEnds: Oracle = (analysis, observe) => {
  for (const walk of walksOf(analysis)) {
    const { view, isQuiet } = walk
    const last = view.pages.at(-1) ?? view.pages[0]
    if (view.ended) observe.held('listMessages', null, last.parsed.id)
    else if (isQuiet && view.pages.length > 1 && isAllShown(view) && !standsStill(walk)) {
      observe.contradicted('listMessages', null, {
        exchanges: exchangesOf(view),
        expected: 'an end of the walk',
        actual: 'a page of messages that were shown before, and a cursor that leads on',
        pointer: '/cursor',
        because: `${last.parsed.id} follows a cursor, shows nothing but messages that the walk has shown, and hands out another cursor.`,
        headline: 'paging never ends: a page without new messages has another cursor',
      })
    }
  }
}

/** Whether a cursor includes the message that it names, so that pages of one never get further: it continues wrongly, whatever its end. */
function standsStill({ thread, view: { pages, startMs } }: Walk): boolean {
  const [before, last] = pages.slice(-2)
  if (last === undefined || last.ids[0] !== before?.ids.at(-1)) return false
  const shown = new Set(pages.flatMap(({ ids }) => ids))
  return [...thread.stored.values()].some(({ id, certainFromMs }) => certainFromMs < startMs && !shown.has(id))
}

/** Whether the last page holds only what pages before it held. */
function isAllShown({ pages }: View): boolean {
  const last = pages.at(-1)
  const shown = new Set(pages.slice(0, -1).flatMap(({ ids }) => ids))
  return last !== undefined && last.ids.length > 0 && last.ids.every((id) => id !== null && shown.has(id))
}
