/** Deviations of chapter tenancy in the tenant's own record. */

import type { Json } from '../scenario/scenario.ts'
import type { Bend } from '../seams.ts'
import { reply, replyRemembering } from './bend-reply.ts'
import { type DeviationTable, deviation } from './deviation-row.ts'
import { at, atText, dropped, type Edit, isObject, renamed, replaced, withFields } from './json-edit.ts'
import { siblingOf } from './text-damage.ts'

const record = (edit: Edit): Bend => reply('listMyApiKeys', edit)

const secondTenant = 'a key of the second tenant'

const noKeys = { alsoViolates: ['tenancy.calling-key-listed'] } as const

export const tenantRecords = {
  'tenancy.record-fields': [
    deviation('tenancy.id-as-tenant-id', 'Names the id of the tenant tenant_id.', record(renamed('id', 'tenant_id'))),
    deviation('tenancy.name-null', 'Sends a name of null.', record(at('name', replaced(null)))),
    deviation(
      'tenancy.keys-camel',
      'Names the keys of the tenant apiKeys.',
      record(renamed('api_keys', 'apiKeys')),
      noKeys,
    ),
    deviation(
      'tenancy.keys-by-id',
      'Sends the keys as an object by id.',
      record(
        at('api_keys', (keys) =>
          Array.isArray(keys)
            ? Object.fromEntries(keys.map((key: Json) => [isObject(key) ? String(key.id) : '', key]))
            : keys,
        ),
      ),
      noKeys,
    ),
    deviation(
      'tenancy.record-in-array',
      'Sends the keys of the tenant without the record around them.',
      record((json) => (isObject(json) ? (json.api_keys ?? []) : json)),
      {
        alsoViolates: ['http.operation-served', ...noKeys.alsoViolates],
      },
    ),
  ],
  'tenancy.key-record-fields': [
    deviation('tenancy.key-without-id', 'Leaves the id out of a key.', record(at('api_keys.*.id', dropped))),
    deviation(
      'tenancy.key-as-value',
      'Names the value of a key value.',
      record(renamed('api_keys.*.api_key', 'value')),
    ),
    deviation(
      'tenancy.key-hidden-as-null',
      'Hides the value of a key as null.',
      record(at('api_keys.*.api_key', replaced(null))),
    ),
    deviation(
      'tenancy.key-created-unix',
      'Sends the created_at of a key as a number.',
      record(at('api_keys.*.created_at', (stamp) => Math.floor(Date.parse(String(stamp)) / 1000))),
      { alsoViolates: ['resources.timestamp-format'] },
    ),
    deviation(
      'tenancy.key-never-updated',
      'Sends a last_updated_at of null for a key that was never changed.',
      record(at('api_keys.*.last_updated_at', replaced(null))),
      { alsoViolates: ['resources.timestamp-format'] },
    ),
    deviation(
      'tenancy.keys-as-texts',
      'Sends the values of keys without records.',
      record(at('api_keys.*', (key) => (isObject(key) ? (key.api_key ?? null) : key))),
    ),
  ],
  'tenancy.calling-key-listed': [
    deviation('tenancy.no-keys', 'Sends no keys.', record(at('api_keys', replaced([])))),
    deviation(
      'tenancy.key-in-use-left-out',
      'Leaves the key of the call out.',
      reply('listMyApiKeys', (json, { caller }) =>
        at('api_keys', (keys) =>
          Array.isArray(keys) ? keys.filter((key: Json) => !isObject(key) || key.id !== caller?.apiKey.id) : keys,
        )(json),
      ),
    ),
    deviation(
      'tenancy.second-tenant-without-keys',
      'Joins keys to the first tenant only.',
      reply('listMyApiKeys', (json, { world, caller }) =>
        caller?.tenant === world.machine.cast.tenants[0] ? json : at('api_keys', replaced([]))(json),
      ),
      { trigger: secondTenant },
    ),
  ],
  'tenancy.keys-are-own': [
    deviation(
      'tenancy.keys-of-all',
      'Lists the keys of all tenants.',
      reply('listMyApiKeys', (json, { world }) => {
        const all = world.machine.cast.tenants.flatMap(
          ({ recordBytes }) => (JSON.parse(Buffer.from(recordBytes).toString()) as { api_keys: Json[] }).api_keys,
        )
        return withFields({ api_keys: all })(json)
      }),
    ),
    deviation(
      'tenancy.key-of-first-everywhere',
      "Lists the first tenant's key with those of every other.",
      reply('listMyApiKeys', (json, { world, caller }) => {
        const [first] = world.machine.cast.tenants
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
      replyRemembering(
        'listMyApiKeys',
        () => ({ reads: 0 }),
        (json, _exchange, memory) => {
          memory.reads += 1
          return memory.reads === 1 ? json : atText('id', (id) => siblingOf(id, memory.reads))(json)
        },
      ),
      { trigger: 'the second read' },
    ),
    deviation(
      'tenancy.key-ids-drawn-anew',
      'Draws the ids of keys anew for every read.',
      replyRemembering(
        'listMyApiKeys',
        () => ({ reads: 0 }),
        (json, _exchange, memory) => {
          memory.reads += 1
          return memory.reads === 1 ? json : atText('api_keys.*.id', (id) => siblingOf(id, memory.reads))(json)
        },
      ),
      { trigger: 'the second read' },
    ),
    deviation(
      'tenancy.third-read-of-neighbour',
      'Serves every third read from a connection of another tenant.',
      replyRemembering(
        'listMyApiKeys',
        () => ({ reads: 0 }),
        (json, { world, caller }, memory) => {
          memory.reads += 1
          const other = world.machine.cast.tenants.find((tenant) => tenant !== caller?.tenant)
          return memory.reads % 3 === 0 && other !== undefined
            ? (JSON.parse(Buffer.from(other.recordBytes).toString()) as Json)
            : json
        },
      ),
      { trigger: 'every third read', alsoViolates: ['tenancy.keys-are-own', 'auth.key-names-tenant'] },
    ),
  ],
} as const satisfies Partial<DeviationTable<'tenancy'>>
