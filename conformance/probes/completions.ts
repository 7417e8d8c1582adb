/** Chapter completions: asking with the messages in the body, whole; its faults are in completion-faults.ts. */

import { isObject } from '../classify/json.ts'
import { type AssistantCard, isNamed } from '../staging/assistant-card.ts'
import { thornyQuestion } from '../staging/wording.ts'
import { on, type Probe, served } from './probe.ts'

const answered = [
  ...served,
  'completions.one-whole-answer',
  'completions.carries-thread-id',
  'completions.thread-holds-conversation',
] as const
/** Assistants beside the plain one that are asked once each; every question is paid for. */
const otherAssistants = 3

export const completions = [
  {
    id: 'completions.answer',
    chapter: 'completions',
    from: 'gate',
    exercises: [on(['createChatCompletion'], ...answered), on(['listMessages'], 'resources.*')],
    needs: {},
    cost: { exchanges: 2, modelCalls: 1 },
    play: async (stage) => {
      const card = await stage.assistant('plain')
      if (card === null) return
      await stage.send('createChatCompletion', { json: stage.completion(card) })
      await listBorn(stage)
    },
  },
  {
    id: 'completions.other-assistants',
    chapter: 'completions',
    from: 'gate',
    rare: true,
    exercises: [on(['createChatCompletion'], ...answered, 'completions.fresh-thread')],
    needs: {},
    cost: { exchanges: otherAssistants, modelCalls: otherAssistants },
    play: async (stage) => {
      const plain = await stage.assistant('plain')
      if (plain === null) return
      const asksForTools = stage.profile.tools?.assistant_id
      const others = (await stage.assistants()).filter((card) => card.id !== plain.id && !isNamed(card, asksForTools))
      const messages = [{ role: 'user', content: thornyQuestion(stage.draw) }]
      for (const [index, card] of (others.length === 0 ? [plain] : outermost(others)).entries()) {
        const streams = index > 0 && card.streaming && stage.profile.claims.includes('streaming')
        const operation = streams ? 'streamChatCompletion' : 'createChatCompletion'
        await stage.send(operation, { json: stage.completion(card, { messages }) })
      }
    },
  },
  {
    id: 'completions.continue',
    chapter: 'completions',
    from: 'gate',
    exercises: [on(['createChatCompletion'], 'completions.continues-thread', 'completions.fresh-thread')],
    needs: {},
    after: ['completions.answer'],
    cost: { exchanges: 2, modelCalls: 1 },
    play: async (stage) => {
      const card = await stage.assistant('plain')
      const thread = stage.touched().find(({ born, tenant }) => born && tenant === 'primary')
      if (card === null) return
      if (thread === undefined)
        return stage.note('blocked', 'No completion was answered, so there is no thread to continue.')
      const json = stage.completion(card)
      await stage.send('createChatCompletion', {
        query: [['thread_id', thread.id]],
        body: spacedOut(json),
        headers: [['content-type', 'application/json; charset=utf-8']],
      })
      await listBorn(stage, thread.id)
    },
  },
] as const satisfies readonly Probe[]

/** The first and the last ones, since those that differ most tend to stand far apart. */
function outermost(cards: readonly AssistantCard[]): readonly AssistantCard[] {
  return [...cards.slice(0, 1), ...cards.slice(1).slice(1 - otherAssistants)]
}

/** Reads back the newest thread that a completion made, or `id`; free, and it shows what was stored. */
export async function listBorn(stage: Parameters<Probe['play']>[0], id?: string): Promise<void> {
  const born = stage.touched().filter((thread) => thread.born)
  const thread = id === undefined ? born.at(-1) : born.find((one) => one.id === id)
  if (thread === undefined || !stage.profile.claims.includes('threads')) return
  await stage.send('listMessages', { in: { thread_id: thread.id }, as: thread.tenant })
}

/** The same JSON in another spelling: keys reversed, white space between all tokens, every letter beyond ASCII escaped. */
export function spacedOut(json: unknown): string {
  // With an indent every key opens a line, and no line breaks inside of a string.
  const text = JSON.stringify(reversedKeys(json), null, '\t').replaceAll(/^(\t+"(?:[^"\\]|\\.)*"):/gm, '$1 \t:')
  return `\r\n ${text.replaceAll('/', '\\/').replaceAll(/[^\x20-\x7e\n\t]/gu, (found) => escaped(found))} \n`
}

function reversedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversedKeys)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, entry]) => [key, reversedKeys(entry)]),
  )
}

function escaped(text: string): string {
  return Array.from(
    { length: text.length },
    (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')
}
