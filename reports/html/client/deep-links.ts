/** A link to a requirement opens its row, even when a filter hid it. */

/** Opens what the page's address names, now and whenever it changes. */
export function startDeepLinks(): void {
  addEventListener('hashchange', reveal)
  reveal()
}

function reveal(): void {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (named === null || named.tagName === 'SCRIPT') return
  named.hidden = false
  const group = named.closest<HTMLElement>('[data-group]')
  if (group !== null) group.hidden = false
  if (!(named instanceof HTMLDetailsElement)) return
  named.open = true
  named.scrollIntoView({ block: 'center' })
  named.querySelector('summary')?.focus({ preventScroll: true })
}
