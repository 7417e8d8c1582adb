/**
 * Where threads come from: the profile's fixed ones, those that a request of the profile made, and those that completions
 * made. A thread id without any origin exists nowhere, as far as a run of the suite knows.
 */
import { operations } from '../../spec/index.ts'
import { threadKey } from '../classify/forms.ts'
import { textField, valuesAt } from '../classify/json.ts'
import { documentOf, isAccepted, queryValues, type Reading } from '../classify/reading.ts'
import type { JudgeProfile } from '../judging/judge-profile.ts'
import { textAt } from '../staging/template-place.ts'
import type { ThreadOrigin } from './thread-ledger.ts'

/** All threads with an origin, by canonical id; the first origin counts. */
export function threadOrigins(readings: readonly Reading[], profile: JudgeProfile): Map<string, ThreadOrigin> {
  const origins = new Map<string, ThreadOrigin>()
  const add = (id: string | null, origin: ThreadOrigin): void => {
    const key = id === null ? null : threadKey(id)
    if (key !== null && !origins.has(key)) origins.set(key, origin)
  }
  for (const thread of profile.threads?.kind === 'static' ? profile.threads.threads : []) {
    add(thread.id, {
      kind: thread.holds === 'empty' ? 'made' : 'given',
      tenant: thread.tenant,
      startsEmpty: thread.holds === 'empty',
      fromMs: Number.NEGATIVE_INFINITY,
      assistant: thread.assistant_id?.toLowerCase() ?? null,
      by: null,
      again: [],
    })
  }
  for (const reading of readings) {
    if (!isAccepted(reading)) continue
    const made = madeThread(reading, profile)
    const known = origins.get(made?.toLowerCase() ?? '')
    if (made !== null && known !== undefined)
      origins.set(made.toLowerCase(), { ...known, again: [...known.again, reading] })
    add(made, madeBy(reading, 'made', profile))
    if (queryValues(reading, 'thread_id').length === 0)
      add(answeredThread(reading), madeBy(reading, 'completion', profile))
  }
  if (profile.threads?.kind === 'command')
    for (const [id, by] of handedOver(readings))
      add(id, { ...madeBy(by, 'made', profile), fromMs: Number.NEGATIVE_INFINITY })
  return origins
}

/** A command leaves no exchange: its threads are those that not every request expected to be unknown. */
function handedOver(readings: readonly Reading[]): ReadonlyMap<string, Reading> {
  const found = new Map<string, Reading>()
  const used = new Map<string, Reading>()
  for (const reading of readings) {
    const id = reading.params.thread_id?.toLowerCase()
    if (id === undefined) continue
    if (!used.has(id)) used.set(id, reading)
    if (reading.exchange.intent?.expects !== 'rejected') found.set(id, used.get(id) ?? reading)
  }
  return found
}

/** The thread of a completion's answer, whole or streamed. */
export function answeredThread(reading: Reading): string | null {
  if (reading.operation === null || operations[reading.operation].chapter !== 'completions') return null
  const { stream } = reading.answer
  return textField(stream === null ? documentOf(reading) : stream.lines[0]?.value, 'thread_id')
}

/** The texts of accepted completions that name no thread where the contract has it; they may name one elsewhere. */
export function unreadCompletions(readings: readonly Reading[]): readonly string[] {
  return readings.flatMap((reading) => {
    const isCompletion = reading.operation !== null && operations[reading.operation].chapter === 'completions'
    if (!isCompletion || !isAccepted(reading) || answeredThread(reading) !== null) return []
    const { body, stream } = reading.answer
    if (stream !== null) return stream.lines.map(({ text }) => text.toLowerCase())
    return body.kind === 'none' ? [] : [body.text.toLowerCase()]
  })
}

function madeThread(reading: Reading, { threads, baseUrl }: JudgeProfile): string | null {
  const { method, url } = reading.exchange.request
  if (threads?.kind === 'http' && method === threads.method.toUpperCase()) {
    const target = /^https?:/.test(threads.path) ? threads.path : baseUrl.replace(/\/+$/, '') + threads.path
    const [found] = url === target ? valuesAt(documentOf(reading), threads.pointer) : []
    if (typeof found === 'string') return found
  }
  return reading.operation === 'createThread' ? textField(documentOf(reading), 'id') : null
}

function madeBy(reading: Reading, kind: 'made' | 'completion', profile: JudgeProfile): ThreadOrigin {
  const body = reading.body.kind === 'json' ? reading.body.value : null
  const assistant = kind === 'completion' ? textField(body, 'assistant_id') : textAt(body, profile.threadAssistantAt)
  return {
    kind,
    tenant: reading.tenant,
    startsEmpty: true,
    fromMs: reading.endedAtMs,
    assistant: assistant?.toLowerCase() ?? null,
    by: reading,
    again: [],
  }
}
