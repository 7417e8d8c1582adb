/**
 * Builds traces for tests: a correct conversation, one exchange per line, in which a test changes one thing.
 * It keeps just enough state to answer correctly by default; it is no mock and opens no socket.
 */

import { type JudgeOptions, judge } from '../../conformance/judge/judge.ts'
import type { Judgement } from '../../conformance/judge/verdict.ts'
import type {
  Ending,
  Exchange,
  HeaderLines,
  Intent,
  ProbeNote,
  Trace,
  TraceHeader,
} from '../../conformance/trace/exchange.ts'
import { type OperationId, operations } from '../../spec/index.ts'
import { assistant, assistantIds, type Fields, ndjsonText, sampleProfile, timestampText, uuid } from './sample-data.ts'

/** What a test may change about one exchange. */
export interface Change {
  readonly status?: number
  /** Replaces the answer's document. */
  readonly body?: unknown
  /** Merged into the answer's document. */
  readonly with?: Fields
  /** Replaces the answer's body, byte for byte. */
  readonly text?: string
  /** The pieces of a body with their arrival, milliseconds after sending. */
  readonly pieces?: readonly (readonly [afterMs: number, text: string])[]
  readonly ending?: Ending
  /** Why it ended so. */
  readonly failure?: string
  /** No response at all. */
  readonly silent?: boolean
  readonly as?: string | null
  readonly headers?: HeaderLines
  readonly leaveOut?: readonly string[]
  /** Further header lines of the answer. */
  readonly answers?: HeaderLines
  readonly query?: string
  /** Sent and ended, milliseconds; default one after the other. */
  readonly at?: readonly [sentMs: number, endedMs: number]
  /** How long it took, milliseconds. */
  readonly tookMs?: number
  /** The request's body as text, instead of JSON. */
  readonly sends?: string
  readonly path?: string
  readonly intent?: Intent
  readonly loopLagMs?: number
}

export interface TraceBuilderOptions {
  readonly profile?: Fields
  readonly source?: TraceHeader['source']
  readonly footer?: Trace['footer'] | undefined
}

/** A conversation that grows line by line, and its judgement. */
export class TraceBuilder {
  readonly exchanges: Exchange[] = []
  readonly notes: ProbeNote[] = []
  readonly #options: TraceBuilderOptions
  readonly #threads = new Map<string, Fields[]>()
  #count = 100
  #nowMs = 0

  constructor(options: TraceBuilderOptions = {}) {
    this.#options = options
  }

  /** The exchange of one operation: what is sent, and what the right answer is unless the test changes it. */
  send(
    operation: OperationId,
    ask: { readonly in?: Fields; readonly json?: unknown },
    answer: unknown,
    change: Change = {},
  ): unknown {
    const { method, path } = operations[operation]
    const filled = (path ?? '').replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ask.in?.[name]))
    const document = change.body ?? (change.with === undefined ? answer : { ...(answer as Fields), ...change.with })
    const status = change.status ?? (operation === 'createMessage' || operation === 'createThread' ? 201 : 200)
    this.#record(method, `${change.path ?? filled}${change.query ?? ''}`, ask.json, {
      ...change,
      status,
      body: document,
    })
    return document
  }

  assistants(
    records: readonly Fields[] = [assistant(assistantIds.plain), assistant(assistantIds.whole, false)],
    change: Change = {},
  ): this {
    this.send('listAssistants', {}, records, change)
    return this
  }

  /** Makes a thread and gives its id. */
  thread(change: Change = {}, assistantId: string = assistantIds.plain): string {
    const made = this.send(
      'createThread',
      { json: { assistant_id: assistantId } },
      { id: this.id(), assistant_id: assistantId },
      change,
    )
    const id = String((made as Fields).id)
    this.#threads.set(id, [])
    return id
  }

  /** Adds a message, and gives it as it was returned. */
  add(thread: string, role: string, content: unknown, change: Change & { readonly more?: Fields } = {}): Fields {
    const fields = role === 'assistant' ? { meta_data: {}, sources: [] } : {}
    const message = { id: this.id(), thread_id: thread, role, content, created_at: this.stamp() }
    const created = { ...message, ...fields, ...change.more }
    const returned = this.send(
      'createMessage',
      { in: { thread_id: thread }, json: { role, content, ...change.more } },
      created,
      change,
    )
    if (this.#isAccepted()) this.keep(thread, returned as Fields)
    return returned as Fields
  }

  /** Runs the thread as a whole. */
  run(thread: string, content = 'The answer.', change: Change & { readonly more?: Fields } = {}): Fields {
    const answer = this.answer(thread, content, change.more)
    const returned = this.send('runThread', { in: { thread_id: thread }, json: {} }, answer, change) as Fields
    if (this.#isAccepted()) this.keep(thread, returned)
    return returned
  }

  /** Runs the thread as a stream of fragments. */
  stream(thread: string, fragments: readonly string[] = ['The ', 'answer.'], change: Change = {}): readonly Fields[] {
    const message = this.answer(thread, fragments.join(''))
    const chunks = this.chunks(message, fragments)
    this.send('streamThreadRun', { in: { thread_id: thread }, json: {} }, null, {
      ...(change.body === undefined ? { text: ndjsonText(chunks) } : {}),
      ...change,
    })
    if (this.#isAccepted()) this.keep(thread, message)
    return chunks
  }

  /** Lists the thread, newest first; `change.query` chooses the page, and the default answer is the right page. */
  list(thread: string, change: Change = {}): Fields {
    const query = new URLSearchParams(change.query ?? '')
    const all = [...(this.#threads.get(thread) ?? [])].reverse()
    const from = Number(query.get('cursor') ?? 0)
    const items = all.slice(from, from + Number(query.get('limit') ?? 100))
    const next = from + items.length
    const page = { cursor: next < all.length ? String(next) : null, items }
    return this.send('listMessages', { in: { thread_id: thread } }, page, change) as Fields
  }

  /** Asks for a whole completion; `json` is merged into the legal body. */
  complete(json: Fields = {}, change: Change = {}): Fields {
    const thread = this.id()
    return this.send(
      'createChatCompletion',
      { json: { ...this.body(), ...json } },
      this.answer(thread, 'The answer.'),
      change,
    ) as Fields
  }

  /** Asks for a streamed completion. */
  completeStream(json: Fields = {}, change: Change = {}): readonly Fields[] {
    const chunks = this.chunks(this.answer(this.id(), 'The answer.'), ['The ', 'answer.'])
    this.send('streamChatCompletion', { json: { ...this.body(), ...json } }, null, {
      ...(change.body === undefined ? { text: ndjsonText(chunks) } : {}),
      ...change,
    })
    return chunks
  }

  body(): Fields {
    return {
      assistant_id: assistantIds.plain,
      user_id: uuid(9),
      messages: [{ role: 'user', content: 'A question, please.' }],
    }
  }

  answer(thread: string, content: string, more: Fields = {}): Fields {
    const made = { id: this.id(), thread_id: thread, role: 'assistant', content, created_at: this.stamp() }
    return { ...made, meta_data: { intent: 'question' }, sources: [], ...more }
  }

  chunks(message: Fields, fragments: readonly string[]): readonly Fields[] {
    return fragments.map((content) => ({
      created_at: this.stamp(),
      message_id: message.id,
      thread_id: message.thread_id,
      delta: { role: 'assistant', content, sources: [] },
    }))
  }

  /** Puts a message into the default lists of a thread. */
  keep(thread: string, message: Fields): void {
    const messages = this.#threads.get(thread) ?? []
    this.#threads.set(thread, [...messages, message])
  }

  id(): string {
    this.#count += 1
    return uuid(this.#count)
  }

  stamp(): string {
    return timestampText(this.#count * 1000)
  }

  get last(): Exchange {
    const exchange = this.exchanges.at(-1)
    if (exchange === undefined) throw new Error('the story has not begun')
    return exchange
  }

  trace(): Trace {
    const header: TraceHeader = {
      kind: 'header',
      format: 'acs-trace/1',
      suiteVersion: '0.0.0',
      contractDigest: '',
      profileDigest: '',
      profile: { ...sampleProfile, ...this.#options.profile },
      seed: 1,
      startedAt: '2026-01-01T00:00:00.000Z',
      target: 'http://acs.test',
      source: this.#options.source ?? 'suite',
    }
    const footer = {
      kind: 'footer',
      exchanges: this.exchanges.length,
      modelCalls: 0,
      durationMs: 1,
      complete: true,
    } as const
    return {
      header,
      exchanges: this.exchanges,
      notes: this.notes,
      footer: 'footer' in this.#options ? (this.#options.footer ?? null) : footer,
    }
  }

  judge(options: JudgeOptions = {}): Judgement {
    return judge(this.trace(), options)
  }

  #isAccepted(): boolean {
    const { response, ending } = this.last
    return response !== null && response.status < 300 && ending === 'complete'
  }

  #record(method: string, path: string, json: unknown, change: Change): void {
    const [sentAtMs, endedAtMs] = change.at ?? [this.#nowMs, this.#nowMs + (change.tookMs ?? 5)]
    this.#nowMs = Math.max(this.#nowMs, endedAtMs) + 5
    const credential = change.as === undefined ? 'primary' : change.as
    const text = change.sends ?? (json === undefined ? null : JSON.stringify(json))
    const base: HeaderLines = [
      ...(credential === null ? [] : [['api-key', credential] as const]),
      ['content-type', 'application/json'],
    ]
    const headers = [...base.filter(([name]) => !(change.leaveOut ?? []).includes(name)), ...(change.headers ?? [])]
    const pieces = change.pieces ?? [[endedAtMs - sentAtMs, change.text ?? JSON.stringify(change.body)] as const]
    this.exchanges.push({
      kind: 'exchange',
      id: `E${this.exchanges.length + 1}`,
      credential,
      sentAtMs,
      endedAtMs,
      request: {
        method,
        url: /^https?:/.test(path) ? path : `http://acs.test${path}`,
        headers,
        body: text === null ? null : { utf8: text },
      },
      response:
        change.silent === true
          ? null
          : {
              status: change.status ?? 200,
              headers: [['content-type', 'application/json'], ...(change.answers ?? [])],
              headAtMs: endedAtMs,
              pieces: pieces.map(([afterMs, utf8]) => ({ atMs: sentAtMs + afterMs, bytes: { utf8 } })),
            },
      ending: change.ending ?? (change.silent === true ? 'timed-out' : 'complete'),
      intent: change.intent ?? null,
      ...(change.failure === undefined ? {} : { failure: change.failure }),
      ...(change.loopLagMs === undefined ? {} : { loopLagMs: change.loopLagMs }),
    })
  }
}
