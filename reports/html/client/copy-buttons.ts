/** Copy buttons beside commands, also on pages opened as a file, where the clipboard interface is missing. */
import { findElement, findElements } from './page-elements.ts'

/** Makes every copy button work, those of a drawer opened later too; `named` gives the text that a button names. */
export function startCopyButtons(named: (name: string) => Promise<string>): void {
  for (const button of findElements('[data-copy]', HTMLButtonElement)) button.hidden = false
  document.addEventListener('click', (event) => {
    const button = event.target instanceof HTMLButtonElement && 'copy' in event.target.dataset ? event.target : null
    if (button !== null) void copyFrom(button, named)
  })
}

async function copyFrom(button: HTMLButtonElement, named: (name: string) => Promise<string>): Promise<void> {
  const source = button.parentElement === null ? null : findElement('pre', HTMLElement, button.parentElement)
  const label = button.textContent
  const { copy: name = '' } = button.dataset
  const text = name === '' ? (source?.textContent ?? '') : await named(name)
  const copied = await toClipboard(text, source ?? button)
  button.textContent = copied ? 'Copied' : 'Press Ctrl+C'
  setTimeout(() => {
    button.textContent = label
  }, 2000)
}

async function toClipboard(text: string, source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    getSelection()?.selectAllChildren(source)
    return false
  }
}
