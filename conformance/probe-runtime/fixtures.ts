/**
 * Holds the state that probes share: the assistants of each tenant, fresh threads, and the threads that completions
 * created. All of it comes from the target during this run; nothing is kept from another.
 */

import type { OperationId } from '../../spec/index.ts'
import type { SourcedThread, ThreadSourcing } from '../preflight/thread-source.ts'
import type { TargetProfile, TenantName } from '../profile/target-profile.ts'
import { pieceSize } from './answer-pieces.ts'
import type { AssistantHealth } from './assistant-health.ts'
import {
  type AssistantSummary,
  asksForTools,
  assistantSummaries,
  isAskable,
  isNamed,
  profileOf,
} from './assistant-summary.ts'
import { fileAfter, type GrantedFile } from './granted-file.ts'
import { createNamedAssistants, type NamedAssistants } from './named-assistants.ts'
import { createPostedCalls, type PostedCalls } from './posted-calls.ts'
import type { Send } from './probe-client.ts'
import { type Answer, stringAt } from './probe-response.ts'
import { type RequestSpec, tenantOf } from './request-spec.ts'
import { completionThread, counted, quotesSources, type TouchedThread, textOfAnswer } from './touched-thread.ts'

export interface SharedFixture {
  readonly id: string
  /** This run has written nothing to it yet. */
  readonly fresh: boolean
  /** It surely holds nothing. */
  readonly empty: boolean
}

export interface Fixtures {
  /** The tenant's assistants as listed, asked for once. */
  readonly assistants: (tenant: TenantName) => Promise<readonly AssistantSummary[]>
  /** Those that questions may go to: allowed by the profile and not retired. */
  readonly askable: (tenant: TenantName) => Promise<readonly AssistantSummary[]>
  /** A thread that no probe has used, bound to `assistant` or to a plain one. */
  readonly openThread: (tenant: TenantName, assistant?: AssistantSummary | null) => Promise<SourcedThread>
  /** A thread that several probes use under one name; the first of them may choose its assistant. */
  readonly shareThread: (
    name: string,
    tenant: TenantName,
    assistant?: AssistantSummary,
  ) => Promise<SharedFixture | { readonly none: string }>
  /** The assistant that a request asks: the one that it names, or that of its thread. */
  readonly assistantOf: (ask: RequestSpec) => string | undefined
  /** The limit of time that the profile sets for the assistant that a request asks. */
  readonly timeoutOf: (ask: RequestSpec) => Promise<number | undefined>
  /** Discards the shared thread with this id, so that the next probe gets a fresh one under its name. */
  readonly giveUp: (thread: string) => void
  /** Discards every shared thread that the probe requested, since the probe stopped in the middle of its work there. */
  readonly giveUpShared: () => void
  /** Another tenant of the profile that is the same to the target: their keys read one tenant record. */
  readonly sameAs: (tenant: TenantName) => TenantName | undefined
  /**
   * Whether the target ignores or refuses the calls that a client writes into an assistant message, as far as answers
   * show.
   */
  readonly ignoresPostedCalls: () => boolean
  readonly needsUuidCalls: () => boolean
  /** Whether the target lets another assistant answer than the one that a run names, as far as answers show. */
  readonly ignoresNamedAssistants: () => boolean
  /** Every thread that this run opened or saw, in that order. */
  readonly touched: () => readonly TouchedThread[]
  /** Every file that this run got a grant for, in that order. */
  readonly files: () => readonly GrantedFile[]
  /** Learns from an answer: the thread of a completion, a tenant's assistants. */
  readonly learn: (answer: Answer, operation: OperationId | null, ask: RequestSpec) => void
  /** The same as one probe sees them: the threads of other probes by their place, of none with the place `null`. */
  readonly of: (probe: string, placeOf: (probe: string) => number | null) => Fixtures
}

interface FixtureParts {
  readonly profile: TargetProfile
  readonly health?: AssistantHealth
  readonly send: Send
  readonly threads: ThreadSourcing
}

/** Fixtures of one run. */
export function createFixtures(parts: FixtureParts): Fixtures {
  const state = createState(parts.profile)
  const of: Fixtures['of'] = (probe, placeOf) => view(parts, state, { probe, placeOf, of })
  return of('', () => 0)
}

type KnownThread = Extract<SourcedThread, { readonly id: string }>

/** The state that all views of the fixtures of a run share. */
interface FixtureState {
  readonly listed: Map<TenantName, Promise<readonly AssistantSummary[]>>
  readonly touched: Map<string, TouchedThread>
  readonly files: Map<string, GrantedFile>
  /** The id of the tenant record that a tenant's key read. */
  readonly records: Map<TenantName, string>
  /** The assistant of each thread that was opened for one. */
  readonly boundTo: Map<string, string>
  readonly shared: Map<string, KnownThread>
  /** Threads that this run has written to. */
  readonly written: Set<string>
  readonly postedCalls: PostedCalls
  readonly namedAssistants: NamedAssistants
}

function createState(profile: TargetProfile): FixtureState {
  const [listed, touched, files, records] = [new Map(), new Map(), new Map(), new Map()]
  const learning = { postedCalls: createPostedCalls(profile), namedAssistants: createNamedAssistants() }
  return { listed, touched, files, records, ...learning, boundTo: new Map(), shared: new Map(), written: new Set() }
}

interface View {
  readonly probe: string
  readonly placeOf: (probe: string) => number | null
  readonly of: Fixtures['of']
}

function view(parts: FixtureParts, state: FixtureState, { probe, placeOf, of }: View): Fixtures {
  const { listed, touched, files, records, boundTo, shared, written, postedCalls, namedAssistants } = state
  const askedFor = new Set<string>()
  const touch = (thread: Omit<TouchedThread, 'by'>): void => {
    // A URL cannot hold half of a surrogate pair, so no request could address such a thread.
    if (thread.id.isWellFormed() && !touched.has(thread.id)) touched.set(thread.id, { ...thread, by: probe })
  }
  const assistants = (tenant: TenantName): Promise<readonly AssistantSummary[]> => {
    const known =
      listed.get(tenant) ?? parts.send('listAssistants', { as: tenant }).then(({ json }) => assistantSummaries(json))
    listed.set(tenant, known)
    return known
  }
  const isSound = (id: string | undefined): boolean => id === undefined || parts.health?.isRetired(id) !== true
  const askable = async (tenant: TenantName): Promise<readonly AssistantSummary[]> =>
    (await assistants(tenant)).filter((card) => isAskable(card, parts.profile) && isSound(card.id))
  const openFor = async (
    purpose: string,
    tenant: TenantName,
    assistant: Parameters<Fixtures['openThread']>[1],
  ): ReturnType<Fixtures['openThread']> => {
    const card = assistant ?? simplestAssistant(await askable(tenant), parts.profile)
    const opened = await parts.threads.next({ tenant, assistantId: card?.id ?? null, for: purpose })
    if ('id' in opened && touched.has(opened.id))
      return { none: `A new thread was asked for, and the thread ${opened.id} came, which is in use.` }
    if ('id' in opened) touch({ id: opened.id, tenant, createdBy: null, turns: 0, added: 0, unseen: 0, sentAs: 0 })
    if ('id' in opened && card !== null) boundTo.set(opened.id, card.id)
    return opened
  }
  const assistantOf: Fixtures['assistantOf'] = (ask) => assistantNamed(ask) ?? boundTo.get(ask.in?.thread_id ?? '')
  const hasLimits = Object.values(parts.profile.assistants).some((one) => one !== undefined && 'timeoutMs' in one)
  return {
    assistants,
    askable,
    assistantOf,
    timeoutOf: async (ask) => {
      const id = hasLimits ? assistantOf(ask) : undefined
      if (id === undefined) return undefined
      const card = (await assistants(tenantOf(ask))).find((one) => isNamed(one, id))
      return card === undefined ? undefined : profileOf(parts.profile, card).timeoutMs
    },
    openThread: (tenant, assistant) => openFor(probe, tenant, assistant),
    shareThread: async (name, tenant, assistant) => {
      askedFor.add(name)
      const known = shared.get(name)
      const thread =
        known !== undefined && isSound(boundTo.get(known.id)) ? known : await openFor(name, tenant, assistant)
      if ('id' in thread) shared.set(name, thread)
      return 'none' in thread ? thread : asShared(thread, written)
    },
    giveUp: (thread) => {
      for (const [name, { id }] of shared) if (id === thread) shared.delete(name)
    },
    giveUpShared: () => {
      for (const name of askedFor) shared.delete(name)
    },
    sameAs: (tenant) => [...records].find(([other, id]) => other !== tenant && id === records.get(tenant))?.[0],
    ignoresPostedCalls: postedCalls.areIgnored,
    needsUuidCalls: postedCalls.needUuids,
    ignoresNamedAssistants: namedAssistants.areIgnored,
    touched: () => inOrder([...touched.values()], placeOf),
    files: () => [...files.values()],
    of,
    learn: (answer, operation, ask) => {
      for (const learned of [postedCalls, namedAssistants]) learned.learn(answer, operation, ask)
      if (mayWrite(answer, operation)) written.add(ask.in?.thread_id ?? '')
      const id = completionThread(answer, operation)
      if (id !== undefined) touch(createdThread(id, answer, operation, ask))
      const by = tenantOf(ask)
      if (operation === 'listAssistants' && answer.outcome === 'accepted' && !listed.has(by))
        listed.set(by, Promise.resolve(assistantSummaries(answer.json)))
      const record = operation === 'listMyApiKeys' && answer.outcome === 'accepted' && stringAt(answer.json, '/id')
      if (typeof record === 'string' && typeof ask.as !== 'object') records.set(by, record)
      const file = fileAfter(files, answer, operation, ask, parts.profile)
      if (file !== null) files.set(file.id, file)
      const known = touched.get(ask.in?.thread_id ?? id ?? '')
      if (known !== undefined) touched.set(known.id, counted(known, answer, operation, ask, parts.profile))
    },
  }
}

/** The thread that a completion made. */
function createdThread(
  id: string,
  answer: Answer,
  createdBy: OperationId | null,
  ask: RequestSpec,
): Omit<TouchedThread, 'by'> {
  return {
    id,
    tenant: tenantOf(ask),
    createdBy,
    turns: 0,
    added: 0,
    asked: ask.json,
    quotes: quotesSources(answer),
    text: textOfAnswer(answer),
    cut: pieceSize(answer),
    sentAs: Number(answer.exchange.id.slice(1)),
    ...(ask.query?.some(([name]) => name === 'thread_id') ? { named: true } : {}),
    // The question; the answer is counted behind it, as that of any request.
    unseen: 1,
  }
}

function asShared({ id, holds }: KnownThread, written: ReadonlySet<string>): SharedFixture {
  const fresh = !written.has(id)
  return { id, fresh, empty: fresh && holds === 'empty' }
}

/**
 * The assistant for plain questions: one that streams, asks for no tools, and needs least by its record and the profile. Of
 * several that are equal in this, and of which the profile says the same, the one whose record promises most: there is more
 * that an answer can get wrong.
 */
export function simplestAssistant(cards: readonly AssistantSummary[], profile: TargetProfile): AssistantSummary | null {
  const all = ranked(cards, profile)
  const first = all.find((card) => card.streaming) ?? all[0]
  if (first === undefined) return null
  const likeness = (card: AssistantSummary): string =>
    JSON.stringify([weightOf(card, profile), card.streaming, profileOf(profile, card)])
  const equals = all.filter((card) => likeness(card) === likeness(first))
  return equals.reduce((best, card) => ((card.promised ?? 0) > (best.promised ?? 0) ? card : best), first)
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
    (card) => card.streaming && !asksForTools(card, profile) && isFillable(card),
  )
  return demanding ?? simplestAssistant(cards, profile)
}

function ranked(cards: readonly AssistantSummary[], profile: TargetProfile): readonly AssistantSummary[] {
  return [...cards].sort((left, right) => weightOf(left, profile) - weightOf(right, profile))
}

function weightOf(card: AssistantSummary, profile: TargetProfile): number {
  const asked = asksForTools(card, profile) ? 100 : 0
  const given = Object.keys(profileOf(profile, card).body ?? {}).length
  return asked + Object.values(card.requires).flat().length + given
}

/** Threads by the place of the probes that opened them, whatever the time at which they did; those of one as it asked for them. */
function inOrder(threads: readonly TouchedThread[], placeOf: View['placeOf']): readonly TouchedThread[] {
  return threads
    .flatMap((thread) => {
      const place = placeOf(thread.by)
      return place === null ? [] : [{ thread, place }]
    })
    .sort((left, right) => left.place - right.place || left.thread.sentAs - right.thread.sentAs)
    .map(({ thread }) => thread)
}

function assistantNamed({ json, body }: RequestSpec): string | undefined {
  if (json !== undefined) return stringAt(json, '/assistant_id')
  try {
    return typeof body === 'string' ? stringAt(JSON.parse(body), '/assistant_id') : undefined
  } catch {
    return undefined
  }
}

/** Whether the request was accepted and may have changed a thread; for a failed one this is unknown. */
function mayWrite({ outcome }: Answer, operation: OperationId | null): boolean {
  return operation !== 'listMessages' && outcome !== 'rejected'
}
