/**
 * Joins the traces of the parts of a run, so that they are judged as one. A control that one part has then counts for the
 * refusals of the others.
 */
import type { Exchange, ProbeNote, RecordedResponse, Trace, TraceFooter, TraceHeader } from './exchange.ts'
import { highest } from './highest.ts'

/** Why traces are not the parts of one run. */
class MergeError extends Error {
  override readonly name = 'MergeError'
  readonly code = 'cannot-merge'
}

/** One trace of all parts, in the order of their numbers; throws MergeError when they are not parts of one run. */
export function mergeTraces(parts: readonly Trace[]): Trace {
  const ordered = [...parts].sort((left, right) => indexOf(left) - indexOf(right))
  const [first, ...others] = ordered
  if (first === undefined) throw new MergeError('there is nothing to merge')
  for (const other of others) assertSameRun(first.header, other.header)
  assertOwnThreads(ordered)
  const placed = placedBehindEachOther(ordered)
  const missing = missingParts(ordered)
  return {
    header: mergedHeader(first.header, ordered),
    exchanges: placed.flatMap(({ exchanges }) => exchanges),
    // Probes that one part left out on purpose run in another; those excluded by `only` get no verdict.
    notes: placed.flatMap(({ notes }) => notes).filter(({ reason }) => missing.length > 0 || reason !== 'not-selected'),
    footer: mergedFooter(ordered, missing),
  }
}

const shardOf = ({ header }: Trace) => header.plan?.shard
const indexOf = (trace: Trace): number => shardOf(trace)?.index ?? 0

const factsOf = ({ plan, ...header }: TraceHeader) => ({
  target: header.target,
  contractDigest: header.contractDigest,
  profileDigest: header.profileDigest,
  suiteVersion: header.suiteVersion,
  tier: plan?.tier,
  only: plan?.only,
  'number of parts': plan?.shard?.count,
  part: plan?.shard?.index,
})

function assertSameRun(first: TraceHeader, other: TraceHeader): void {
  const [{ part, ...known }, { part: otherPart, ...facts }] = [factsOf(first), factsOf(other)]
  const differing = (Object.keys(known) as (keyof typeof known)[]).find((name) => known[name] !== facts[name])
  if (known['number of parts'] === undefined || facts['number of parts'] === undefined)
    throw new MergeError(
      'not parts of one run: one of them was not run with --shard; run each part with --shard <i>/<n>',
    )
  if (differing !== undefined)
    throw new MergeError(
      `not parts of one run: ${differing} is ${known[differing] ?? 'not given'} and ${facts[differing] ?? 'not given'}`,
    )
}

/** A thread that two parts write to would hold messages of which neither knows when they came. */
function assertOwnThreads(parts: readonly Trace[]): void {
  const users = new Map<string, Trace>()
  const numbers = new Set<number>()
  for (const part of parts) {
    const index = shardOf(part)?.index
    if (index !== undefined && numbers.has(index)) throw new MergeError(`part ${index} is there twice`)
    if (index !== undefined) numbers.add(index)
    for (const thread of part.exchanges.flatMap(threadIn)) {
      const user = users.get(thread) ?? part
      users.set(thread, user)
      if (user !== part)
        throw new MergeError(
          `parts ${indexOf(user)} and ${indexOf(part)} share the thread ${thread}; each part needs threads of its own`,
        )
    }
  }
}

const threadIn = ({ request, response }: Exchange): readonly string[] => {
  const [, id] = /\/v1\/threads\/([^/?#]+)\//.exec(request.url) ?? []
  return id === undefined || response === null || response.status >= 300 ? [] : [id]
}

/** Between two parts, so that no request seems simultaneous with one of another part. */
const gapMs = 60_000

type Placed = Pick<Trace, 'exchanges' | 'notes'>

function placedBehindEachOther(parts: readonly Trace[]): readonly Placed[] {
  let startMs = 0
  let sent = 0
  return parts.map((part) => {
    const [laterMs, names] = [startMs, new Map<string, string>()]
    for (const { id } of part.exchanges) {
      sent += 1
      names.set(id, `E${sent}`)
    }
    const exchanges = part.exchanges.map((exchange) => placed(exchange, names.get(exchange.id) ?? exchange.id, laterMs))
    startMs =
      highest(
        exchanges.map(({ endedAtMs }) => endedAtMs),
        laterMs,
      ) + gapMs
    return { exchanges, notes: part.notes.map((note) => renamed(note, names)) }
  })
}

function placed(exchange: Exchange, id: string, laterMs: number): Exchange {
  const { sentAtMs, endedAtMs, response } = exchange
  return {
    ...exchange,
    id,
    sentAtMs: sentAtMs + laterMs,
    endedAtMs: endedAtMs + laterMs,
    response: response === null ? null : placedResponse(response, laterMs),
  }
}

function placedResponse(response: RecordedResponse, laterMs: number): RecordedResponse {
  const pieces = response.pieces.map((piece) => ({ ...piece, atMs: piece.atMs + laterMs }))
  return { ...response, headAtMs: response.headAtMs + laterMs, pieces }
}

function renamed(note: ProbeNote, names: ReadonlyMap<string, string>): ProbeNote {
  return { ...note, text: note.text.replace(/\bE\d+\b/g, (id) => names.get(id) ?? id) }
}

function mergedHeader(first: TraceHeader, parts: readonly Trace[]): TraceHeader {
  const startedAt = new Date(Math.min(...parts.map(startOf))).toISOString()
  if (first.plan === undefined) return { ...first, startedAt }
  const { shard: _, workers: __, reserve: ___, ...plan } = first.plan
  const plans = parts.map(({ header }) => header.plan)
  const reserves = plans.map((one) => one?.reserve ?? { exchanges: 0, modelCalls: 0 })
  return {
    ...first,
    startedAt,
    plan: {
      ...plan,
      maxExchanges: sumOrNull(plans.map((one) => one?.maxExchanges ?? null)),
      maxModelCalls: sumOrNull(plans.map((one) => one?.maxModelCalls ?? null)),
      reserve: {
        exchanges: sum(reserves.map(({ exchanges }) => exchanges)),
        modelCalls: sum(reserves.map(({ modelCalls }) => modelCalls)),
      },
    },
  }
}

function mergedFooter(parts: readonly Trace[], missing: readonly number[]): TraceFooter {
  const ends = parts.map((part) => startOf(part) + (part.footer?.durationMs ?? 0))
  const unfinished = parts.find(({ footer }) => footer?.complete !== true)
  const footer = {
    kind: 'footer',
    exchanges: sum(parts.map(({ exchanges }) => exchanges.length)),
    modelCalls: sum(parts.map((part) => part.footer?.modelCalls ?? 0)),
    durationMs: Math.max(...ends) - Math.min(...parts.map(startOf)),
  } as const
  if (missing.length > 0) {
    const count = Math.max(...parts.map((part) => shardOf(part)?.count ?? 0))
    return { ...footer, complete: false, reason: `without part ${missing.join(', ')} of ${count}` }
  }
  if (unfinished === undefined) return { ...footer, complete: true }
  return { ...footer, complete: false, reason: unfinished.footer?.reason ?? 'a part was not finished' }
}

function missingParts(parts: readonly Trace[]): readonly number[] {
  const count = Math.max(0, ...parts.map((part) => shardOf(part)?.count ?? 0))
  const here = new Set(parts.map(indexOf))
  return Array.from({ length: count }, (_, place) => place + 1).filter((index) => !here.has(index))
}

const startOf = ({ header }: Trace): number => Date.parse(header.startedAt)

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const sumOrNull = (numbers: readonly (number | null)[]): number | null =>
  numbers.reduce((total, number) => (total === null || number === null ? null : total + number), 0)
