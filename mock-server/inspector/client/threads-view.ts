/** The view of a world's contents: its threads as chats, and its files. Both can be changed by the rules. */
import { goTo, hrefOf, placeNow } from './address.ts'
import { readThread } from './admin-client.ts'
import { partiesOf } from './chat-turn.ts'
import type { Context, View } from './context.ts'
import { button, type Child, element, group, isFilledIn, labelled, refill, selection } from './elements.ts'
import { fileEditor, fileTable } from './file-editor.ts'
import { threadEditor } from './thread-editor.ts'
import { clockText } from './time-text.ts'
import type { ScenarioView, StateView, ThreadView } from './wire.ts'

/** The view of threads and files. */
export function createThreadsView(context: Context): View {
  const threads = element('nav', { class: 'plain-list', 'aria-label': 'Threads' })
  const files = element('div', { class: 'files' })
  const making = element('div', { class: 'filter' })
  const detail = element('div', { class: 'detail', 'aria-label': 'Thread', role: 'region', tabindex: '-1' })
  const root = element('div', { class: 'split' }, element('div', { class: 'side' }, making, threads, files), detail)
  const draw = async (isWriting = false) => {
    const [state, scenario] = await Promise.all([
      context.admin.get<StateView>(context.path('/contents')),
      context.scenario(),
    ])
    const { item, world } = placeNow()
    const file = state.files.find(({ id }) => id === item)
    const thread =
      item === '' || file !== undefined ? null : await readThread(context.admin, world, item).catch(() => null)
    root.classList.toggle('open', item !== '')
    refill(making, [scenario.name, world], () => makers(context, scenario, draw))
    refill(threads, [state.threads, placeNow()], () =>
      state.threads.length === 0
        ? element('p', { class: 'empty' }, 'No thread in this world.')
        : state.threads.map((one) => threadRow(one, item)),
    )
    refill(files, state.files, () => fileTable(state.files))
    if (isWriting) return
    refill(detail, [thread, file, placeNow()], () => [
      element('a', { class: 'back', href: hrefOf({ view: 'threads' }) }, '← All threads'),
      file === undefined ? null : fileEditor(context, file, draw),
      thread === null ? null : threadEditor({ context, thread, files: state.files, scenario, changed: draw }),
      thread === null && file === undefined ? nothingOpen(item) : null,
    ])
  }
  return {
    root,
    show: () => draw(),
    // Input stays until it is sent, regardless of changes in the world.
    update: () => draw(isFilledIn(detail)),
  }
}

function nothingOpen(item: string): HTMLElement {
  const text = item === '' ? 'Choose a thread or a file to read and change it.' : 'This is not there any more.'
  return element('p', { class: 'empty' }, text)
}

/** The controls that make a thread or a file. */
function makers({ admin, path }: Context, scenario: ScenarioView, changed: () => Promise<void>): Child {
  const parties = partiesOf(scenario)
  const who = selection(
    parties.map(({ tenant, assistant }, at) => [String(at), `${assistant.name} (${tenant})`] as const),
  )
  const make = async (rest: string, seed: object) => {
    const { id } = await admin.post<{ readonly id: string }>(path(rest), seed)
    goTo({ view: 'threads', item: id })
    await changed()
  }
  const party = () => parties[Number(who.value)]
  const name = element('input', { value: 'notes.txt', size: '14' })
  return [
    labelled('Assistant of a new thread', who),
    button('New thread', () =>
      make('/threads', { tenant: party()?.tenant ?? '', assistant: party()?.assistant.name ?? '' }),
    ),
    group('New file', 'bar', labelled('File', name)),
    button('New file', () => make('/files', { tenant: party()?.tenant ?? '', filename: name.value, uploaded: false })),
  ]
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
