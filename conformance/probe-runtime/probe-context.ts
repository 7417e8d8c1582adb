/**
 * Gives a probe the means to send requests, read answers and note skipped steps. Each probe has its own
 * context; random choices are keyed by the probe's id, so that probes do not disturb each other.
 */
import type { OperationId } from '../../spec/index.ts'
import type { Cost } from '../client/meter-accounts.ts'
import { filledFields } from '../preflight/template.ts'
import type { Tier } from '../profile/budget-tiers.ts'
import type { TargetProfile, TenantName } from '../profile/target-profile.ts'
import type { ProbeNote } from '../trace/exchange.ts'
import { type AssistantMessages, withoutAssistant } from './assistant-messages.ts'
import { type AssistantSummary, bodyFields, profileOf } from './assistant-summary.ts'
import {
  type Fixtures,
  mostDemandingAssistant,
  nonStreamingAssistant,
  type SharedFixture,
  simplestAssistant,
} from './fixtures.ts'
import type { ProbeClient } from './probe-client.ts'
import { acknowledgement, instruction, longQuestion, uniqueQuestion, uniqueStatement } from './sample-texts.ts'
import { type SeededRandom, seededRandom } from './seeded-random.ts'
import type { TouchedThread } from './touched-thread.ts'

/**
 * Threads that probes share, since each one costs a request, and some services have only a few: three messages and never
 * more; more than a page holds; messages of all kinds; runs; a system message alone; calls with their results; runs of an
 * assistant that is unlike the plain one; two of the second tenant.
 */
export type SharedThread =
  | 'three'
  | 'long'
  | 'workshop'
  | 'runs'
  | 'system-only'
  | 'calls'
  | 'unlike'
  | 'keyless'
  | 'second-a'
  | 'second-b'

export interface ProbeContext extends ProbeClient {
  readonly probe: string
  readonly profile: TargetProfile
  readonly tier: Tier
  readonly random: SeededRandom
  /** The tenant's assistants as listed. */
  readonly assistants: (tenant?: TenantName) => Promise<readonly AssistantSummary[]>
  /** Those of them that questions may go to. */
  readonly askable: (tenant?: TenantName) => Promise<readonly AssistantSummary[]>
  /** An assistant for plain questions, the one that requires most, or one that does not stream; notes when there is none. */
  readonly assistant: (kind: keyof typeof pick, tenant?: TenantName) => Promise<AssistantSummary | null>
  /** A fresh thread; notes when there is none. */
  readonly thread: (tenant?: TenantName, assistant?: AssistantSummary) => Promise<string | null>
  /** A thread that several probes use under one name, `fresh` for the first of them; notes when there is none. */
  readonly shared: (
    name: SharedThread,
    tenant?: TenantName,
    assistant?: AssistantSummary,
  ) => Promise<SharedFixture | null>
  /** Another tenant of the profile that is the same to the target, as far as their records show. */
  readonly sameAs: Fixtures['sameAs']
  /**
   * Whether the target ignores or refuses the calls that a client writes into an assistant message, as far as answers
   * show.
   */
  readonly ignoresPostedCalls: Fixtures['ignoresPostedCalls']
  /** Whether the target refuses such a call whose id is no UUID, as far as answers show. */
  readonly needsUuidCalls: Fixtures['needsUuidCalls']
  /** Whether the target lets another assistant answer than the one that a run names, as far as answers show. */
  readonly ignoresNamedAssistants: Fixtures['ignoresNamedAssistants']
  /** Every thread that this run opened or saw. */
  readonly touched: () => readonly TouchedThread[]
  /** Every file that this run got a grant for. */
  readonly files: Fixtures['files']
  /** A legal completion body, a short history with a rich question at its end, and the given extra fields. */
  readonly completion: (card: AssistantSummary, fields?: Readonly<Record<string, unknown>>) => Record<string, unknown>
  /** The same with a short question, for requests that are to be refused: its fault should be easy to see. */
  readonly shortCompletion: ProbeContext['completion']
  /** Messages of a completion, without those of the assistant where the target takes none. */
  readonly inTakenRoles: <Message>(messages: readonly Message[]) => readonly Message[]
  /** The profile's run body for an assistant. */
  readonly runBody: (card: AssistantSummary) => Record<string, unknown>
  /** Notes why a part of the probe could not run; `about` names the rules of this part (globs), by default all. */
  readonly note: (
    reason: ProbeNote['reason'],
    text: string,
    part?: { readonly operation?: OperationId | null; readonly about?: readonly string[] },
  ) => void
  /** The number of probes that may run at the same time; with several, requests of one probe may overlap as well. */
  readonly workers: number
  /** The remaining budget. */
  readonly left: () => Cost
  /** The additional budget after failures and for unanswered requests. */
  readonly reserve: () => Cost
}

interface ProbeContextParts {
  readonly profile: TargetProfile
  readonly tier: Tier
  readonly seed: number
  readonly sender: ProbeClient
  readonly fixtures: Fixtures
  readonly assistantMessages: AssistantMessages
  /** Key of the probe's random values. */
  readonly chance: string
  readonly workers?: number
  readonly left: () => Cost
  readonly reserve: () => Cost
  readonly onNote: (note: ProbeNote) => void
}

/** The context of one probe; `requirements` are those that its notes are about. */
export function createProbeContext(
  probe: string,
  requirements: readonly string[],
  parts: ProbeContextParts,
): ProbeContext {
  const { profile, fixtures } = parts
  const random = seededRandom(parts.seed, parts.chance)
  const note: ProbeContext['note'] = (reason, text, { operation = null, about = requirements } = {}) =>
    parts.onNote({ kind: 'note', probe, requirements: about, operation, reason, text })
  const inTakenRoles: ProbeContext['inTakenRoles'] = (messages) =>
    parts.assistantMessages.areRefused() ? withoutAssistant(messages) : messages
  const completion = (
    card: AssistantSummary,
    ask: typeof uniqueQuestion,
    fields: Readonly<Record<string, unknown>> = {},
  ): Record<string, unknown> => ({
    ...bodyFields(card, profile, random),
    messages: inTakenRoles([
      { role: 'system', content: instruction(random) },
      { role: 'user', content: uniqueStatement(random) },
      { role: 'assistant', content: acknowledgement(random) },
      { role: 'user', content: ask(random, profileOf(profile, card).prompt) },
    ]),
    ...fields,
  })
  return {
    ...parts.sender,
    probe,
    profile,
    tier: parts.tier,
    random,
    note,
    left: parts.left,
    reserve: parts.reserve,
    workers: parts.workers ?? 1,
    sameAs: fixtures.sameAs,
    ignoresPostedCalls: fixtures.ignoresPostedCalls,
    needsUuidCalls: fixtures.needsUuidCalls,
    ignoresNamedAssistants: fixtures.ignoresNamedAssistants,
    touched: fixtures.touched,
    files: fixtures.files,
    assistants: (tenant = 'primary') => fixtures.assistants(tenant),
    askable: (tenant = 'primary') => fixtures.askable(tenant),
    assistant: async (kind, tenant = 'primary') => {
      const assistants = await fixtures.askable(tenant)
      const card = pick[kind](assistants, profile)
      if (card === null) note('no-fixture', missing[kind](tenant))
      return card
    },
    thread: async (tenant = 'primary', assistant) => {
      const opened = await fixtures.openThread(tenant, assistant)
      if ('id' in opened) return opened.id
      note('no-fixture', opened.none)
      return null
    },
    inTakenRoles,
    completion: (card, fields) => completion(card, longQuestion, fields),
    shortCompletion: (card, fields) => completion(card, uniqueQuestion, fields),
    shared: async (name, tenant = 'primary', assistant) => {
      const opened = await fixtures.shareThread(name, tenant, assistant)
      if ('id' in opened) return opened
      note('no-fixture', opened.none)
      return null
    },
    runBody: (card) => filledFields(profile.runBody, { assistant_id: card.id, user_id: random.uuid() }),
  }
}

const pick = { plain: simplestAssistant, demanding: mostDemandingAssistant, whole: nonStreamingAssistant } as const

const none = (tenant: TenantName): string => `The tenant ${tenant} lists no assistant that may be asked.`

const missing = {
  plain: none,
  demanding: none,
  whole: (tenant: TenantName) => `The tenant ${tenant} lists no assistant with streaming false.`,
} as const
