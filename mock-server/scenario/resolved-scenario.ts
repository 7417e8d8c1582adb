/**
 * A scenario made ready to play: ids fixed, records as JSON bytes made once, conditions as compiled expressions.
 * Ids depend on names alone, so they are the same in every world and after every start.
 */
import { timestampOf } from '../clock/timestamp.ts'
import { derive, rootKey } from '../randomness/key.ts'
import { uuidOf } from '../randomness/uuid.ts'
import { type AnswerCheck, answerCheckOf } from './answer-function.ts'
import { traitsOf } from './assistant-traits.ts'
import type {
  AssistantScript,
  FileScript,
  JsonObject,
  Latency,
  Quota,
  Scenario,
  TenantScript,
  TurnScript,
} from './scenario.ts'
import { type ScenarioExpression, scenarioExpression } from './scenario-expression.ts'

export interface ResolvedScenario {
  readonly name: string
  readonly tenants: readonly Tenant[]
  /** API key value → its owner. */
  readonly callers: ReadonlyMap<string, Caller>
  readonly files: ResolvedFiles
  /** The source scenario. */
  readonly source: Scenario
  /** Its keys, and those of the scenarios that it replaced: journals may hold them still. */
  readonly secrets: ReadonlySet<string>
}

/** How files become ready. */
export interface ResolvedFiles {
  readonly readyAfterUs: number
  readonly readyAfterPolls: number
  readonly fails: ScenarioExpression | null
}

/** The sender of a request: a tenant by one of its keys. */
export interface Caller {
  readonly tenant: Tenant
  readonly apiKey: ApiKey
}

export interface Tenant {
  readonly id: string
  readonly name: string
  readonly apiKeys: readonly ApiKey[]
  readonly assistants: readonly Assistant[]
  /** The JSON array of its assistants. */
  readonly assistantsBytes: Uint8Array
  /** The tenant record with its keys (contract: Tenant). */
  readonly recordBytes: Uint8Array
}

export interface ApiKey {
  readonly id: string
  readonly value: string
  readonly quota: Quota | null
}

export interface Assistant {
  readonly id: string
  readonly name: string
  readonly streaming: boolean
  readonly metaDataSchema: JsonObject
  readonly requiredFields: Readonly<Record<string, readonly string[]>>
  /** How requests to it differ from the usual, for people. */
  readonly traits: readonly string[]
  readonly latency: Required<Latency>
  readonly turns: readonly Turn[]
  /** Reads the answers of the functions of its turns. */
  readonly checkAnswer: AnswerCheck
  readonly recordBytes: Uint8Array
}

export interface Turn {
  readonly script: TurnScript
  /** Where it is in the scenario, for messages. */
  readonly place: string
  readonly userMatches: ScenarioExpression | null
}

/** When the demo keys were made: before every clock of the mock starts. */
const keysMadeAtUs = Date.parse('2025-01-01T00:00:00Z') * 1000

/** Makes a checked scenario ready. */
export function resolveScenario(scenario: Scenario): ResolvedScenario {
  const assistants = new Map(
    scenario.assistants.map((script) => [script.name, resolveAssistant(scenario.name, script)]),
  )
  const tenants = scenario.tenants.map((script) => resolveTenant(scenario.name, script, assistants))
  const callers = new Map<string, Caller>()
  for (const tenant of tenants) {
    for (const apiKey of tenant.apiKeys) {
      callers.set(apiKey.value, { tenant, apiKey })
    }
  }
  const secrets = new Set(callers.keys())
  return { name: scenario.name, tenants, callers, secrets, files: resolveFiles(scenario.files ?? {}), source: scenario }
}

/** The tenant or assistant of a name or an id. */
export function namedIn<Part extends { readonly name: string; readonly id: string }>(
  parts: readonly Part[],
  wanted: string,
): Part | undefined {
  return parts.find(({ name, id }) => name === wanted || id === wanted)
}

/** Replaces the scenario in place; all holders of the object see the new one. */
export function replaceScenario(current: ResolvedScenario, next: Scenario): void {
  const resolved = resolveScenario(next)
  Object.assign(current, resolved, { secrets: new Set([...current.secrets, ...resolved.secrets]) })
}

function resolveFiles(script: FileScript): ResolvedFiles {
  const { ready_after_seconds = 0, ready_after_polls = 0, fails_when_named } = script
  const fails = fails_when_named === undefined ? null : scenarioExpression(fails_when_named, 'files.fails_when_named')
  return { readyAfterUs: ready_after_seconds * 1_000_000, readyAfterPolls: ready_after_polls, fails }
}

function resolveTenant(scenario: string, script: TenantScript, assistants: ReadonlyMap<string, Assistant>): Tenant {
  const own = script.assistants.flatMap((name) => assistants.get(name) ?? [])
  const id = script.id ?? fixedId(scenario, 'tenant', script.name)
  const apiKeys = script.keys.map((key) => ({
    id: fixedId(scenario, 'key', key.key),
    value: key.key,
    quota: key.quota ?? null,
  }))
  return {
    id,
    name: script.name,
    apiKeys,
    assistants: own,
    assistantsBytes: Buffer.from(`[${own.map((assistant) => Buffer.from(assistant.recordBytes)).join(',')}]`),
    recordBytes: jsonBytes({ id, name: script.name, api_keys: apiKeys.map(keyRecord) }),
  }
}

function keyRecord(key: ApiKey): JsonObject {
  const made = timestampOf(keysMadeAtUs)
  return { id: key.id, api_key: key.value, created_at: made, last_updated_at: made }
}

function resolveAssistant(scenario: string, script: AssistantScript): Assistant {
  const id = script.id ?? fixedId(scenario, 'assistant', script.name)
  const requiredFields = script.request_required_fields ?? {}
  const { name, streaming, meta_data_response_schema: metaDataSchema } = script
  return {
    id,
    name,
    streaming,
    metaDataSchema,
    requiredFields,
    traits: traitsOf(streaming, requiredFields),
    latency: { first_chunk_ms: 0, chunks_per_second: 0, jitter: 0, ...script.latency },
    turns: script.turns.map((turn, index) => resolveTurn(turn, turnPlace(name, index + 1))),
    checkAnswer: answerCheckOf(script),
    recordBytes: jsonBytes({
      id,
      name,
      streaming,
      // The contract's schemas have required, also where no property is.
      meta_data_response_schema: 'required' in metaDataSchema ? metaDataSchema : { ...metaDataSchema, required: [] },
      request_required_fields: requiredFields,
    }),
  }
}

/** Where a turn is, in words; its number counts from 1. */
const turnPlace = (assistant: string, turn: number): string => `assistant "${assistant}", turn ${turn}`

function resolveTurn(script: TurnScript, place: string): Turn {
  const pattern = script.when?.user_matches
  return { script, place, userMatches: pattern === undefined ? null : scenarioExpression(pattern, place) }
}

function fixedId(...names: readonly string[]): string {
  return uuidOf(names.reduce((key, name) => derive(key, name), rootKey(0)))
}

function jsonBytes(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value))
}
