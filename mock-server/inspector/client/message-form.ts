/** Forms for a message of a thread: one adds it at the end, one changes it where it stands. */
import { openCall } from './chat-turn.ts'
import { button, element, labelled, selection } from './elements.ts'
import type { MessageView, StateView, WholeThread } from './wire.ts'

/** Fields that the mock takes beside role and content. */
const moreFields = ['tool_call_id', 'tool_calls', 'file_ids', 'meta_data', 'sources'] as const

/** A form that adds a message; `add` is given what the mock takes. */
export function addMessageForm(
  thread: WholeThread,
  files: StateView['files'],
  add: (message: object) => Promise<void>,
): HTMLElement {
  const role = selection(['user', 'system', 'tool', 'assistant'].map((name) => [name, name] as const))
  const own = files.filter(({ tenant }) => tenant === thread.tenant)
  const file = selection([['', 'none'], ...own.map(({ id, filename }) => [id, filename] as const)])
  const { text, more, controls } = messageFields('', startOf('user', thread))
  const suggest = () => {
    const attached = file.value === '' ? null : { file_ids: [file.value] }
    more.value = textOf({ ...startOf(role.value, thread), ...attached })
  }
  for (const choice of [role, file]) choice.addEventListener('change', suggest)
  const save = button('Add message', () => add({ role: role.value, content: text.value, ...fieldsOf(more.value) }))
  return element(
    'section',
    { class: 'stack', 'aria-label': 'Add a message' },
    element('h3', {}, 'Add a message'),
    element('div', { class: 'filter' }, labelled('Role', role), labelled('Attach', file)),
    controls,
    element('div', { class: 'actions' }, save),
  )
}

/** A form that changes a message. */
export function changeMessageForm(
  message: MessageView,
  change: (fields: object) => Promise<void>,
  leave: () => void,
): HTMLElement {
  const given = Object.fromEntries(moreFields.flatMap((name) => (name in message ? [[name, message[name]]] : [])))
  const { text, more, controls } = messageFields(message.content, given)
  const save = button('Save', () => change({ content: text.value, ...fieldsOf(more.value) }), { class: 'primary' })
  return element(
    'section',
    { class: 'stack', 'aria-label': `Change the ${message.role} message` },
    controls,
    element('div', { class: 'actions' }, save, button('Cancel', leave)),
  )
}

function messageFields(content: string, given: object) {
  const text = element('textarea', { rows: '3' })
  text.defaultValue = content
  const more = element('textarea', { rows: '3', class: 'code', spellcheck: 'false' })
  more.defaultValue = textOf(given)
  return { text, more, controls: [labelled('Content', text), labelled('More fields (JSON)', more)] }
}

/** The usual fields of a message of a role. */
function startOf(role: string, thread: WholeThread): object {
  if (role === 'tool') return { tool_call_id: openCall(thread)?.id ?? '' }
  return role === 'assistant' ? { meta_data: {}, sources: [] } : {}
}

function textOf(fields: object): string {
  return JSON.stringify(fields, null, 1).replaceAll(/\n\s*/g, ' ')
}

function fieldsOf(text: string): object {
  return JSON.parse(text === '' ? '{}' : text) as object
}
