/**
 * Composes what an assistant says and sends it whole, as text fragments or as content blocks.
 * A streamed answer is stored when its last fragment went out; nothing is stored for a caller who hangs up.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { AssistantEntry, Message, MessageDraft, Source, Thread } from './records.ts'
import type { State } from './state.ts'

const fragmentPauseMs = 4

/** One answer in the making: by whom and on which thread. */
export interface Turn {
  readonly state: State
  readonly thread: Thread
  readonly assistant: AssistantEntry
}

function firstCharacters(text: string, count: number): string {
  return Array.from(text).slice(0, count).join('')
}

function sourcesFor(question: string): Source[] {
  return [
    {
      content: `“${firstCharacters(question, 40)}” is treated in the guide.`,
      meta_data: { document_title: 'Guide', section: '2.1' },
    },
    { content: 'The annex lists the exceptions.', meta_data: { document_title: 'Annex', section: 'B' } },
  ]
}

function toolRequest(question: string): Pick<MessageDraft, 'content' | 'tool_calls'> {
  const city = /\bin ([A-Z]\w+)/.exec(question)?.[1] ?? 'Bern'
  const call = { name: 'get_weather', arguments: JSON.stringify({ city }) }
  return {
    content: `Let me look up the weather in ${city}.`,
    tool_calls: [{ id: `call_${randomUUID().replaceAll('-', '')}`, type: 'function', function: call }],
  }
}

function compose({ thread, assistant }: Turn): MessageDraft {
  const last = thread.messages.at(-1)
  const question = thread.messages.findLast((message) => message.role === 'user')?.content ?? ''
  const meta_data = assistant.describe(question)
  if (assistant.callsTools && last?.role === 'user' && /weather/i.test(question)) {
    return { role: 'assistant', ...toolRequest(question), meta_data, sources: [] }
  }
  const excerpt = firstCharacters(question, 120)
  const ground = last?.role === 'tool' ? 'The tool has reported back – ' : ''
  const content = `${ground}${assistant.record.name} here. You said: “${excerpt}”.\nIn short: yes, naïvely ☕ speaking, that can be done.`
  return { role: 'assistant', content, meta_data, sources: sourcesFor(question) }
}

function fragmentsOf(text: string): string[] {
  return text.match(/\s*\S+\s*\S*\s*/g) ?? [text]
}

function chunk(turn: Turn, messageId: string, delta: object): object {
  return {
    created_at: turn.state.clock.timestamp(),
    message_id: messageId,
    thread_id: turn.thread.id,
    delta: { role: 'assistant', ...delta },
  }
}

/** Gives the whole answer at once and stores it. */
export function answerWhole(turn: Turn): Message {
  return turn.state.append(turn.thread, compose(turn))
}

/** Gives the answer as text fragments; sources come with the first one, tool calls with the last. */
export async function* answerInFragments(turn: Turn): AsyncGenerator<object> {
  const draft = compose(turn)
  const messageId = randomUUID()
  const fragments = fragmentsOf(draft.content)
  for (const [index, content] of fragments.entries()) {
    const calls = index === fragments.length - 1 && draft.tool_calls ? { tool_calls: draft.tool_calls } : {}
    yield chunk(turn, messageId, { content, sources: index === 0 ? draft.sources : [], ...calls })
    await pause(fragmentPauseMs)
  }
  turn.state.append(turn.thread, draft, messageId)
}

/** Gives the answer as content blocks: a reasoning, then the text piece by piece. */
export async function* answerInBlocks(turn: Turn): AsyncGenerator<object> {
  const draft = compose(turn)
  const messageId = randomUUID()
  const reasoning = { type: 'reasoning', reasoning: 'The guide covers this; a short answer will do.' }
  yield chunk(turn, messageId, { content_blocks: [reasoning], sources: draft.sources })
  for (const text of fragmentsOf(draft.content)) {
    await pause(fragmentPauseMs)
    yield chunk(turn, messageId, { content_blocks: [{ type: 'text', text }], sources: [] })
  }
  turn.state.append(turn.thread, draft, messageId)
}
