/** Keys: `/` searches, `j` and `k` go through failures or, while one is open, exchanges; `?` names them. */
import { writeAddress } from './address.ts'
import { showElement } from './deep-links.ts'
import { findElement, findElements } from './page-elements.ts'

/** Makes the keys work; `step` moves the open exchange and says whether one is open. */
export function startPageKeys(step: (by: number) => boolean): void {
  const help = findElement('[data-keys]', HTMLElement)
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const by = { j: 1, k: -1 }[event.key]
    if (by !== undefined) {
      if (!step(by)) moveFailure(by)
    } else if (event.key === '/') findElement('[data-filter=rules] input', HTMLElement)?.focus()
    else if (event.key === '?' && help !== null) {
      help.hidden = !help.hidden
    } else if (event.key === 'Escape' && help !== null && !help.hidden) help.hidden = true
    else return
    event.preventDefault()
  })
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement
}

function moveFailure(by: number): void {
  const cards = findElements('.card:not([hidden])', HTMLElement)
  const current = cards.findIndex((card) => card.contains(document.activeElement))
  const next = cards[current < 0 ? (by > 0 ? 0 : cards.length - 1) : current + by]
  if (next === undefined) return
  showElement(next)
  writeAddress({}, next.id)
}
