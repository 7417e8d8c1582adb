/**
 * Makes a server as unreliable as real deployments are. Assistants always fail, gateways fail now and then, answers take
 * their time; what happens follows from a seed.
 */
import { setTimeout as sleepMs } from 'node:timers/promises'
import type { FetchHandler } from '../../conformance/index.ts'
import { seededRandom } from '../../conformance/probe-runtime/seeded-random.ts'

export interface Unreliability {
  /** Places in the list of assistants where broken ones are put in. */
  readonly brokenAt?: readonly number[]
  /** What a broken assistant does; default `unavailable`. */
  readonly broken?: 'unavailable' | 'times-out' | 'hangs'
  /** No assistant ever answers. */
  readonly hangs?: boolean
  /** The first two questions on this path stay without an answer. */
  readonly hangsTwiceOn?: string
  /** Share of all requests that fail. */
  readonly failureShare?: number
  readonly seed?: number
  /** How long every request, and every answer of the model on top, is held back. */
  readonly delayMs?: number
  readonly modelDelayMs?: number
}

const modelPath = /\/(?:chat\/completions(?:\/stream|\/events\/stream)?|run(?:\/stream)?)$/

/** The assistant behind the broken ones, and the key of the only tenant that has them. */
interface Sound {
  id?: string
  key?: string | null
}

/** The handler with its troubles. */
export function unreliable(handler: FetchHandler, options: Unreliability): FetchHandler {
  const random = seededRandom(options.seed ?? 1, 'unreliable')
  const broken = new Set((options.brokenAt ?? []).map((_, index) => brokenId(index)))
  const sound: Sound = {}
  let hung = 0
  return async (request) => {
    const path = new URL(request.url).pathname
    const text = request.method === 'GET' ? '' : await request.text()
    if (options.delayMs !== undefined) await sleepMs(options.delayMs)
    const fails = random.below(10_000) < 10_000 * (options.failureShare ?? 0)
    if (fails) return failure(random.below(5))
    const isOwner = sound.key === undefined || request.headers.get('api-key') === sound.key
    const named = !isOwner ? undefined : [...broken].find((id) => text.includes(id) || path.includes(id))
    const passed = named === undefined ? text : text.replaceAll(named, sound.id ?? named)
    const url = named === undefined ? request.url : request.url.replaceAll(named, sound.id ?? named)
    const init = { method: request.method, headers: request.headers, ...(text === '' ? {} : { body: passed }) }
    const response = await handler(new Request(url, init))
    const isModelAnswer = request.method === 'POST' && modelPath.test(path) && response.ok
    if (isModelAnswer && options.modelDelayMs !== undefined) await sleepMs(options.modelDelayMs)
    const hangsHere = isModelAnswer && hung < 2 && path === options.hangsTwiceOn
    hung += hangsHere ? 1 : 0
    if (hangsHere || (isModelAnswer && options.hangs === true)) return brokenAnswer('hangs', request.signal)
    if (isModelAnswer && named !== undefined) {
      await response.arrayBuffer()
      return brokenAnswer(options.broken ?? 'unavailable', request.signal)
    }
    if (request.method !== 'GET' || !path.includes('/v1/assistants') || !response.ok) return response
    if (!isOwner) return response
    sound.key = request.headers.get('api-key')
    const own = new URL(request.url).pathname.endsWith('/assistants')
    return own ? listed(response, options.brokenAt ?? [], sound) : oneRecord(response, named)
  }
}

function brokenId(index: number): string {
  return `bb0ce000-0000-4000-8000-00000000000${index}`
}

/** Records with the broken ones at their places; they look like the plainest sound one. */
async function listed(response: Response, places: readonly number[], sound: Sound): Promise<Response> {
  const records = (await response.json()) as Record<string, unknown>[]
  const plain = records.find((one) => one.streaming === true && isUndemanding(one)) ?? records[0]
  if (plain === undefined || places.length === 0) return Response.json(records)
  sound.id = String(plain.id)
  for (const [index, place] of places.entries())
    records.splice(place < 0 ? records.length : place, 0, { ...plain, id: brokenId(index), name: `Broken ${index}` })
  return Response.json(records)
}

function isUndemanding({ request_required_fields: fields }: Record<string, unknown>): boolean {
  return Object.values(fields ?? {}).flat().length === 0
}

async function oneRecord(response: Response, named: string | undefined): Promise<Response> {
  const record = (await response.json()) as Record<string, unknown>
  return Response.json(named === undefined ? record : { ...record, id: named, name: `Broken ${named.slice(-1)}` })
}

function brokenAnswer(kind: NonNullable<Unreliability['broken']>, signal: AbortSignal): Promise<Response> | Response {
  if (kind === 'hangs')
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('left'))))
  return kind === 'unavailable'
    ? Response.json(
        {
          error_code: 'internal_service_error',
          detail: 'An internal required service is unavailable; try again later',
        },
        { status: 503 },
      )
    : Response.json(
        { error_code: 'api_timeout_error', detail: 'An upstream model API request timed out' },
        { status: 504 },
      )
}

/** Failures that a gateway makes; the server behind it has seen nothing of the request. */
function failure(kind: number): Response {
  if (kind === 4) throw new Error('connection reset')
  if (kind === 3) {
    const body = { error_code: 'rate_limit_gateway', detail: 'Rate limit exceeded' }
    return Response.json(body, { status: 429, headers: { 'retry-after': '0' } })
  }
  const status = [502, 503, 504][kind] ?? 502
  return new Response('<h1>gateway</h1>', { status, headers: { 'content-type': 'text/html' } })
}
