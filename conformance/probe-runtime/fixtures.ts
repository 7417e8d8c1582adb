/**
 * What probes share: the assistants of each tenant, fresh threads, and the threads that completions made on the way.
 * Everything here was told by the target during this run; nothing is remembered from another.
 */
import { completionOperations, type OperationId } from '../../spec/index.ts'
import type { TargetProfile, TenantName } from '../profile/target-profile.ts'
import type { SourcedThread, ThreadSourcing } from '../profile/thread-source.ts'
import { type AssistantSummary, assistantSummaries, isNamed, profileOf } from './assistant-summary.ts'
import type { Send } from './probe-client.ts'
import { type Answer, stringAt } from './probe-response.ts'
import type { RequestSpec } from './request-spec.ts'

export interface TouchedThread {
  readonly id: string
  readonly tenant: TenantName
  /** Whether a chat completion made it, and whether that was streamed. */
  readonly born: boolean
  readonly streamed: boolean
  /** The body of the completion that made it. */
  readonly asked?: unknown
  /** Requests that could have changed it since it was last listed to its end. */
  readonly unseen: number
}

/** `fresh`: this run has not used it yet; `empty`: it surely holds nothing. */
export interface SharedFixture {
  readonly id: string
  readonly fresh: boolean
  readonly empty: boolean
}

export interface Fixtures {
  /** The tenant's assistants as listed, asked for once. */
  readonly assistants: (tenant: TenantName) => Promise<readonly AssistantSummary[]>
  /** A thread that no probe has used, bound to `assistant` or to a plain one. */
  readonly openThread: (tenant: TenantName, assistant?: AssistantSummary | null) => Promise<SourcedThread>
  /** A thread that several probes use under one name; `fresh` for the first of them, which may choose its assistant. */
  readonly shareThread: (
    name: string,
    tenant: TenantName,
    assistant?: AssistantSummary,
  ) => Promise<SharedFixture | { readonly none: string }>
  /** Every thread that this run opened or saw, in that order. */
  readonly touched: () => readonly TouchedThread[]
  /** Takes in what an answer teaches: the thread of a completion, a tenant's assistants. */
  readonly learn: (answer: Answer, operation: OperationId | null, ask: RequestSpec) => void
}

export interface FixtureParts {
  readonly profile: TargetProfile
  readonly send: Send
  readonly threads: ThreadSourcing
}

/** Fixtures of one run. */
export function createFixtures(parts: FixtureParts): Fixtures {
  const listed = new Map<TenantName, Promise<readonly AssistantSummary[]>>()
  const touched = new Map<string, TouchedThread>()
  const touch = (thread: TouchedThread): void => {
    // Half of a surrogate pair can stand in no URL, so nothing could be asked of such a thread.
    if (thread.id.isWellFormed() && !touched.has(thread.id)) touched.set(thread.id, thread)
  }
  const assistants = (tenant: TenantName): Promise<readonly AssistantSummary[]> => {
    const known =
      listed.get(tenant) ?? parts.send('listAssistants', { as: tenant }).then(({ json }) => assistantSummaries(json))
    listed.set(tenant, known)
    return known
  }
  const openThread: Fixtures['openThread'] = async (tenant, assistant) => {
    const card = assistant ?? simplestAssistant(await assistants(tenant), parts.profile)
    const opened = await parts.threads.next({ tenant, assistantId: card?.id ?? null })
    if ('id' in opened && touched.has(opened.id))
      return { none: `A new thread was asked for, and the thread ${opened.id} came, which is in use.` }
    if ('id' in opened) touch({ id: opened.id, tenant, born: false, streamed: false, unseen: 0 })
    return opened
  }
  const shared = new Map<string, SharedFixture>()
  return {
    assistants,
    openThread,
    shareThread: async (name, tenant, assistant) => {
      const known = shared.get(name)
      if (known !== undefined) return known
      const opened = await openThread(tenant, assistant)
      if ('none' in opened) return opened
      shared.set(name, { id: opened.id, fresh: false, empty: false })
      return { id: opened.id, fresh: true, empty: opened.holds === 'empty' }
    },
    touched: () => [...touched.values()],
    learn: (answer, operation, ask) => {
      const id = completionThread(answer, operation)
      if (id !== undefined)
        touch({
          id,
          tenant: tenantOf(ask),
          born: true,
          streamed: answer.lines.length > 1,
          asked: ask.json,
          // The question; the answer is counted below, as that of any request.
          unseen: 1,
        })
      const by = tenantOf(ask)
      if (operation === 'listAssistants' && answer.outcome === 'accepted' && !listed.has(by))
        listed.set(by, Promise.resolve(assistantSummaries(answer.json)))
      const known = touched.get(ask.in?.thread_id ?? id ?? '')
      if (known === undefined) return
      const changes = operation === 'listMessages' ? 0 : 1
      touched.set(known.id, { ...known, unseen: showsAll(answer, operation, ask) ? 0 : known.unseen + changes })
    },
  }
}

/** The assistant for plain questions: one that streams, asks for no tools and requires least. */
export function simplestAssistant(cards: readonly AssistantSummary[], profile: TargetProfile): AssistantSummary | null {
  return ranked(cards, profile).find((card) => card.streaming) ?? ranked(cards, profile)[0] ?? null
}

/** An assistant whose record says that it does not stream. */
export function nonStreamingAssistant(
  cards: readonly AssistantSummary[],
  profile: TargetProfile,
): AssistantSummary | null {
  return ranked(cards, profile).find((card) => !card.streaming) ?? null
}

/** The assistant that streams and requires most of what the profile fills in, since its record promises most; else the plain one. */
export function mostDemandingAssistant(
  cards: readonly AssistantSummary[],
  profile: TargetProfile,
): AssistantSummary | null {
  const isFillable = (card: AssistantSummary): boolean =>
    Object.values(card.requires).flat().length > 0 && profileOf(profile, card).body !== undefined
  const demanding = ranked(cards, profile).findLast(
    (card) => card.streaming && !isNamed(card, profile.tools?.assistant_id) && isFillable(card),
  )
  return demanding ?? simplestAssistant(cards, profile)
}

function ranked(cards: readonly AssistantSummary[], profile: TargetProfile): readonly AssistantSummary[] {
  const weight = (card: AssistantSummary): number =>
    (isNamed(card, profile.tools?.assistant_id) ? 100 : 0) + Object.values(card.requires).flat().length
  return [...cards].sort((left, right) => weight(left) - weight(right))
}

/** Whether a list shows the thread to its end: a whole page, or the last one of a walk. */
function showsAll({ outcome, json }: Answer, operation: OperationId | null, { query = [] }: RequestSpec): boolean {
  if (operation !== 'listMessages' || outcome !== 'accepted') return false
  return query.length === 0 || (stringAt(json, '/cursor') ?? '') === ''
}

function completionThread(answer: Answer, operation: OperationId | null): string | undefined {
  if (answer.outcome !== 'accepted' || operation === null || !completions.has(operation)) return undefined
  return stringAt(answer.json, '/thread_id') ?? stringAt(answer.lines[0], '/thread_id')
}

const completions: ReadonlySet<OperationId> = new Set(completionOperations)

function tenantOf(ask: RequestSpec): TenantName {
  return typeof ask.as === 'string' ? ask.as : 'primary'
}
