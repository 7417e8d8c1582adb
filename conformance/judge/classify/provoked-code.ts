/** Recognises requests that provoke an error as the profile describes. */
import type { HeaderLines } from '../../trace/exchange.ts'
import { fieldOf, textField } from '../read/json.ts'
import { headerValue, isRun, type ParsedExchange } from '../read/parsed-exchange.ts'
import type { JudgeContext } from './judge-context.ts'

type Around = Pick<JudgeContext, 'profile' | 'histories'>

/** The code that a request provokes, or `null`. */
export function provokedCode(parsed: ParsedExchange, around: Around): string | null {
  const { provoking } = around.profile
  if (provoking.length === 0) return null
  const { exchange } = parsed
  const sent = parsed.body.kind === 'json' ? parsed.body.value : null
  const isLine = ([name, value]: HeaderLines[number]): boolean => headerValue(exchange, name) === value
  const isField = ([name, value]: readonly [string, unknown]): boolean => isSame(fieldOf(sent, name), value)
  const isMeant = ({ lines, thread, prompt, body }: (typeof provoking)[number]): boolean =>
    lines.every(isLine) &&
    (thread === null || exchange.request.url.toLowerCase().includes(`/${thread.toLowerCase()}/`)) &&
    (prompt === null || newestQuestion(parsed, sent, around)?.startsWith(prompt) === true) &&
    Object.entries(body).every(isField)
  return provoking.find(isMeant)?.code ?? null
}

/** The last question of a completion, or the last user message in the thread of a run. */
function newestQuestion(parsed: ParsedExchange, sent: unknown, { histories }: Around): string | null {
  const messages = fieldOf(sent, 'messages')
  if (Array.isArray(messages)) return textField(messages.at(-1), 'content')
  if (!isRun(parsed)) return null
  const { writes = [] } = histories.thread(parsed.params.thread_id ?? '') ?? {}
  const before = writes.filter(({ role, sentAtMs }) => role === 'user' && sentAtMs < parsed.sentAtMs)
  return before.at(-1)?.content ?? null
}

/** Whether two JSON values are written alike; ids ignore case. */
function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left)?.toLowerCase() === JSON.stringify(right)?.toLowerCase()
}
