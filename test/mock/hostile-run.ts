/**
 * Runs hostile requests against an engine and holds every answer to the contract.
 * A known status, the error body of the contract, no fault of the mock's own, no thread that lost its order.
 */
import { createClock } from '../../mock-server/clock/clock.ts'
import type { Engine, ResponseHead } from '../../mock-server/exchange/sink.ts'
import { createEngine } from '../../mock-server/http/handle-request.ts'
import { errorCodes } from '../../mock-server/index.ts'
import { defaultScenario } from '../../mock-server/scenario/default-scenario.ts'
import { resolveScenario } from '../../mock-server/scenario/resolved-scenario.ts'
import { createWorld } from '../../mock-server/worlds/world.ts'
import { createWorldRegistry } from '../../mock-server/worlds/world-registry.ts'
import { type HostileRequest, hostileRequest, type Loot } from './hostile-requests.ts'

interface HostileTally {
  /** Status → how often. */
  readonly statuses: Readonly<Record<string, number>>
  /** Answers that break the contract, with the request that got them. */
  readonly faults: readonly string[]
}

interface Answer {
  readonly head: ResponseHead
  readonly body: string
}

const knownStatuses = new Set<number>([200, 201, ...Object.values(errorCodes).map(({ status }) => status)])

/** Sends `count` requests of a seed. */
export async function runHostile(seed: number, count: number): Promise<HostileTally> {
  const ask = setUp()
  const statuses: Record<string, number> = {}
  const faults: string[] = []
  const threads: string[] = []
  const cursors: string[] = []
  const cast = resolveScenario(defaultScenario)
  const assistants = cast.tenants.flatMap((tenant) => tenant.assistants.map(({ id }) => id))
  for (let ordinal = 0; ordinal < count; ordinal += 1) {
    const request = hostileRequest(seed, ordinal, { threads, assistants, cursors } satisfies Loot)
    const answer = await ask(request)
    statuses[answer.head.status] = (statuses[answer.head.status] ?? 0) + 1
    const fault = faultOf(answer)
    if (fault !== null)
      faults.push(`seed ${seed} request ${ordinal}: ${fault}: ${shown(request)} → ${answer.body.slice(0, 300)}`)
    collect(answer, threads, cursors)
  }
  return { statuses, faults }
}

function setUp(): (request: HostileRequest) => Promise<Answer> {
  const make = (name: string) =>
    createWorld({
      name,
      seed: 1,
      cast: resolveScenario(defaultScenario),
      clock: createClock({ mode: 'frozen' }),
      overrides: [],
      journalLimits: { entries: 100, bytes: 100_000 },
      interfere: null,
    })
  const engine = createEngine(createWorldRegistry(make('default'), make, 8))
  return (request) => askEngine(engine, request)
}

function askEngine(engine: Engine, { method, target, headers, body }: HostileRequest): Promise<Answer> {
  return new Promise((resolve) => {
    const pieces: Uint8Array[] = []
    let head: ResponseHead = { status: 0, headers: {} }
    engine.handle(
      {
        method,
        target,
        headers,
        body: body === null ? { kind: 'none' } : { kind: 'bytes', bytes: body },
        origin: 'http://acs.mock',
      },
      {
        head: (sent) => {
          head = sent
        },
        write: (bytes) => pieces.push(bytes) > 0,
        end: (bytes) =>
          resolve({ head, body: Buffer.concat(bytes === undefined ? pieces : [...pieces, bytes]).toString() }),
        reset: () => resolve({ head: { status: -1, headers: {} }, body: '' }),
        whenWritable: () => {},
        whenGone: () => {},
      },
    )
  })
}

function faultOf({ head, body }: Answer): string | null {
  if (!knownStatuses.has(head.status)) return `status ${head.status}`
  if (head.headers['x-acs-reason'] === 'mock-failure') return 'the mock itself failed'
  const streamed = head.headers['content-type'] === 'application/x-ndjson'
  if (head.status >= 400 && streamed) return 'a rejection as a stream'
  try {
    const documents = streamed ? body.trimEnd().split('\n') : body === '' ? [] : [body]
    for (const document of documents) {
      const json: unknown = JSON.parse(document)
      if (head.status >= 400 && !isErrorBody(json)) return "not the contract's error body"
    }
  } catch {
    return 'the body is no JSON'
  }
  return ({} as { polluted?: unknown }).polluted === undefined ? null : 'the prototype was changed'
}

function isErrorBody(json: unknown): boolean {
  const { error_code, detail } = (json ?? {}) as { error_code?: unknown; detail?: unknown }
  if (error_code !== 'validation_error') return typeof error_code === 'string' && typeof detail === 'string'
  return (
    Array.isArray(detail) &&
    detail.length > 0 &&
    detail.every(
      ({ loc, message, type }) => Array.isArray(loc) && typeof message === 'string' && typeof type === 'string',
    )
  )
}

const lootMax = 50

function collect({ head, body }: Answer, threads: string[], cursors: string[]): void {
  if (head.status >= 300 || head.headers['content-type'] !== 'application/json') return
  const { thread_id, id, assistant_id, cursor } = JSON.parse(body) as Readonly<Record<string, unknown>>
  const thread = thread_id ?? (assistant_id === undefined ? undefined : id)
  if (typeof thread === 'string')
    threads[threads.length < lootMax ? threads.length : thread.charCodeAt(0) % lootMax] = thread
  if (typeof cursor === 'string')
    cursors[cursors.length < lootMax ? cursors.length : cursor.charCodeAt(0) % lootMax] = cursor
}

function shown({ method, target, headers, body }: HostileRequest): string {
  const text = body === null ? '' : Buffer.from(body).toString().slice(0, 300)
  return `${method} ${target.slice(0, 200)} ${JSON.stringify(headers).slice(0, 200)} ${text}`
}
