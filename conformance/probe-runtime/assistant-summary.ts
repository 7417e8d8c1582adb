/**
 * Summarises an assistant's record, with the smallest legal completion body for it. The contract describes itself at run
 * time: the required fields of an assistant are read from its record, never assumed.
 */
import { isObject, type JsonObject } from '../judge/read/json.ts'
import { filledFields } from '../preflight/template.ts'
import type { AssistantProfile, TargetProfile } from '../profile/target-profile.ts'
import type { SeededRandom } from './seeded-random.ts'

export interface AssistantSummary {
  readonly id: string
  readonly name?: string
  readonly streaming: boolean
  /** Required field names by path, `__root__` for the body itself. */
  readonly requires: Readonly<Record<string, readonly string[]>>
  /** The amount of metadata that its record promises: a required property counts more than all others. */
  readonly promised?: number
  /** The description of its metadata in the record; equal for equal descriptions. */
  readonly described?: string
  /** The words of its record: its name, and its metadata. */
  readonly topics?: readonly string[]
}

/** An assistant that requires more is not asked: every request to it would be as large as its record. */
const mostRequired = 256

/** The cards in a listing; records without an id, or with too much to send, are left out, and judged elsewhere. */
export function assistantSummaries(listing: unknown): readonly AssistantSummary[] {
  if (!Array.isArray(listing)) return []
  const assistants = listing.flatMap((record: unknown) =>
    isObject(record) && typeof record.id === 'string'
      ? [
          {
            id: record.id,
            ...(typeof record.name === 'string' ? { name: record.name } : {}),
            streaming: record.streaming === true,
            requires: requiresOf(record.request_required_fields),
            promised: promisedBy(record),
            described: descriptionIn(record),
            topics: topicsOf(record),
          },
        ]
      : [],
  )
  return assistants.filter(
    ({ requires }) => Object.keys(requires).length + Object.values(requires).flat().length <= mostRequired,
  )
}

/** Whether a card is that of the assistant which the profile names by its id, in any case, or by its name. */
export function isNamed(card: AssistantSummary, name: string | undefined): boolean {
  return name !== undefined && (name.toLowerCase() === card.id.toLowerCase() || name === card.name)
}

/** Whether the profile says that this assistant answers a question with a call of a tool. */
export function asksForTools(card: AssistantSummary, profile: TargetProfile): boolean {
  return isNamed(card, profile.tools?.assistant_id) || profileOf(profile, card).asksForTools === true
}

/** Whether completions of this assistant need fields of its own. */
export const isDemanding = ({ requires }: AssistantSummary): boolean => Object.values(requires).flat().length > 0

/** Those that require fields, the ones with most of them first. */
export function byDemand(cards: readonly AssistantSummary[]): readonly AssistantSummary[] {
  const weight = ({ requires }: AssistantSummary) => Object.values(requires).flat().length
  return cards.filter(isDemanding).toSorted((one, other) => weight(other) - weight(one))
}

/** Whether a run names the assistant that answers; otherwise the thread determines it. */
export function runNamesAssistant({ runBody }: TargetProfile): boolean {
  return JSON.stringify(runBody).includes('{{assistant_id}}')
}

/** The rules that no run can show, because none names its assistant; `null` when runs do, or are not made. */
export function unnamedRuns(profile: TargetProfile): string | null {
  return profile.threads === null || !profile.claims.includes('threads') || runNamesAssistant(profile)
    ? null
    : 'runBody has no {{assistant_id}}, so that runs for an unknown, a foreign or another assistant are not tested'
}

/** Whether the profile lets the suite put questions to this assistant. */
export function isAskable(card: AssistantSummary, profile: TargetProfile): boolean {
  const { use, avoid = [] } = profile.assistants
  const { timesOut, unavailable } = profileOf(profile, card)
  if (timesOut === true || unavailable === true || avoid.some((name) => isNamed(card, name))) return false
  return use === undefined || use.some((name) => isNamed(card, name))
}

/** The settings of the profile for this assistant, its own entry before the one for all. */
export function profileOf(profile: TargetProfile, assistant: AssistantSummary): AssistantProfile {
  const entry = (matches: (name: string) => boolean): AssistantProfile => {
    const found = Object.entries(profile.assistants).find(([name]) => matches(name))?.[1]
    return found === undefined || Array.isArray(found) ? {} : (found as AssistantProfile)
  }
  return { ...entry((name) => name === '*'), ...entry((name) => isNamed(assistant, name)) }
}

/** The fields of a completion body beside messages that this assistant asks for, with the profile's values first. */
export function bodyFields(
  assistant: AssistantSummary,
  profile: TargetProfile,
  random: SeededRandom,
): Record<string, unknown> {
  const user_id = uuidOfAnyVersion(random)
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

/** Versions of a UUID: the contract's word for it means all of them, and not only that of chance, which most clients send. */
const uuidVersions = ['7', '1', '6', '7', '5', '3', '8', '4'] as const

const uuidOfAnyVersion = (random: SeededRandom): string =>
  random.uuid().replace(/(?<=^.{14})./, random.pick(uuidVersions))

const othersThanRequired = 1000

function promisedBy({ meta_data_response_schema: schema }: JsonObject): number {
  if (!isObject(schema)) return 0
  const required = Array.isArray(schema.required) ? schema.required.length : 0
  const named = isObject(schema.properties) ? Object.keys(schema.properties).length : 0
  return required * othersThanRequired + Math.min(named, othersThanRequired - 1)
}

/** Titles and descriptions differ between records that promise the same, so only names and what is required count. */
function descriptionIn({ meta_data_response_schema: schema }: JsonObject): string {
  if (!isObject(schema)) return ''
  const names = isObject(schema.properties) ? Object.keys(schema.properties).toSorted() : []
  return JSON.stringify([names, Array.isArray(schema.required) ? schema.required.toSorted() : []])
}

/** Words of a record that a question may hold at most. */
const mostTopics = 8

/** The name, and the names and listed values of the properties of its metadata, as people write them. */
function topicsOf({ name, meta_data_response_schema: schema }: JsonObject): readonly string[] {
  const properties = Object.entries(isObject(schema) && isObject(schema.properties) ? schema.properties : {})
  const values = properties.flatMap(([property, rule]) => [
    property,
    ...(isObject(rule) && Array.isArray(rule.enum) ? rule.enum : []),
  ])
  const words = [name, ...values].flatMap((value: unknown) =>
    typeof value === 'string' ? value.replace(/(?<=[a-z])(?=[A-Z])|[_\-.]+/g, ' ').toLowerCase() : [],
  )
  return [...new Set(words)].filter((word) => /^\p{L}[\p{L} ]{1,39}$/u.test(word)).slice(0, mostTopics)
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
