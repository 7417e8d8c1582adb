/** The view of what a world holds: its threads as chats, and its files. */
import { goTo, hrefOf, placeNow } from './address.ts'
import { readThread } from './admin-client.ts'
import type { Context, View } from './context.ts'
import { button, type Child, element, heading, refill, table, tableRow } from './elements.ts'
import { messageBubble } from './message-bubble.ts'
import { bytesText, clockText } from './time-text.ts'
import type { StateView, ThreadView, WholeThread } from './wire.ts'

/** The view of threads and files. */
export function createThreadsView(context: Context): View {
  const threads = element('nav', { class: 'plain-list', 'aria-label': 'Threads' })
  const files = element('div', { class: 'files' })
  const detail = element('div', { class: 'detail', 'aria-label': 'Thread', role: 'region', tabindex: '-1' })
  const root = element('div', { class: 'split' }, element('div', { class: 'side' }, threads, files), detail)
  const draw = async () => {
    const state = await context.admin.get<StateView>(context.path('/contents'))
    const { item, world } = placeNow()
    const thread = item === '' ? null : await readThread(context.admin, world, item).catch(() => null)
    root.classList.toggle('open', item !== '')
    refill(threads, [state.threads, placeNow()], () =>
      state.threads.length === 0
        ? element('p', { class: 'empty' }, 'No thread in this world.')
        : state.threads.map((one) => threadRow(one, item)),
    )
    refill(files, state.files, () => fileTable(state.files))
    refill(detail, [thread, placeNow()], () => [
      element('a', { class: 'back', href: hrefOf({ view: 'threads' }) }, '← All threads'),
      thread === null
        ? element(
            'p',
            { class: 'empty' },
            item === '' ? 'Choose a thread to read it.' : 'This thread is not there any more.',
          )
        : chat(thread),
    ])
  }
  return { root, show: draw, update: draw }
}

function threadRow({ id, assistant, messages_total, last_at, last_message }: ThreadView, open: string): HTMLElement {
  return element(
    'a',
    { href: hrefOf({ view: 'threads', item: id }), ...(id === open ? { 'aria-current': 'true' } : null) },
    element('b', {}, assistant),
    element(
      'span',
      { class: 'quiet' },
      `${messages_total === 1 ? 'one message' : `${messages_total} messages`} · ${clockText(last_at)}`,
    ),
    element(
      'span',
      { class: 'snippet' },
      last_message === null ? 'empty' : `${last_message.role}: ${last_message.content}`,
    ),
  )
}

function chat(thread: WholeThread): Child {
  const { id, messages, messages_total: total } = thread
  return [
    element(
      'header',
      { class: 'detail-head' },
      heading(
        thread.assistant,
        `${thread.tenant} · made by ${thread.origin === 'created' ? 'create thread' : 'a completion'} · `,
        element('code', {}, thread.id),
      ),
    ),
    thread.origin === 'created'
      ? element(
          'div',
          { class: 'actions' },
          button('Continue in chat', () => goTo({ view: 'chat', item: id })),
        )
      : null,
    messages.length < total
      ? element('p', { class: 'quiet' }, `The latest ${messages.length} of ${total} messages.`)
      : null,
    element(
      'ol',
      { class: 'chat' },
      messages.map((message) => element('li', {}, messageBubble(message))),
    ),
  ]
}

function fileTable(files: StateView['files']): Child {
  if (files.length === 0) return null
  const rows = files.map(({ filename, status, tenant, upload }) =>
    tableRow(
      filename,
      status.replace('_', ' '),
      upload === null ? '' : `${upload.media_type}, ${bytesText(upload.size)}`,
      tenant,
    ),
  )
  return [element('h2', {}, `Files (${files.length})`), table(['File', 'Status', 'Content', 'Tenant'], rows)]
}
