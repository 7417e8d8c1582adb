/**
 * What the suite keeps of an assistant's record, and the smallest legal completion body for it. The contract describes
 * itself at run time: which fields an assistant requires is read from its record, never assumed.
 */
import { isObject } from '../classify/json.ts'
import type { AssistantProfile, TargetProfile } from '../profile/target-profile.ts'
import type { Draw } from './draw.ts'
import { filledFields } from './template.ts'

export interface AssistantCard {
  readonly id: string
  readonly streaming: boolean
  /** Required field names by path, `__root__` for the body itself. */
  readonly requires: Readonly<Record<string, readonly string[]>>
}

/** The cards in a listing; records without an id are left out, and judged elsewhere. */
export function cardsFrom(listing: unknown): readonly AssistantCard[] {
  if (!Array.isArray(listing)) return []
  return listing.flatMap((record: unknown) =>
    isObject(record) && typeof record.id === 'string'
      ? [{ id: record.id, streaming: record.streaming === true, requires: requiresOf(record.request_required_fields) }]
      : [],
  )
}

/** Whether a card is that of the assistant which the profile names: UUIDs ignore case, and a service has its own spelling. */
export function isNamed({ id }: AssistantCard, name: string | undefined): boolean {
  return name?.toLowerCase() === id.toLowerCase()
}

/** What the profile says about this assistant, its own entry before the one for all. */
export function profileOf(profile: TargetProfile, card: AssistantCard): AssistantProfile {
  const own = Object.entries(profile.assistants).find(([name]) => isNamed(card, name))?.[1]
  return { ...profile.assistants['*'], ...own }
}

/** The fields of a completion body beside messages that this assistant asks for, with the profile's values first. */
export function bodyFields(card: AssistantCard, profile: TargetProfile, draw: Draw): Record<string, unknown> {
  const user_id = draw.uuid()
  const required: Record<string, unknown> = {}
  for (const name of card.requires.__root__ ?? [])
    required[name] = name === 'user_id' ? user_id : `A-${draw.below(1000)}`
  for (const [path, names] of Object.entries(card.requires)) {
    if (path !== '__root__') required[path] = Object.fromEntries(names.map((name) => [name, `A-${draw.below(1000)}`]))
  }
  delete required.messages
  return {
    user_id,
    ...required,
    ...filledFields(profileOf(profile, card).body ?? {}, { assistant_id: card.id, user_id }),
    assistant_id: card.id,
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
