/** Legal ways to refuse: keys, codes where none is given, and further contents of a validation error. */
import { isErrorBody, otherCode, overrideErrorBody } from '../overrides/errors.ts'
import { overrideStatus } from '../overrides/heads.ts'
import { isObject } from '../overrides/json-edit.ts'
import { overrideBody } from '../overrides/replies.ts'
import type { JsonObject } from '../scenario/scenario.ts'
import type { Variant } from './variant.ts'

const pydantic = { freedom: 'The contract does not say how strictly a value of a request is read.' } as const

const keyReasons = ['missing-key', 'unknown-key'] as const

export const refusalVariants: readonly Variant[] = [
  {
    id: 'auth.bare-403',
    because: 'auth.missing-key',
    description: 'A gateway before the service rejects keys with 403 and its own body.',
    overrides: [
      overrideStatus((status) => (status === 401 ? 403 : status)),
      overrideBody((sent, { reason }) => (keyReasons.some((one) => one === reason) ? { message: 'Forbidden' } : sent)),
    ],
  },
  {
    id: 'auth.detail-alone',
    because: 'auth.missing-key',
    description: 'A missing key answers {"detail": "Not authenticated"}.',
    overrides: [
      overrideBody((sent, { reason }) =>
        keyReasons.some((one) => one === reason) ? { detail: 'Not authenticated' } : sent,
      ),
    ],
  },
  {
    id: 'auth.html-refusal',
    because: 'auth.missing-key',
    description: 'A missing key answers with a page for people.',
    overrides: [
      {
        hook: 'payload',
        wrap: (next) => (bytes, exchange) =>
          keyReasons.some((one) => one === exchange.reason) ? Buffer.from('<html>401</html>') : next(bytes, exchange),
      },
    ],
  },
  {
    id: 'auth.own-code',
    because: 'auth.unknown-key',
    description: 'Refused keys have a code of their own and status 400.',
    overrides: [
      otherCode(keyReasons, 'credentials_invalid', 'No such key'),
      overrideStatus((status) => (status === 401 ? 400 : status)),
    ],
  },
  {
    id: 'auth.tenant-not-found',
    because: 'auth.unknown-key',
    description: 'Refused keys answer tenant_not_found.',
    overrides: [
      otherCode(keyReasons, 'tenant_not_found', 'Tenant not found'),
      overrideStatus((status) => (status === 401 ? 404 : status)),
    ],
  },
  {
    id: 'tenancy.foreign-thread-forbidden',
    because: 'errors.status-of-code',
    description: 'thread_not_found has status 403 for a thread of another tenant.',
    overrides: [overrideStatus((status, { reason }) => (reason === 'foreign-thread' ? 403 : status))],
  },
  {
    id: 'completions.unknown-assistant-not-found',
    because: { freedom: 'The answer may distinguish an unknown assistant from one of another tenant.' },
    description: 'A completion with an assistant that exists nowhere answers resource_not_found.',
    overrides: [
      overrideErrorBody((sent, { reason, command, world }) => {
        const named = command !== null && 'assistantId' in command ? command.assistantId : null
        const exists = world.machine.scenario.tenants.some(({ assistants }) =>
          assistants.some(({ id }) => id === named),
        )
        return reason === 'assistant-not-available' && !exists
          ? { error_code: 'resource_not_found', detail: 'Resource not found' }
          : sent
      }),
    ],
  },
  {
    id: 'errors.first-fault-only',
    because: 'errors.all-faults-at-once',
    description: 'validation_error tells the first wrong field only.',
    departsFrom: ['completions.missing-assistant-id-among-others'],
    overrides: [
      overrideErrorBody((sent) => (Array.isArray(sent.detail) ? { ...sent, detail: sent.detail.slice(0, 1) } : sent)),
    ],
  },
  {
    id: 'errors.other-type-words',
    because: 'errors.type-vocabulary',
    description: 'The types of field errors are the words of pydantic 1.',
    overrides: [
      overrideErrorBody((sent) =>
        withEntries(sent, (entry) => ({ ...entry, type: `value_error.${String(entry.type)}` })),
      ),
    ],
  },
  {
    id: 'errors.java-type-words',
    because: 'errors.type-vocabulary',
    description: 'A missing field is called MissingProperty.',
    overrides: [
      overrideErrorBody((sent) =>
        withEntries(sent, (entry) => ({
          ...entry,
          type: entry.type === 'missing' ? 'MissingProperty' : 'InvalidValue',
        })),
      ),
    ],
  },
  {
    id: 'errors.entries-say-more',
    because: pydantic,
    description: 'Field errors carry the input, a context and a link as well.',
    overrides: [
      overrideErrorBody((sent) =>
        withEntries(sent, (entry) => ({ ...entry, input: null, ctx: { error: {} }, url: 'https://errors.example/x' })),
      ),
    ],
  },
  {
    id: 'errors.indexes-as-strings',
    because: { freedom: 'loc is an array of path segments; their type is not given.' },
    description: 'Array indexes in loc are strings.',
    overrides: [
      overrideErrorBody((sent) =>
        withEntries(sent, (entry) => ({
          ...entry,
          loc: Array.isArray(entry.loc) ? entry.loc.map(String) : (entry.loc ?? null),
        })),
      ),
    ],
  },
  {
    id: 'errors.other-detail-texts',
    because: { freedom: 'The table of errors does not say that its texts are exact.' },
    description: 'The details are worded otherwise.',
    departsFrom: ['errors.detail-text'],
    overrides: [
      overrideErrorBody((sent) =>
        typeof sent.detail === 'string' ? { ...sent, detail: `Sorry: ${sent.detail.toLowerCase()}.` } : sent,
      ),
    ],
  },
  {
    id: 'errors.malformed-json-bad-request',
    because: 'http.malformed-json',
    description: 'A body that is not JSON answers bad_request.',
    overrides: [
      otherCode(['body-not-json'], 'bad_request', 'Bad request'),
      overrideStatus((status, { reason }) => (reason === 'body-not-json' ? 400 : status)),
    ],
  },
  {
    id: 'errors.schema-faults-bad-request',
    because: 'errors.schema-fault-code',
    description: 'Malformed fields of messages, lists and files answer bad_request.',
    overrides: [
      overrideErrorBody((sent, { operation, reason }) =>
        reason === 'invalid-fields' && !String(operation).includes('Completion')
          ? { error_code: 'bad_request', detail: 'Bad request' }
          : sent,
      ),
      overrideStatus((status, { operation }) =>
        status === 422 && !String(operation).includes('Completion') ? 400 : status,
      ),
    ],
  },
  {
    id: 'errors.bare-framework-bodies',
    because: 'errors.unlisted-operations',
    description: 'Files, assistants and the events stream answer in the body of their framework.',
    overrides: [
      overrideBody((sent, { operation }) =>
        isErrorBody(sent) &&
        ['createUploadGrant', 'getAssistant', 'streamChatCompletionEvents'].includes(String(operation))
          ? { detail: sent.detail ?? null }
          : sent,
      ),
    ],
  },
  {
    id: 'assistants.unknown-not-found',
    because: 'assistants.unknown-error',
    description: 'Reading an unknown assistant answers resource_not_found.',
    overrides: [
      otherCode(['unknown-assistant'], 'resource_not_found', 'Resource not found'),
      overrideStatus((status, { reason }) => (reason === 'unknown-assistant' ? 404 : status)),
    ],
  },
  {
    id: 'auth.bearer-too',
    because: 'auth.other-places',
    description: 'A key is accepted as a bearer token as well.',
    overrides: [
      {
        hook: 'authorize',
        wrap: (next) => (request, exchange) => {
          const bearer = /^Bearer (.+)$/.exec(String(request.headers.authorization ?? ''))?.[1]
          const headers = bearer === undefined ? request.headers : { 'api-key': bearer, ...request.headers }
          return next({ ...request, headers }, exchange)
        },
      },
    ],
  },
]

const withEntries = (sent: JsonObject, overridden: (entry: JsonObject) => JsonObject): JsonObject =>
  Array.isArray(sent.detail)
    ? { ...sent, detail: sent.detail.map((entry) => (isObject(entry) ? overridden(entry) : entry)) }
    : sent
