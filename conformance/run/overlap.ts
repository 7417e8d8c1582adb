/**
 * Says which probes may play at the same time. Probes that use the same thing play in the order of the registry; a probe
 * that is not listed here plays alone: it waits for all before it, and all behind it wait for it.
 */
import type { Probe } from '../probes/probe.ts'
import type { TargetProfile } from '../profile/target-profile.ts'

/**
 * What each probe shares with others: the named threads, `first-born` for the thread that the first completion
 * made, `other-assistants` for the health of assistants beside the plain one, and answers of the second tenant.
 * `~` marks what a probe leaves as it is: such probes may play at the same time.
 */
const sharedThings: Readonly<Record<string, readonly string[]>> = {
  'assistants.read': [],
  'assistants.read-all': [],
  'completions.other-assistants': ['other-assistants'],
  'completions.continue': ['first-born'],
  'streams.text': [],
  'streams.blocks': ['other-assistants'],
  'streams.without-support': [],
  'streams.run-without-support': [],
  'threads.messages': ['three'],
  'threads.fragile-texts': ['workshop'],
  'http.json-spellings': ['workshop'],
  'threads.server-sets-identity': ['workshop'],
  'threads.interleaved': ['workshop', 'second-a', 'runs', 'second-b'],
  'threads.run': ['runs'],
  'threads.run-stream': ['runs'],
  'threads.stream-after-answer': ['runs'],
  'threads.stream-after-system': ['runs'],
  'threads.run-behind-system': ['runs'],
  'completions.stated-refusals': [],
  'completions.field-refusals': [],
  'completions.required-fields': [],
  'completions.refusals-leave-no-trace': ['first-born'],
  'completions.continue-streamed': ['first-born'],
  'completions.no-user-in-thread': ['first-born'],
  'threads.unknown': [],
  'threads.malformed-id': [],
  'threads.faulty-messages': ['runs'],
  'threads.run-without-user': ['system-only'],
  'tools.unmatched': ['system-only', 'runs'],
  'tools.round-trip': [],
  'tools.matching': ['calls', 'workshop', 'runs'],
  'threads.run-without-user-behind-assistant': ['system-only'],
  'tools.run-without-user': ['system-only'],
  'tools.run-behind-open-call': ['system-only'],
  'tools.stream-after-results': ['calls'],
  'tools.asked-matching': ['workshop'],
  'tenancy.my-keys': [],
  'tenancy.two-tenants': [],
  'tenancy.foreign-assistant': [],
  'tenancy.second-tenant-completions': ['second-answers'],
  'tenancy.second-tenant-threads': ['second-a', 'second-answers'],
  'pagination.walk': ['three'],
  'pagination.moving-thread': ['three'],
  'pagination.burst': ['second-b'],
  'pagination.long-thread': [],
  'pagination.limits': ['workshop'],
  'pagination.grey-parameters': ['workshop', 'three'],
  'http.outside': [],
  'http.not-json': [],
  'http.content-type': ['workshop'],
  'auth.missing-key': ['keyless'],
  'auth.unknown-key': ['keyless'],
  'auth.header-name': [],
  'auth.key-elsewhere': [],
  'errors.provoked': ['first-born'],
}

/** Chapters whose probes share nothing with other chapters. */
const chaptersOfTheirOwn: ReadonlySet<string> = new Set(['files'])

/** What a probe shares with others, or `null` when it plays alone. */
export function sharedThingsOf(probe: Probe, { threads }: TargetProfile, tier: string): readonly string[] | null {
  if (tier === 'smoke' || probe.last === true) return null
  if (chaptersOfTheirOwn.has(probe.chapter)) return [probe.chapter]
  const things = Object.hasOwn(sharedThings, probe.id) ? (sharedThings[probe.id] ?? null) : null
  if (things === null) return null
  // Threads of a list are dealt out in turn, so that whoever opens threads keeps its place.
  const takesFromList = threads?.kind === 'static' && (probe.needs.threads === true || probe.chapter === 'auth')
  return takesFromList ? [...things, 'list-of-threads'] : things
}
