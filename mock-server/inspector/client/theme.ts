/** Light, dark, or as the system says; remembered where the browser allows it. */
import { recall, remember } from './browser-storage.ts'
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
    remember('localStorage', storageKey, theme)
    apply()
  })
  apply()
  return made
}

function remembered(): string {
  const known = recall('localStorage', storageKey) ?? ''
  return themes.includes(known) ? known : 'auto'
}
