/**
 * Sends a conversation's requests at a steady rate, whatever the answers take, and tells how late each answer was.
 * Takes a SteadyJob as its argument and prints a SteadyResult.
 */
import { Agent, type IncomingMessage, request } from 'node:http'
import { createHistogram } from 'node:perf_hooks'

export interface SteadyJob {
  readonly url: string
  readonly key: string
  readonly perSecond: number
  readonly seconds: number
}

/** Lateness is the end of the answer minus the time at which the request was due. */
export interface SteadyResult {
  readonly answers: number
  readonly failures: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const { url, key, perSecond, seconds } = JSON.parse(process.argv[2] ?? '') as SteadyJob
const agent = new Agent({ keepAlive: true, maxSockets: 128 })
const { hostname, port, pathname } = new URL(url)
const base = pathname.replace(/\/$/, '')
const latenessUs = createHistogram()
/** A new thread after so many requests. */
const perThread = 40
let thread: string | null = null
let answers = 0
/** Requests whose connection broke, and requests that were refused. */
let broken = 0
let refused = 0
/** Late answers are waited for so long. */
const longestWaitMs = 20_000

const send = (number: number, dueAt: number): void => {
  const isNew = thread === null || number % perThread === 0
  const isList = !isNew && number % 4 === 1
  const path = isNew ? '/v1/threads' : `/v1/threads/${thread}/messages${isList ? '?limit=10' : ''}`
  const body = isList ? null : JSON.stringify(isNew ? {} : { role: 'user', content: `Message number ${number}` })
  const headers = { 'api-key': key, ...(body === null ? {} : { 'content-type': 'application/json' }) }
  const sent = request(
    { hostname, port, method: isList ? 'GET' : 'POST', path: base + path, headers, agent },
    (answer) => take(answer, isNew, dueAt),
  )
  sent.on('error', () => {
    broken += 1
  })
  sent.end(body ?? undefined)
}

const take = (answer: IncomingMessage, isNew: boolean, dueAt: number): void => {
  let text = ''
  answer.on('data', (piece) => {
    text += piece
  })
  answer.on('end', () => {
    latenessUs.record(Math.max(1, Math.round((performance.now() - dueAt) * 1000)))
    answers += 1
    if ((answer.statusCode ?? 500) >= 300) refused += 1
    else if (isNew) thread = (JSON.parse(text) as { readonly id: string }).id
  })
}

const startedAt = performance.now()
let number = 0
const timer = setInterval(() => {
  const dueCount = Math.min(seconds * perSecond, ((performance.now() - startedAt) * perSecond) / 1000)
  for (; number < dueCount; number += 1) send(number, startedAt + (number * 1000) / perSecond)
  const isOver = answers + broken >= number || performance.now() - startedAt > seconds * 1000 + longestWaitMs
  if (number < seconds * perSecond || !isOver) return
  clearInterval(timer)
  const result: SteadyResult = {
    answers,
    failures: refused + (number - answers),
    p50Ms: latenessUs.percentile(50) / 1000,
    p99Ms: latenessUs.percentile(99) / 1000,
  }
  console.log(JSON.stringify(result))
  process.exit(0)
}, 1)
