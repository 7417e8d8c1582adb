/** Light, dark, or as the system says; remembered where the browser allows it. */
import { button } from './elements.ts'

const themes = ['auto', 'light', 'dark']
const storageKey = 'acs-inspector-theme'

/** The button that changes the theme. */
export function themeButton(): HTMLButtonElement {
  let theme = remembered()
  const apply = () => {
    document.documentElement.dataset.theme = theme
    made.textContent = `Theme: ${theme}`
  }
  const made = button('', () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto'
    try {
      localStorage.setItem(storageKey, theme)
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    apply()
  })
  apply()
  return made
}

function remembered(): string {
  try {
    const known = localStorage.getItem(storageKey) ?? 'auto'
    return themes.includes(known) ? known : 'auto'
  } catch {
    return 'auto'
  }
}
