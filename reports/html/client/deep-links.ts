/** A link to a rule or a failure opens it, even when a filter or a closed chapter hid it. */
import { addressAnchor, writeAddress } from './address.ts'
import { findElements } from './page-elements.ts'

/** Opens what the page's address names, now and whenever it changes, and keeps what is opened in the address. */
export function startDeepLinks(): void {
  addEventListener('hashchange', reveal)
  for (const summary of findElements('.card > summary, .requirement > summary', HTMLElement)) {
    summary.addEventListener('click', () => {
      const details = summary.parentElement
      if (details instanceof HTMLDetailsElement) writeAddress({}, details.open ? '' : details.id)
    })
  }
  reveal()
}

function reveal(): void {
  const named = document.getElementById(addressAnchor())
  if (named !== null && named.tagName !== 'SCRIPT') showElement(named)
}

/** Opens an element and all that it is in, and brings it into sight. */
export function showElement(element: HTMLElement): void {
  for (let outer: HTMLElement | null = element; outer !== null; outer = outer.parentElement) {
    if (outer instanceof HTMLDetailsElement) outer.open = true
    if (outer.matches('.card, .requirement, [data-group]')) outer.hidden = false
  }
  element.scrollIntoView({ block: 'start' })
  element.querySelector('summary')?.focus({ preventScroll: true })
}
