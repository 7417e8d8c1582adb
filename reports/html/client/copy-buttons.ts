/** Copy buttons beside commands, also on pages opened as a file, where the clipboard interface is missing. */
import { findElement, findElements } from './page-elements.ts'

/** Makes every copy button work, those of later dialogs too. */
export function startCopyButtons(): void {
  for (const button of findElements('[data-copy]', HTMLButtonElement)) button.hidden = false
  document.addEventListener('click', (event) => {
    const button = event.target instanceof HTMLButtonElement && 'copy' in event.target.dataset ? event.target : null
    const source =
      button?.parentElement === undefined || button.parentElement === null
        ? null
        : findElement('pre', HTMLElement, button.parentElement)
    if (button !== null && source !== null) void copyFrom(source, button)
  })
}

async function copyFrom(source: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const copied = await toClipboard(source)
  button.textContent = copied ? 'Copied' : 'Press Ctrl+C'
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 2000)
}

async function toClipboard(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '')
    return true
  } catch {
    getSelection()?.selectAllChildren(source)
    return false
  }
}
