/** Deviations of chapter auth: missing or wrong keys are accepted, keys are taken for those of others. */

import type { OperationId } from '../../../spec/index.ts'
import type { HookOverride } from '../../exchange/hooks.ts'
import type { InFlightRequest } from '../../exchange/in-flight-request.ts'
import { type EngineRequest, headerOf } from '../../exchange/request.ts'
import { appliesTo, overrideReplyWithMemory, type Where } from '../../overrides/replies.ts'
import { replaceCaller } from '../../overrides/rules.ts'
import type { Caller } from '../../scenario/resolved-scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'
import { throttledAsFirst } from '../tenancy/shared-record.ts'

const reading = ['listAssistants', 'getAssistant'] as const
const streaming = ['streamChatCompletion', 'streamChatCompletionEvents', 'streamThreadRun'] as const
const onThreads = ['runThread', 'createMessage', 'listMessages'] as const satisfies readonly OperationId[]

const keyOf = (request: EngineRequest): string | undefined => headerOf(request.headers, 'api-key')
/** Whether a header of exactly this name is present; an entry without header names does not rule it out. */
const isWritten = ({ rawHeaders }: EngineRequest, name: string): boolean => rawHeaders?.includes(name) ?? true
const callersIn = ({ world }: InFlightRequest): readonly Caller[] => [...world.machine.scenario.callers.values()]

/** Accepts requests without a key as those of the first tenant. */
const open = (where: Where): HookOverride =>
  replaceCaller((faithful, _request, exchange) => {
    const letIn = 'reason' in faithful && faithful.reason === 'missing-key' && appliesTo(where, exchange.operation)
    return letIn ? (callersIn(exchange)[0] ?? faithful) : faithful
  })

/** Accepts requests with an unknown key that resembles a known one. */
const takesFor = (where: Where, like: (given: string, known: string) => boolean): HookOverride =>
  replaceCaller((faithful, request, exchange) => {
    if (!('reason' in faithful) || faithful.reason !== 'unknown-key' || !appliesTo(where, exchange.operation))
      return faithful
    const given = keyOf(request) ?? ''
    return callersIn(exchange).find(({ apiKey }) => like(given, apiKey.value)) ?? faithful
  })

const anyKey = () => true

export const authDeviations = {
  'auth.key-required': [
    deviation('auth.catalogue-is-public', 'Serves assistants without a key.', open(reading)),
    deviation(
      'auth.streams-before-middleware',
      'Registers the streaming routes before the check of the key.',
      open(streaming),
    ),
    deviation('auth.completions-without-key', 'Answers completions without a key.', open('createChatCompletion')),
    deviation('auth.threads-without-key', 'Serves threads without a key.', open(onThreads)),
    deviation('auth.grants-without-key', 'Takes the user-id for all that a grant needs.', open('createUploadGrant')),
    deviation(
      'auth.my-keys-without-key',
      'Serves the record of the first tenant without a key.',
      open('listMyApiKeys'),
    ),
    deviation(
      'auth.last-caller-remembered',
      'Takes a request without a key for one of the last caller.',
      remembersCaller(),
      { trigger: 'a request without a key after one with a key' },
    ),
  ],
  'auth.unknown-key-refused': [
    deviation('auth.unknown-key-reads', 'Serves assistants to any key.', takesFor(reading, anyKey)),
    deviation('auth.unknown-key-streams', 'Streams to any key.', takesFor(streaming, anyKey)),
    deviation('auth.unknown-key-asks', 'Answers completions to any key.', takesFor('createChatCompletion', anyKey)),
    deviation('auth.unknown-key-on-threads', 'Serves threads to any key.', takesFor(onThreads, anyKey)),
    deviation('auth.unknown-key-uploads', 'Grants uploads to any key.', takesFor('createUploadGrant', anyKey)),
    deviation(
      'auth.unknown-key-lists-keys',
      'Lists the keys of the first tenant to any key.',
      takesFor('listMyApiKeys', anyKey),
    ),
    deviation(
      'auth.key-of-any-case',
      'Compares keys without regard to case.',
      takesFor('any', (given, known) => given.toLowerCase() === known.toLowerCase()),
      { trigger: 'a known key in another case' },
    ),
    deviation(
      'auth.key-compared-by-start',
      'Compares keys as far as the shorter one goes.',
      takesFor('any', (given, known) => given.length > 3 && (known.startsWith(given) || given.startsWith(known))),
      { trigger: 'a known key with something after it' },
    ),
    deviation(
      'auth.empty-key-let-in',
      'Looks a key up where there is one, and finds an empty key to be none.',
      replaceCaller((faithful, request, exchange) =>
        'reason' in faithful && keyOf(request) === '' ? (callersIn(exchange)[0] ?? faithful) : faithful,
      ),
      { trigger: 'an empty key' },
    ),
    deviation(
      'auth.third-unknown-key-let-in',
      'Gives up looking keys up after the second one that is unknown.',
      givesUp(),
      { trigger: 'the third request with an unknown key' },
    ),
  ],
  'auth.header-name-any-case': [
    deviation(
      'auth.header-name-in-lower-case',
      'Looks for api-key among the header lines as they were written.',
      replaceCaller((faithful, request) =>
        'reason' in faithful || isWritten(request, 'api-key') ? faithful : { reason: 'missing-key' },
      ),
      { trigger: 'a header name in another case' },
    ),
    deviation(
      'auth.header-name-capitalised-by-hand',
      'Knows two spellings of the name of the header, api-key and Api-Key.',
      replaceCaller((faithful, request) =>
        'reason' in faithful || isWritten(request, 'api-key') || isWritten(request, 'Api-Key')
          ? faithful
          : { reason: 'missing-key' },
      ),
      { trigger: 'a header name in a third spelling' },
    ),
  ],
  'auth.key-names-tenant': [
    deviation(
      'auth.first-tenant-sticks',
      'Keeps the tenant of the first request for all that follow.',
      firstCallerSticks('any'),
      { trigger: 'keys of two tenants' },
    ),
    deviation(
      'auth.record-cached-across-tenants',
      'Keeps the first tenant record and serves it to everybody.',
      overrideReplyWithMemory<{ json: unknown }>(
        'listMyApiKeys',
        () => ({ json: undefined }),
        (json, _exchange, memory) => {
          memory.json ??= json
          return memory.json as typeof json
        },
      ),
      { trigger: 'keys of two tenants' },
    ),
    deviation(
      'auth.only-key-in-use-listed',
      'Takes the throttled key for one of the first tenant, and lists the key in use only.',
      throttledAsFirst((own, first) => ({ ...own, id: first.id ?? '', name: first.name ?? '' })),
      { trigger: 'two keys of one tenant' },
    ),
    deviation(
      'auth.tenant-by-start-of-key',
      'Finds the tenant by the first eight characters of the key.',
      replaceCaller((faithful, request, exchange) => {
        if ('reason' in faithful) return faithful
        const start = (keyOf(request) ?? '').slice(0, 8)
        return callersIn(exchange).find(({ apiKey }) => apiKey.value.startsWith(start)) ?? faithful
      }),
      { trigger: 'keys of two tenants that start alike' },
    ),
  ],
} as const satisfies DeviationTable<'auth'>

function remembersCaller(): HookOverride {
  return {
    hook: 'authorize',
    wrap: (next) => {
      let last: Caller | null = null
      return (request, exchange) => {
        const faithful = next(request, exchange)
        if (!('reason' in faithful)) last = faithful
        return 'reason' in faithful && faithful.reason === 'missing-key' && last !== null ? last : faithful
      }
    },
  }
}

function givesUp(): HookOverride {
  return {
    hook: 'authorize',
    wrap: (next) => {
      let unknown = 0
      return (request, exchange) => {
        const faithful = next(request, exchange)
        if (!('reason' in faithful) || faithful.reason !== 'unknown-key') return faithful
        unknown += 1
        return unknown > 2 ? (callersIn(exchange)[0] ?? faithful) : faithful
      }
    },
  }
}

function firstCallerSticks(where: Where): HookOverride {
  return {
    hook: 'authorize',
    wrap: (next) => {
      let first: Caller | null = null
      return (request, exchange) => {
        const faithful = next(request, exchange)
        if ('reason' in faithful || !appliesTo(where, exchange.operation)) return faithful
        first ??= faithful
        return first
      }
    },
  }
}
