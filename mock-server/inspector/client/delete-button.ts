/** The button that deletes the open item and leads back to the list. */
import { goTo } from './address.ts'
import type { Context } from './context.ts'
import { button } from './elements.ts'

/** `path` is that of the admin API; `changed` is called after it is gone. */
export function deleteButton(
  { admin }: Context,
  label: string,
  path: string,
  changed: () => Promise<void>,
): HTMLButtonElement {
  const remove = async () => {
    await admin.remove(path)
    goTo({ view: 'threads' })
    await changed()
  }
  return button(label, remove, { class: 'danger' })
}
