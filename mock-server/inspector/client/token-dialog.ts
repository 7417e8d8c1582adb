/** Asks for the admin token of the mock. */
import { element, heading, labelled } from './elements.ts'

/** The user's input. */
export function askToken(): Promise<string> {
  const input = element('input', { type: 'password', autocomplete: 'off', required: '' })
  const form = element(
    'form',
    { method: 'dialog' },
    heading(
      'Admin token',
      'This mock admits programs on its own machine, or whoever sends the token that it was started with (--admin-token).',
    ),
    labelled('Token', input),
    element('button', { type: 'submit', class: 'primary' }, 'Open'),
  )
  const dialog = element('dialog', { 'aria-label': 'Admin token' }, form)
  document.body.append(dialog)
  dialog.showModal()
  dialog.addEventListener('cancel', (event) => event.preventDefault())
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(input.value)
    })
  })
}
