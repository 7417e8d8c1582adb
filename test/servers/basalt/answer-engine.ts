/**
 * Composes answers and cuts them into chunks. An answer is stored before its first chunk goes out, so every chunk
 * bears the message's own timestamp; the first delta is empty, the sources come with the last.
 */
import { newId } from './identity.ts'
import type { Engine, MessageContent, MessageRecord, Source, Thread, ToolRequest } from './model.ts'

const sources: readonly Source[] = [
  { content: 'Rates are fixed at noon.', meta_data: { document_title: 'Handbook', section: '§ 7', relevance: 0.91 } },
]

function askForRates(question: string): ToolRequest[] {
  const currencies = question.match(/\b[A-Z]{3}\b/g) ?? ['EUR']
  return currencies.map((currency) => ({ call_id: `rq-${newId()}`, tool: 'exchange_rate', input: { currency } }))
}

/** What the assistant says on a thread as it stands. */
export function composeAnswer(engine: Engine, thread: Thread): MessageContent {
  const records = thread.entries.map((entry) => entry.record)
  const question = records.findLast((record) => record.role === 'user')?.content ?? ''
  const frame = { role: 'assistant' as const, attachments: [], meta_data: engine.metaData(question) }
  if (engine.asksForTools && records.at(-1)?.role === 'user' && /\bcompare\b/i.test(question)) {
    return { ...frame, content: 'One moment, I ask for the rates.', sources: [], tool_requests: askForRates(question) }
  }
  const topic = Array.from(question).slice(0, 80).join('')
  const content = `Dear customer, on “${topic}”:\r\n1) the desk has noted it; 2) the fee is 4,50 € 🧾; 3) naïve façades don’t count.\t`
  return { ...frame, content, sources, tool_requests: [] }
}

function pieces(text: string, size: number): string[] {
  const characters = Array.from(text)
  const count = Math.ceil(characters.length / size)
  return Array.from({ length: count }, (_, index) => characters.slice(index * size, (index + 1) * size).join(''))
}

function chunk(record: MessageRecord, delta: object): object {
  const { id, thread_id, created_at } = record
  return { message_id: id, thread_id, created_at, delta: { ...delta, role: 'assistant' } }
}

/** The answer as text chunks; one whole chunk when the engine cannot stream. */
export function textChunks(record: MessageRecord, streaming: boolean): object[] {
  const found = record.sources ?? []
  if (!streaming) return [chunk(record, { content: record.content, sources: found })]
  const texts = ['', ...pieces(record.content, 11)]
  const last = texts.length - 1
  return texts.map((content, index) => chunk(record, { content, sources: index === last ? found : [] }))
}

/** The answer as block chunks, several blocks of several types in each. */
export function blockChunks(record: MessageRecord): object[] {
  const texts = pieces(record.content, 23)
  const last = texts.length - 1
  const opening = [
    { type: 'plan', steps: ['read', 'reply'] },
    { type: 'reasoning', reasoning: 'The handbook has it.' },
    { type: 'reasoning', reasoning: 'Section seven, to be exact.' },
  ]
  return [
    chunk(record, { content_blocks: [], sources: [] }),
    chunk(record, { content_blocks: opening, sources: [] }),
    ...texts.map((text, index) => {
      const content_blocks = [
        { type: 'answer', fragment: { text, index } },
        { type: 'usage', tokens: text.length },
      ]
      return chunk(record, { content_blocks, sources: index === last ? record.sources : [] })
    }),
  ]
}
