/**
 * What the suite keeps of an assistant's record, and the smallest legal completion body for it. The contract describes
 * itself at run time: which fields an assistant requires is read from its record, never assumed.
 */
import { isObject } from '../judge/read/json.ts'
import type { AssistantProfile, TargetProfile } from '../profile/target-profile.ts'
import { filledFields } from '../profile/template.ts'
import type { SeededRandom } from './seeded-random.ts'

export interface AssistantSummary {
  readonly id: string
  readonly streaming: boolean
  /** Required field names by path, `__root__` for the body itself. */
  readonly requires: Readonly<Record<string, readonly string[]>>
}

/** An assistant that requires more is not asked: every request to it would be as large as its record. */
const mostRequired = 256

/** The cards in a listing; records without an id, or with too much to send, are left out, and judged elsewhere. */
export function assistantSummaries(listing: unknown): readonly AssistantSummary[] {
  if (!Array.isArray(listing)) return []
  const assistants = listing.flatMap((record: unknown) =>
    isObject(record) && typeof record.id === 'string'
      ? [{ id: record.id, streaming: record.streaming === true, requires: requiresOf(record.request_required_fields) }]
      : [],
  )
  return assistants.filter(
    ({ requires }) => Object.keys(requires).length + Object.values(requires).flat().length <= mostRequired,
  )
}

/** Whether a card is that of the assistant which the profile names: UUIDs ignore case, and a service has its own spelling. */
export function isNamed({ id }: AssistantSummary, name: string | undefined): boolean {
  return name?.toLowerCase() === id.toLowerCase()
}

/** What the profile says about this assistant, its own entry before the one for all. */
export function profileOf(profile: TargetProfile, assistant: AssistantSummary): AssistantProfile {
  const own = Object.entries(profile.assistants).find(([name]) => isNamed(assistant, name))?.[1]
  return { ...profile.assistants['*'], ...own }
}

/** The fields of a completion body beside messages that this assistant asks for, with the profile's values first. */
export function bodyFields(
  assistant: AssistantSummary,
  profile: TargetProfile,
  random: SeededRandom,
): Record<string, unknown> {
  const user_id = random.uuid()
  const required: Record<string, unknown> = {}
  for (const name of assistant.requires.__root__ ?? [])
    required[name] = name === 'user_id' ? user_id : `A-${random.below(1000)}`
  for (const [path, names] of Object.entries(assistant.requires)) {
    if (path !== '__root__') required[path] = Object.fromEntries(names.map((name) => [name, `A-${random.below(1000)}`]))
  }
  delete required.messages
  return {
    user_id,
    ...required,
    ...filledFields(profileOf(profile, assistant).body ?? {}, { assistant_id: assistant.id, user_id }),
    assistant_id: assistant.id,
  }
}

function requiresOf(map: unknown): Readonly<Record<string, readonly string[]>> {
  if (!isObject(map)) return {}
  return Object.fromEntries(
    Object.entries(map).map(([path, names]) => [
      path,
      Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [],
    ]),
  )
}
