/**
 * Makes trace mutants: a good trace with one answer changed, and the requirement that this violates.
 * A mutant is judged on the slice of the trace that the answer belongs to, so that thousands a second are possible.
 */
import { type Exchange, type Judgement, judge, type Trace, textOfPieces } from '../../conformance/index.ts'
import { type OperationId, operations } from '../../spec/index.ts'
import { documentMutations } from './document-mutations.ts'
import type { Mutation, Site } from './mutation.ts'
import { pageMutations } from './page-mutations.ts'
import { streamMutations } from './stream-mutations.ts'

export interface TraceMutant extends Mutation {
  readonly site: Site
}

/** Every mutant of every answer. */
export function* traceMutants(trace: Trace): Generator<TraceMutant> {
  for (const site of sitesIn(trace)) {
    for (const mutations of [documentMutations, streamMutations, pageMutations]) {
      for (const mutation of mutations(site)) yield { ...mutation, site }
    }
  }
}

const longestSlice = 60

/** The answers that came whole, each with its slice. */
export function sitesIn(trace: Trace): readonly Site[] {
  const sliceOf = slicer(trace)
  return trace.exchanges.flatMap((exchange) => {
    const operation = operationOf(exchange)
    const { response, ending } = exchange
    if (operation === null || response === null || ending !== 'complete') return []
    const slice = sliceOf(exchange)
    // The posts that fill the long thread are all alike, and dear to judge.
    if (slice.length > longestSlice && operation === 'createMessage') return []
    const text = textOfPieces(response.pieces)
    return [{ exchange, operation, status: response.status, text, document: parsed(text), slice }]
  })
}

/** The operation that an exchange is about, by method and path. */
function operationOf({ request }: Exchange): OperationId | null {
  const { pathname } = new URL(request.url)
  const ids = Object.keys(operations) as OperationId[]
  return (
    ids.find((id) => {
      const { method, path } = operations[id]
      if (path === null || method !== request.method) return false
      return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname)
    }) ?? null
  )
}

/** The judgement of a slice with one answer replaced; of the slice as it is when there is no mutation. */
export function judgeSlice(trace: Trace, site: Site, mutation: Mutation | null, only?: string): Judgement {
  const exchanges =
    mutation === null ? site.slice : site.slice.map((one) => (one === site.exchange ? mutated(one, mutation) : one))
  const footer = { kind: 'footer', exchanges: exchanges.length, modelCalls: 0, durationMs: 0, complete: true } as const
  return judge({ header: trace.header, exchanges, notes: [], footer }, only === undefined ? {} : { only })
}

/** Whether the requirement that a mutant names is found violated. */
export function isKilled(trace: Trace, mutant: TraceMutant): boolean {
  const { verdicts } = judgeSlice(trace, mutant.site, mutant, mutant.requirement)
  return verdicts.some(({ requirement, outcome }) => requirement === mutant.requirement && outcome === 'violated')
}

function mutated(exchange: Exchange, { body }: Mutation): Exchange {
  const { response } = exchange
  if (response === null) return exchange
  const bytes = typeof body === 'string' ? { utf8: body } : ({ base64: Buffer.from(body).toString('base64') } as const)
  const pieces = [{ atMs: response.pieces.at(-1)?.atMs ?? response.headAtMs, bytes }]
  return { ...exchange, response: { ...response, pieces } }
}

const threadIn = /\/v1\/threads\/([0-9a-f-]{36})/

/** Gives the exchanges about the same thread, and always the lists of assistants, which other answers are judged by. */
function slicer({ exchanges }: Trace): (exchange: Exchange) => readonly Exchange[] {
  const texts = new Map(
    exchanges.map((one) => [
      one,
      `${one.request.url} ${one.response === null ? '' : textOfPieces(one.response.pieces)}`,
    ]),
  )
  const slices = new Map<string, readonly Exchange[]>()
  const lists = exchanges.filter((one) => operationOf(one) === 'listAssistants')
  return (exchange) => {
    const id = threadIn.exec(exchange.request.url)?.[1] ?? /"thread_id":"([^"]+)"/.exec(texts.get(exchange) ?? '')?.[1]
    if (id === undefined) return exchanges.filter((one) => one === exchange || lists.includes(one))
    const known = slices.get(id)
    if (known !== undefined) return known
    const slice = exchanges.filter((one) => lists.includes(one) || texts.get(one)?.includes(id) === true)
    slices.set(id, slice)
    return slice
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
