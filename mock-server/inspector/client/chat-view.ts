/** A chat with the assistants of the mock. It sends the requests of a normal client, by the API of the contract. */
import { goTo } from './address.ts'
import { readThread } from './admin-client.ts'
import { openCall, type Party, partiesOf, requiredFields, run, say } from './chat-turn.ts'
import type { Context, View } from './context.ts'
import { attempt, button, element, fill, labelled, selection, setOptions } from './elements.ts'
import { joinedText } from './frames.ts'
import { messageBubble } from './message-bubble.ts'
import { ndjsonBatches } from './ndjson.ts'
import type { WholeThread } from './wire.ts'

/** The chat. */
export function createChatView(context: Context): View {
  const fields = createFields()
  const { who, streamed, body, text, send, form } = fields
  const log = element('ol', { class: 'chat', 'aria-live': 'polite', 'aria-label': 'Conversation' })
  const subject = element('p', { class: 'quiet' })
  let parties: readonly Party[] = []
  let thread: WholeThread | null = null
  const load = async (id: string) => {
    thread = id === '' ? null : await readThread(context.admin, context.world(), id)
    const open = openCall(thread)
    fields.name.textContent = open === null ? 'Message' : `Result of ${open.function.name}`
    subject.textContent = thread === null ? 'A new thread, made with the first message.' : `Thread ${thread.id}`
    const messages = thread?.messages ?? []
    fill(
      log,
      messages.map((message) => element('li', {}, messageBubble(message))),
    )
    log.lastElementChild?.scrollIntoView({ block: 'nearest' })
  }
  const turn = async () => {
    const party = parties[Number(who.value)]
    if (party === undefined || text.value === '') return
    const options = JSON.parse(body.value || '{}') as object
    const now = { world: context.world(), party, thread, text: text.value, streamed: streamed.checked, run: options }
    const id = await say(now)
    text.value = ''
    await load(id)
    goTo({ view: 'chat', item: id }, 'replace')
    if (openCall(thread) === null) await run(now, id, (stream) => follow(log, stream))
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    send.disabled = true
    await attempt(turn)
    await attempt(() => load(thread?.id ?? ''))
    send.disabled = false
    text.focus()
  })
  who.addEventListener('change', () => {
    const assistant = parties[Number(who.value)]?.assistant
    body.value = JSON.stringify(requiredFields(assistant))
    streamed.checked = assistant?.streaming === true
    goTo({ view: 'chat' })
  })
  const show = async (item: string) => {
    parties = partiesOf(await context.scenario())
    const names = parties.map(({ tenant, assistant }) => `${assistant.name} (${tenant})`)
    setOptions(
      who,
      names.map((name, index) => [String(index), name]),
    )
    if (send.disabled) return
    await load(item)
    const index = thread === null ? -1 : names.indexOf(`${thread.assistant} (${thread.tenant})`)
    if (index >= 0) who.value = String(index)
    body.value ||= JSON.stringify(requiredFields(parties[Number(who.value)]?.assistant))
  }
  const choice = element('div', { class: 'filter' }, labelled('Assistant', who), fields.streamedLabel, fields.fresh)
  return { root: element('div', { class: 'page narrow' }, choice, fields.options, subject, log, form), show }
}

function createFields() {
  const who = selection([])
  const streamed = element('input', { type: 'checkbox', checked: '' })
  const body = element('textarea', { rows: '2', spellcheck: 'false' })
  const text = element('textarea', { rows: '2', placeholder: 'Say something' })
  const name = element('span', {}, 'Message')
  const send = element('button', { type: 'submit', class: 'primary' }, 'Send')
  const form = element('form', { class: 'composer' }, element('label', {}, name, text), send)
  text.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    if (!send.disabled) form.requestSubmit()
  })
  return {
    ...{ who, streamed, body, text, name, send, form },
    streamedLabel: element('label', { class: 'check' }, streamed, 'streamed'),
    fresh: button('New thread', () => goTo({ view: 'chat' })),
    options: element('details', {}, element('summary', {}, 'Body of the run'), labelled('JSON', body)),
  }
}

/** Shows an answer while it arrives. */
async function follow(log: HTMLElement, stream: ReadableStream<Uint8Array>): Promise<void> {
  const line = element('p')
  const head = element('header', {}, element('b', {}, 'assistant'), ' answers …')
  const bubble = element('article', { class: 'bubble assistant' }, head, line)
  log.append(element('li', {}, bubble))
  for await (const chunks of ndjsonBatches<object>(stream)) {
    line.append(joinedText(chunks.map((chunk) => ({ at: '', text: JSON.stringify(chunk) }))))
    bubble.scrollIntoView({ block: 'nearest' })
  }
}
