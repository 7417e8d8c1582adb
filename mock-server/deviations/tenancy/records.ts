/** Deviations of chapter tenancy in the tenant's own record. */

import type { HookOverride } from '../../exchange/hooks.ts'
import {
  dropField,
  type Edit,
  editAt,
  editTextAt,
  isObject,
  renameField,
  repeated,
  replaceWith,
  withFields,
} from '../../overrides/json-edit.ts'
import { overrideReply, overrideReplyByCount, overrideReplyWithMemory } from '../../overrides/replies.ts'
import { siblingOf } from '../../overrides/text-corruption.ts'
import type { Json, JsonObject } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'
import { throttledAsFirst } from './shared-record.ts'

const record = (edit: Edit): HookOverride => overrideReply('listMyApiKeys', edit)

/** The record of another key under the same id. */
const rotated = (key: JsonObject): JsonObject => ({ ...key, api_key: `${String(key.api_key)}-2` })

const secondTenant = 'a key of the second tenant'

export const tenantRecords = {
  'tenancy.record-fields': [
    deviation(
      'tenancy.id-as-tenant-id',
      'Names the id of the tenant tenant_id.',
      record(renameField('id', 'tenant_id')),
    ),
    deviation('tenancy.name-null', 'Sends a name of null.', record(editAt('name', replaceWith(null)))),
    deviation(
      'tenancy.keys-camel',
      'Names the keys of the tenant apiKeys.',
      record(renameField('api_keys', 'apiKeys')),
    ),
    deviation(
      'tenancy.keys-by-id',
      'Sends the keys as an object by id.',
      record(
        editAt('api_keys', (keys) =>
          Array.isArray(keys)
            ? Object.fromEntries(keys.map((key: Json) => [isObject(key) ? String(key.id) : '', key]))
            : keys,
        ),
      ),
    ),
    deviation(
      'tenancy.record-in-array',
      'Sends the keys of the tenant without the record around them.',
      record((json) => (isObject(json) ? (json.api_keys ?? []) : json)),
    ),
  ],
  'tenancy.key-record-fields': [
    deviation('tenancy.key-without-id', 'Leaves the id out of a key.', record(editAt('api_keys.*.id', dropField))),
    deviation(
      'tenancy.key-as-value',
      'Names the value of a key value.',
      record(renameField('api_keys.*.api_key', 'value')),
    ),
    deviation(
      'tenancy.key-hidden-as-null',
      'Hides the value of a key as null.',
      record(editAt('api_keys.*.api_key', replaceWith(null))),
    ),
    deviation(
      'tenancy.key-created-unix',
      'Sends the created_at of a key as a number.',
      record(editAt('api_keys.*.created_at', (timestamp) => Math.floor(Date.parse(String(timestamp)) / 1000))),
    ),
    deviation(
      'tenancy.key-never-updated',
      'Sends a last_updated_at of null for a key that was never changed.',
      record(editAt('api_keys.*.last_updated_at', replaceWith(null))),
    ),
    deviation(
      'tenancy.keys-as-texts',
      'Sends the values of keys without records.',
      record(editAt('api_keys.*', (key) => (isObject(key) ? (key.api_key ?? null) : key))),
    ),
  ],
  'tenancy.calling-key-listed': [
    deviation('tenancy.no-keys', 'Sends no keys.', record(editAt('api_keys', replaceWith([])))),
    deviation(
      'tenancy.key-in-use-left-out',
      'Leaves the key of the call out.',
      overrideReply('listMyApiKeys', (json, { caller }) =>
        editAt('api_keys', (keys) =>
          Array.isArray(keys) ? keys.filter((key: Json) => !isObject(key) || key.id !== caller?.apiKey.id) : keys,
        )(json),
      ),
    ),
    deviation(
      'tenancy.second-tenant-without-keys',
      'Joins keys to the first tenant only.',
      overrideReply('listMyApiKeys', (json, { world, caller }) =>
        caller?.tenant === world.machine.scenario.tenants[0] ? json : editAt('api_keys', replaceWith([]))(json),
      ),
      { trigger: secondTenant },
    ),
  ],
  'tenancy.key-ids-unique': [
    deviation(
      'tenancy.key-records-share-id',
      'Sends each key record twice, with another value under the same id.',
      record(
        editAt('api_keys', (keys) => (Array.isArray(keys) ? [...keys, ...keys.filter(isObject).map(rotated)] : keys)),
      ),
    ),
  ],
  'tenancy.keys-are-own': [
    deviation(
      'tenancy.keys-of-all',
      'Lists the keys of all tenants.',
      overrideReply('listMyApiKeys', (json, { world }) => {
        const all = world.machine.scenario.tenants.flatMap(
          ({ recordBytes }) => (JSON.parse(Buffer.from(recordBytes).toString()) as { api_keys: Json[] }).api_keys,
        )
        return withFields({ api_keys: all })(json)
      }),
    ),
    deviation(
      'tenancy.key-of-first-everywhere',
      "Lists the first tenant's key with those of every other.",
      overrideReply('listMyApiKeys', (json, { world, caller }) => {
        const [first] = world.machine.scenario.tenants
        if (first === undefined || caller?.tenant === first || !isObject(json) || !Array.isArray(json.api_keys))
          return json
        const shared = (JSON.parse(Buffer.from(first.recordBytes).toString()) as { api_keys: Json[] }).api_keys
        return { ...json, api_keys: [...json.api_keys, ...shared] }
      }),
      { trigger: secondTenant },
    ),
  ],
  'tenancy.record-is-stable': [
    deviation(
      'tenancy.id-drawn-anew',
      'Draws the id of the tenant anew for every read.',
      overrideReplyByCount('listMyApiKeys', (read) =>
        editTextAt('id', (id) => (read === 1 ? id : siblingOf(id, read))),
      ),
      { trigger: 'the second read' },
    ),
    deviation(
      'tenancy.key-ids-drawn-anew',
      'Draws the ids of keys anew for every read.',
      overrideReplyByCount('listMyApiKeys', (read) =>
        editTextAt('api_keys.*.id', (id) => (read === 1 ? id : siblingOf(id, read))),
      ),
      { trigger: 'the second read' },
    ),
    deviation(
      'tenancy.keys-shown-once',
      'Shows the values of keys to the first read, and their last letters to every later one.',
      overrideReplyByCount('listMyApiKeys', (read) =>
        editTextAt('api_keys.*.api_key', (value) => (read === 1 ? value : `…${value.slice(-4)}`)),
      ),
      { trigger: 'the second read' },
    ),
    deviation(
      'tenancy.keys-joined-once-more',
      'Adds the keys once more to a record in memory with every read.',
      overrideReplyByCount('listMyApiKeys', (read) => editAt('api_keys', repeated(read))),
      { trigger: 'the second read' },
    ),
    deviation(
      'tenancy.threads-of-key',
      'Takes the throttled key for one of the first tenant, and keeps threads by key.',
      throttledAsFirst((_own, first) => first),
      { trigger: 'two keys of one tenant, and a thread of either one' },
    ),
    deviation(
      'tenancy.third-read-of-neighbour',
      'Serves every third read from a connection of another tenant.',
      overrideReplyWithMemory(
        'listMyApiKeys',
        () => ({ reads: 0 }),
        (json, { world, caller }, memory) => {
          memory.reads += 1
          const other = world.machine.scenario.tenants.find((tenant) => tenant !== caller?.tenant)
          return memory.reads % 3 === 0 && other !== undefined
            ? (JSON.parse(Buffer.from(other.recordBytes).toString()) as Json)
            : json
        },
      ),
      { trigger: 'every third read' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'tenancy'>>
