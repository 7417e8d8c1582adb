/**
 * What an assistant says next: the first scripted turn that fits the stored thread, filled in from its messages.
 * The thread decides, never the text of the request, so a script cannot loop or collide with another conversation.
 */

import { derive, drawsFrom, type Key } from '../randomness/key.ts'
import { sampleMetaData } from '../scenario/meta-data.ts'
import type { Assistant, Turn } from '../scenario/resolved-scenario.ts'
import { placeholders, type ToolCallScript } from '../scenario/scenario.ts'
import type { Answer, ToolCall } from './run.ts'
import type { Thread } from './state.ts'

interface Scene {
  readonly turn: number
  readonly lastRole: string | null
  readonly user: string
  readonly tool: string
  readonly toolsOffered: boolean
}

/** The answer of an assistant to a thread as it stands. */
export function answerOf(assistant: Assistant, thread: Thread, key: Key, toolsOffered: boolean): Answer {
  const scene: Scene = {
    turn: thread.answers + 1,
    lastRole: thread.lastRole,
    user: contentAt(thread, thread.lastUserAt),
    tool: thread.lastRole === 'tool' ? contentAt(thread, thread.log.size - 1) : '',
    toolsOffered,
  }
  const turn = assistant.turns.find((candidate) => fits(candidate, scene))
  const script = turn?.script
  const content = fill(script?.answer ?? 'I have nothing to say to that.', scene)
  return {
    content: content === '' ? '…' : content,
    reasoning: fill(script?.reasoning ?? '', scene),
    sources: script?.sources ?? [],
    metaData: script?.meta_data ?? sampleMetaData(assistant.metaDataSchema, derive(key, 'meta_data')),
    toolCalls: (script?.tool_calls ?? []).map((call, index) => toolCall(call, derive(key, 'tool call', index))),
  }
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

function toolCall(script: ToolCallScript, key: Key): ToolCall {
  const draw = drawsFrom(key)
  const id = `call_${Array.from({ length: 24 }, () => Math.floor(draw() * 36).toString(36)).join('')}`
  return { id, type: 'function', function: { name: script.name, arguments: JSON.stringify(script.arguments) } }
}

function contentAt(thread: Thread, position: number): string {
  const bytes = position < 0 ? undefined : thread.log.get(position)
  if (bytes === undefined) return ''
  const message: { content?: unknown } = JSON.parse(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(),
  )
  return typeof message.content === 'string' ? message.content : ''
}
