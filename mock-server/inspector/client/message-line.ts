/** The status line for the user, with at most one button. */
import { button, element, fill } from './elements.ts'

interface MessageLine {
  readonly root: HTMLElement
  tell(message: string, action?: { readonly label: string; readonly act: () => unknown }): void
}

const shownMs = 8000

/** An empty line. */
export function createMessageLine(): MessageLine {
  const root = element('div', { class: 'message', role: 'status' })
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    root,
    tell(message, action) {
      clearTimeout(timer)
      const clear = () => fill(root)
      const act =
        action === undefined
          ? null
          : button(action.label, async () => {
              clear()
              await action.act()
            })
      fill(root, element('span', {}, message), act, button('×', clear, { 'aria-label': 'Dismiss' }))
      timer = setTimeout(clear, shownMs)
    },
  }
}
