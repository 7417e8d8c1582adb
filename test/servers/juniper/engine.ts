/** Stands for the model: makes an answer to the messages of a thread, by rules. */
import { randomUUID } from 'node:crypto'
import type { Assistant } from './assistants.ts'
import type { Json } from './checks.ts'
import type { Message, MessageRecord, ToolCall } from './message-store.ts'
import type { Service } from './service.ts'

/** What an assistant answers, and what it thought on the way. */
export interface Answer {
  readonly record: MessageRecord & { readonly sources: readonly unknown[] }
  readonly reasoning: readonly string[]
}

const notes = {
  legal:
    'The rule has two parts; “reasonable care” comes first, and § 4 sets the term. A naïve reading misses the second.',
  register: 'The register lists one entry for this licence. It was checked today and it is in good order.',
  ledger: 'The ledger balances; nothing was booked since the last closing.',
  clerk: 'The files were read side by side, and they agree in every point that matters here.',
  muse: 'Think of a quiet harbour — then of the tide. The answer follows from the second picture. 🌊',
} as const

const library = {
  legal: [
    { content: 'Reasonable care is owed to every client.', meta_data: { document_title: 'Civil Code', section: '12' } },
    { content: 'The term is two years.', meta_data: { document_title: 'Limitation Act', section: '4 (2)' } },
  ],
  register: [{ content: 'Entry 17: valid.', meta_data: { document_title: 'Licence Register', section: '17' } }],
  ledger: [],
  clerk: [],
  muse: [],
} as const

const tools = ['read_case_file', 'read_counterpart_file']

/** Answers the newest message of a history. */
export function compose(service: Service, assistant: Assistant, history: readonly Message[], body: Json): Answer {
  const { legal } = service
  const kind = assistant.kind
  const question = history.findLast(({ role }) => role === 'user')?.record.content ?? ''
  const calls = toolCallsOf(assistant, history, body)
  const remark = legal.has('answers_differ') ? ` (${randomUUID().slice(0, 8)})` : ''
  const content = calls ? 'I need to read two files first.' : `On "${question}": ${notes[kind]}${remark}`
  const metaData = metaDataOf(assistant, question, body, calls)
  const reasoning = ['The question is read.', `It has ${question.length} characters.`]
  return {
    record: {
      content,
      meta_data: metaDataShown(service, assistant, metaData, history),
      sources: calls ? [] : sourcesShown(service, assistant),
      ...(calls && { tool_calls: calls }),
    },
    reasoning: kind === 'muse' ? reasoning : reasoning.slice(0, 1),
  }
}

function toolCallsOf({ kind }: Assistant, history: readonly Message[], body: Json): readonly ToolCall[] | undefined {
  const last = history.at(-1)
  const asked = last?.role === 'user' && /\bcase files?\b/i.test(last.record.content)
  if (kind !== 'clerk' || !asked || body.tool_choice === 'none') return undefined
  return tools.map((name, index) => ({
    tool_call_id: `call_${randomUUID()}`,
    tool_name: name,
    arguments: { file: index },
  }))
}

function metaDataOf(assistant: Assistant, question: string, body: Json, calls: readonly ToolCall[] = []): Json {
  const userData = body.user_data as Json | undefined
  switch (assistant.kind) {
    case 'legal': {
      const advice = /\b(advice|should|sue|may i|can i)\b/i.test(question)
      const type = '53aa66b7-b874-407f-967c-3a959c919d62'
      return { type, legal_advice: advice, intent: advice ? 'ask_for_advice' : 'ask_for_information' }
    }
    case 'register':
      return { licence: String(userData?.licence ?? 'none'), confidence: 0.5 }
    case 'ledger':
      return { entries: 0 }
    case 'clerk':
      return { open_calls: calls.length }
    case 'muse':
      return { mood: question.endsWith('?') ? 'curious' : 'calm', steps: 2 }
  }
}

function metaDataShown({ fault }: Service, { kind }: Assistant, data: Json, history: readonly Message[]): Json {
  const continued = history.filter(({ role }) => role === 'assistant').length > 0
  const without = (name: string): Json => Object.fromEntries(Object.entries(data).filter(([key]) => key !== name))
  if (fault === 'meta_steps_fraction' && kind === 'muse') return { ...data, steps: 1.5 }
  if (fault === 'meta_mood_unknown_when_calm' && kind === 'muse' && data.mood === 'calm') return { ...data, mood: '' }
  if (kind !== 'legal') return data
  if (fault === 'meta_advice_text') return { ...data, legal_advice: data.legal_advice ? 'yes' : 'no' }
  if (fault === 'meta_advice_null_when_none' && data.legal_advice === false) return { ...data, legal_advice: null }
  if (fault === 'meta_type_is_name') return { ...data, type: 'legal' }
  if (fault === 'meta_intent_list') return { ...data, intent: [data.intent] }
  if (fault === 'meta_intent_missing_later' && continued) return without('intent')
  return data
}

function sourcesShown({ fault }: Service, { kind }: Assistant): readonly unknown[] {
  const sources: readonly { content: string; meta_data: { document_title: string; section: string } }[] = library[kind]
  if (fault === 'source_section_number') {
    return sources.map((source) => ({
      ...source,
      meta_data: { ...source.meta_data, section: Number.parseInt(source.meta_data.section, 10) },
    }))
  }
  if (fault === 'source_fields_flat') return sources.map(({ content, meta_data }) => ({ content, ...meta_data }))
  if (fault === 'source_content_missing') return sources.map(({ meta_data }) => ({ meta_data }))
  if (fault === 'source_second_untitled') {
    return sources.map((source, index) =>
      index === 0 ? source : { ...source, meta_data: { section: source.meta_data.section } },
    )
  }
  return sources
}
