/**
 * Chooses the next answer of an assistant. It is the first scripted turn that fits the stored thread, filled in from its
 * messages. The thread decides, never the text of the request, so a script cannot loop or collide with another
 * conversation.
 */

import { derive, drawsFrom, type Key } from '../randomness/key.ts'
import { sampleMetaData } from '../scenario/meta-data.ts'
import type { Assistant, Turn } from '../scenario/resolved-scenario.ts'
import {
  type AnswerFunction,
  type JsonObject,
  placeholders,
  type ToolCallScript,
  type TurnScript,
} from '../scenario/scenario.ts'
import { ScenarioFailure } from '../scenario/scenario-failure.ts'
import type { Answer, Cut, ToolCall } from './run.ts'
import type { Thread } from './state.ts'

interface Scene {
  readonly turn: number
  readonly lastRole: string | null
  readonly user: string
  readonly tool: string
  readonly toolsOffered: boolean
}

/** The answer of an assistant to a thread as it stands; throws a ScenarioFailure for mistakes found only during a run. */
export function answerOf(assistant: Assistant, thread: Thread, key: Key, toolsOffered: boolean): Answer {
  const scene: Scene = {
    turn: thread.answers + 1,
    lastRole: thread.lastRole,
    user: contentAt(thread, thread.lastUserAt),
    tool: thread.lastRole === 'tool' ? contentAt(thread, thread.log.size - 1) : '',
    toolsOffered,
  }
  const found = assistant.turns.findIndex((candidate) => fits(candidate, scene))
  const turn = assistant.turns[found]
  const said = turn === undefined ? silence : spoken(assistant, turn, scene, thread)
  const cut = said.chunks === undefined ? undefined : cutOf(said.chunks)
  const content = cut?.text ?? textOf(said, turn)
  return {
    content: content === '' ? '…' : content,
    reasoning: said.reasoning ?? '',
    sources: said.sources ?? [],
    metaData: said.meta_data ?? sampleMetaData(assistant.metaDataSchema, derive(key, 'meta_data')),
    toolCalls: (said.tool_calls ?? []).map((call, index) => toolCall(call, derive(key, 'tool call', index))),
    turn: found < 0 ? null : found + 1,
    ...(cut === undefined ? null : { cut }),
  }
}

const silence: TurnScript = { answer: 'I have nothing to say to that.' }

/** The script with its texts filled in; the answer of a function is taken literally. */
function spoken(assistant: Assistant, turn: Turn, scene: Scene, thread: Thread): TurnScript {
  const { script } = turn
  const { answer, reasoning, chunks } = script
  if (typeof answer === 'function') {
    const checked = assistant.checkAnswer(script, askedOf(answer, turn.place, scene, thread))
    if (checked.kind === 'wrong') throw new ScenarioFailure(turn.place, checked.problem)
    return checked.turn
  }
  return {
    ...script,
    ...(answer === undefined ? null : { answer: fill(answer, scene) }),
    ...(reasoning === undefined ? null : { reasoning: fill(reasoning, scene) }),
    ...(chunks === undefined
      ? null
      : {
          chunks: chunks.map((chunk) =>
            typeof chunk === 'string' ? fill(chunk, scene) : { ...chunk, text: fill(chunk.text, scene) },
          ),
        }),
  }
}

function askedOf(answer: AnswerFunction, place: string, scene: Scene, thread: Thread): unknown {
  const { turn, user, tool, toolsOffered } = scene
  const request = { turn, user, tool, toolsOffered, messages: [...thread.log].map(messageOf) }
  try {
    return answer(request)
  } catch (cause) {
    throw new ScenarioFailure(
      place,
      `the answer function threw ${cause instanceof Error ? cause : String(cause)}`,
      cause,
    )
  }
}

function textOf({ answer = '', repeat = 1 }: TurnScript, turn: Turn | undefined): string {
  if (typeof answer !== 'string') return ''
  try {
    return answer.repeat(repeat)
  } catch (cause) {
    const problem = `the answer is too long when it is repeated ${repeat} times; use a smaller repeat`
    throw new ScenarioFailure(turn?.place ?? '', problem, cause)
  }
}

function cutOf(chunks: NonNullable<TurnScript['chunks']>): Cut {
  const texts = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : chunk.text))
  let end = 0
  const borders = texts.map((text) => {
    end += text.length
    return end
  })
  const pausesMs = chunks.map((chunk) => (typeof chunk === 'string' ? null : (chunk.pause_ms ?? null)))
  return { text: texts.join(''), borders, pausesMs }
}

function fits(turn: Turn, scene: Scene): boolean {
  const { when } = turn.script
  if (when === undefined) return true
  if (when.turn !== undefined && when.turn !== scene.turn) return false
  if (when.last_role !== undefined && when.last_role !== scene.lastRole) return false
  if (when.tools_offered !== undefined && when.tools_offered !== scene.toolsOffered) return false
  return turn.userMatches === null || turn.userMatches.test(scene.user)
}

const placeholder = new RegExp(`\\{\\{(${placeholders.join('|')})\\}\\}`, 'g')

function fill(template: string, scene: Scene): string {
  if (!template.includes('{{')) return template
  return template.replace(placeholder, (_whole, name: (typeof placeholders)[number]) => String(scene[name]))
}

/** A call that an answer asks for; its id is drawn from the key. */
export function toolCall(script: ToolCallScript, key: Key): ToolCall {
  const draw = drawsFrom(key)
  const id = `call_${Array.from({ length: 24 }, () => Math.floor(draw() * 36).toString(36)).join('')}`
  return { id, type: 'function', function: { name: script.name, arguments: JSON.stringify(script.arguments) } }
}

function contentAt(thread: Thread, position: number): string {
  const bytes = position < 0 ? undefined : thread.log.get(position)
  const content = bytes === undefined ? '' : messageOf(bytes).content
  return typeof content === 'string' ? content : ''
}

function messageOf(bytes: Uint8Array): JsonObject {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString())
}
