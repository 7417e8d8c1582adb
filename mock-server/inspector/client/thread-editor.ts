/** A thread as a chat that can be changed: the mock holds each change to the rules of the contract. */
import { goTo } from './address.ts'
import type { Context } from './context.ts'
import { deleteButton } from './delete-button.ts'
import { button, type Child, element, fill, group, heading, labelled, selection } from './elements.ts'
import { messageBubble } from './message-bubble.ts'
import { addMessageForm, changeMessageForm } from './message-form.ts'
import type { MessageView, ScenarioView, StateView, WholeThread } from './wire.ts'

/** The data of the editor, and the callback after a change. */
interface Edited {
  readonly context: Context
  readonly thread: WholeThread
  readonly files: StateView['files']
  readonly scenario: ScenarioView
  readonly changed: () => Promise<void>
}

/** The thread with its controls. */
export function threadEditor(edited: Edited): Child {
  const { thread, files, context, changed } = edited
  const { id, messages, messages_total: total, origin } = thread
  const path = context.path(`/threads/${encodeURIComponent(id)}`)
  const isCreated = origin === 'created'
  return [
    element(
      'header',
      { class: 'detail-head' },
      heading(
        thread.assistant,
        `${thread.tenant} · made by ${isCreated ? 'create thread' : 'a completion'} · `,
        element('code', {}, id),
      ),
    ),
    group(
      'Thread',
      'actions',
      isCreated ? button('Continue in chat', () => goTo({ view: 'chat', item: id })) : null,
      assistantChoice(edited, path),
      deleteButton(context, 'Delete thread', path, changed),
    ),
    messages.length < total
      ? element('p', { class: 'quiet' }, `The latest ${messages.length} of ${total} messages.`)
      : null,
    element(
      'ol',
      { class: 'chat' },
      messages.map((message) => messageItem(edited, message, path)),
    ),
    isCreated
      ? addMessageForm(thread, files, async (message) => {
          await context.admin.post(path, { messages: [message] })
          await changed()
        })
      : element(
          'p',
          { class: 'quiet' },
          'A thread that a completion made takes more messages with another completion only.',
        ),
  ]
}

function assistantChoice({ thread, scenario, context, changed }: Edited, path: string): HTMLElement {
  const own = scenario.tenants.find(({ name }) => name === thread.tenant)?.assistants ?? []
  const options = own.map(({ name }) => [name, name] as const)
  const choice = selection(options, thread.assistant)
  const bind = button('Bind', async () => {
    await context.admin.post(path, { assistant: choice.value })
    await changed()
  })
  return element('span', { class: 'bar' }, labelled('Assistant', choice), bind)
}

function messageItem({ context, changed }: Edited, message: MessageView, path: string): HTMLElement {
  const item = element('li')
  const own = `${path}/messages/${encodeURIComponent(message.id)}`
  const draw = () => fill(item, messageBubble(message, controls))
  const change = () =>
    fill(
      item,
      changeMessageForm(
        message,
        async (fields) => {
          await context.admin.post(own, fields)
          await changed()
        },
        draw,
      ),
    )
  const remove = async () => {
    await context.admin.remove(own)
    await changed()
  }
  const name = (verb: string) => ({ 'aria-label': `${verb} ${message.role} message ${message.content.slice(0, 40)}` })
  const controls = [button('Edit', change, name('Edit')), button('Delete', remove, name('Delete'))]
  draw()
  return item
}
