/** Light, dark, or as the system says; remembered where the browser allows it. */
import { findElement } from './page-elements.ts'

const themes = ['auto', 'light', 'dark'] as const
const storageKey = 'acs-report-theme'

/** Makes the theme button work. */
export function startTheme(): void {
  const button = findElement('[data-theme-button]', HTMLButtonElement)
  if (button === null) return
  button.hidden = false
  let theme = Math.max(0, themes.indexOf(remembered() as (typeof themes)[number]))
  const apply = (): void => {
    const name = themes[theme] ?? 'auto'
    document.documentElement.dataset.theme = name
    button.textContent = `Theme: ${name}`
  }
  button.addEventListener('click', () => {
    theme = (theme + 1) % themes.length
    remember(themes[theme] ?? 'auto')
    apply()
  })
  apply()
}

function remembered(): string {
  try {
    return localStorage.getItem(storageKey) ?? 'auto'
  } catch {
    return 'auto'
  }
}

function remember(theme: string): void {
  try {
    localStorage.setItem(storageKey, theme)
  } catch {
    // A page that was opened as a file may have no storage; the choice then lasts as long as the page.
  }
}
