/** Deviations of chapter tenancy: the tenant's record, and what one tenant sees of another. */

import type { OperationId } from '../../spec/index.ts'
import type { Json } from '../scenario/scenario.ts'
import type { Bend } from '../seams.ts'
import { refusal, reply, replyRemembering } from './bend-reply.ts'
import { during, forgets } from './bend-rule.ts'
import { type DeviationTable, deviation } from './deviation-row.ts'
import { at, atText, dropped, type Edit, isObject, renamed, replaced, withFields } from './json-edit.ts'
import { siblingOf } from './text-damage.ts'

const record = (edit: Edit): Bend => reply('listMyApiKeys', edit)
const completions = ['createChatCompletion', 'streamChatCompletion'] as const satisfies readonly OperationId[]
const threads = [
  'runThread',
  'streamThreadRun',
  'listMessages',
  'createMessage',
] as const satisfies readonly OperationId[]
const secondTenant = 'a key of the second tenant'

/** Bends the refusal of what belongs to somebody else, not of what does not exist. */
const foreignThread = (edit: Edit): Bend =>
  refusal(threads, 'thread_not_found', (json, { reason }) => (reason === 'threads.foreign' ? edit(json) : json))

const foreignAssistant = (code: string): Bend =>
  refusal(completions, 'assistant_not_available', (json, { world, command }) => {
    const id = command !== null && 'assistantId' in command ? command.assistantId : null
    const exists = world.machine.cast.tenants.some(({ assistants }) =>
      assistants.some((assistant) => assistant.id === id),
    )
    return exists ? at('error_code', replaced(code))(json) : json
  })

const noKeys = { alsoViolates: ['tenancy.calling-key-listed'] } as const
const told = { alsoViolates: ['threads.unknown-thread-error'] } as const

export const tenancy = {
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
  'tenancy.foreign-assistant-refused': [
    deviation(
      'tenancy.foreign-assistant-answers',
      'Answers completions with assistants of other tenants.',
      forgets('assistants.not-available', during('createChatCompletion')),
    ),
    deviation(
      'tenancy.foreign-assistant-streams',
      'Streams completions with assistants of other tenants.',
      forgets('assistants.not-available', during('streamChatCompletion')),
    ),
    deviation(
      'tenancy.foreign-assistant-not-found',
      'Refuses assistants of other tenants as resource_not_found.',
      foreignAssistant('resource_not_found'),
      { trigger: 'an assistant of another tenant' },
    ),
    deviation(
      'tenancy.foreign-assistant-forbidden',
      'Refuses assistants of other tenants as forbidden.',
      foreignAssistant('forbidden'),
      { trigger: 'an assistant of another tenant' },
    ),
  ],
  'tenancy.foreign-assistant-hidden': [
    deviation(
      'tenancy.foreign-assistant-readable',
      'Reads assistants of other tenants.',
      forgets('assistants.unknown'),
    ),
    deviation(
      'tenancy.foreign-assistant-readable-by-second',
      'Reads every assistant to all tenants but the first.',
      {
        seam: 'enforce',
        wrap: (next) => (reason, broken, occasion) => {
          const { command } = occasion
          const letIn =
            reason === 'assistants.unknown' &&
            command.operation === 'getAssistant' &&
            command.caller.tenant.name !== 'primary'
          return next(reason, broken, occasion) && !letIn
        },
      },
      { trigger: secondTenant },
    ),
  ],
  'tenancy.foreign-thread-refused': [
    deviation(
      'tenancy.foreign-thread-listed',
      'Lists threads of other tenants.',
      forgets('threads.foreign', during('listMessages')),
      { alsoViolates: ['tenancy.foreign-thread-like-unknown'] },
    ),
    deviation(
      'tenancy.foreign-thread-changed',
      'Adds messages to threads of other tenants.',
      forgets('threads.foreign', during('createMessage')),
      { alsoViolates: ['tenancy.foreign-thread-like-unknown', 'threads.no-phantom-messages'] },
    ),
    deviation(
      'tenancy.foreign-thread-run',
      'Runs threads of other tenants.',
      forgets('threads.foreign', during('runThread')),
      { alsoViolates: ['tenancy.foreign-thread-like-unknown', 'threads.no-phantom-messages'] },
    ),
    deviation(
      'tenancy.foreign-thread-streamed',
      'Streams runs of threads of other tenants.',
      forgets('threads.foreign', during('streamThreadRun')),
      { alsoViolates: ['tenancy.foreign-thread-like-unknown', 'threads.no-phantom-messages'] },
    ),
    deviation(
      'tenancy.foreign-thread-with-answer-listed',
      'Lists threads of other tenants once they were answered.',
      forgets('threads.foreign', (occasion) => during('listMessages')(occasion) && (occasion.thread?.answers ?? 0) > 0),
      {
        trigger: 'a thread of another tenant that was answered',
        alsoViolates: ['tenancy.foreign-thread-like-unknown'],
      },
    ),
  ],
  'tenancy.foreign-thread-like-unknown': [
    deviation(
      'tenancy.foreign-thread-told-by-code',
      'Refuses threads of other tenants as forbidden.',
      foreignThread(at('error_code', replaced('forbidden'))),
      told,
    ),
    deviation(
      'tenancy.foreign-thread-told-by-detail',
      'Tells that a thread belongs to somebody else.',
      foreignThread(at('detail', replaced('Thread belongs to another tenant'))),
    ),
    deviation('tenancy.foreign-thread-told-by-status', 'Refuses threads of other tenants with status 403.', {
      seam: 'head',
      wrap: (next) => (sent, exchange) => {
        const passed = next(sent, exchange)
        return exchange.reason === 'threads.foreign' ? { ...passed, status: 403 } : passed
      },
    }),
  ],
  'tenancy.foreign-thread-not-continued': [
    deviation(
      'tenancy.foreign-thread-continued',
      'Continues threads of other tenants.',
      forgets('threads.foreign', during('createChatCompletion')),
      { alsoViolates: ['threads.no-phantom-messages'] },
    ),
    deviation(
      'tenancy.foreign-completion-thread-continued',
      'Continues threads that completions of other tenants made.',
      forgets(
        'threads.foreign',
        (occasion) => during('createChatCompletion')(occasion) && occasion.thread?.origin === 'completion',
      ),
      {
        trigger: 'a thread that a completion of another tenant made',
        alsoViolates: ['threads.no-phantom-messages'],
      },
    ),
  ],
} as const satisfies DeviationTable<'tenancy'>
