/** Proof of what is said of errors that were asked for in the way of the profile. */
import {
  type OracleCase,
  proveOracles,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { errorBody } from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { errorsOracles } from './errors.ts'

const provoking = { profile: { provoke: { api_timeout_error: { headers: { 'x-Provoke': 'timeout' } } } } }
const provoked = (s: TraceBuilder, change: Change): void => {
  s.assistants().complete({}, { headers: [['x-provoke', 'timeout']], ...change })
}
const provokingBoth = {
  profile: {
    provoke: { ...provoking.profile.provoke, internal_service_error: { headers: { 'x-provoke': 'outage' } } },
  },
}
const provokedOther = (s: TraceBuilder, change: Change): void => {
  s.complete({}, { headers: [['x-provoke', 'outage']], ...change })
}
const provokedTwice = (s: TraceBuilder, change: Change): void => {
  provoked(s, change)
  provoked(s, change)
}
const provocation = ['errors.code-api-timeout-error', 'createChatCompletion'] as const
const inRuns = ['errors.code-api-timeout-error', 'runThread'] as const
const prompted = { profile: { provoke: { api_timeout_error: { prompt: 'Sleep now.' } } } }
/** A run behind these messages of a user, which ends in an outage. */
const runBehind = (s: TraceBuilder, ...texts: readonly string[]): void => {
  const thread = s.assistants().thread()
  for (const text of texts) s.add(thread, 'user', text)
  s.run(thread, '', { status: 503, body: errorBody('internal_service_error') })
}
const ofTenants = ['errors.code-tenant-not-found', 'listMyApiKeys'] as const
const closedTenant = { profile: { provoke: { tenant_not_found: { headers: { 'x-provoke': 'closed' } } } } }
const orphanKey = { profile: { provoke: { tenant_not_found: { key: 'key-orphan' } } } }
const readsKeysOfOrphan = (s: TraceBuilder, key: string, code = 'tenant_not_found', status = 404): void => {
  s.send('listMyApiKeys', {}, {}, { as: null, headers: [['api-key', key]], status, body: errorBody(code) })
}
const readsKeys = (s: TraceBuilder, code: string): void => {
  s.send('listMyApiKeys', {}, {}, { headers: [['x-provoke', 'closed']], status: 404, body: errorBody(code) })
}
const provokedCases: readonly OracleCase[] = [
  violates(
    ...ofTenants,
    'a code that only other operations list',
    (s) => readsKeys(s, 'resource_not_found'),
    closedTenant,
  ),
  upholds(...ofTenants, 'the code that was asked for', (s) => readsKeys(s, 'tenant_not_found'), closedTenant),
  upholds(...ofTenants, 'the key that asks for it', (s) => readsKeysOfOrphan(s, 'key-orphan'), orphanKey),
  unexercised(...ofTenants, 'a key that nobody named', (s) => readsKeysOfOrphan(s, 'key-unknown'), orphanKey),
  unexercised(
    ...ofTenants,
    'a code of the same operation may be the wrong setting',
    (s) => readsKeys(s, 'bad_request'),
    closedTenant,
  ),
  violates(
    ...ofTenants,
    'a key without a tenant gets another code than keys of nobody',
    (s) => {
      readsKeysOfOrphan(s, 'key-orphan', 'bad_request', 400)
      readsKeysOfOrphan(s, 'key-unknown', 'unauthorized', 401)
    },
    orphanKey,
  ),
  ...(
    [
      ['a key that gets what keys of nobody get may be the wrong setting', ['key-orphan', 'key-unknown']],
      ['nothing shows what keys of nobody get', ['key-orphan']],
    ] as const
  ).map(([what, keys]) =>
    unexercised(
      ...ofTenants,
      what,
      (s) => {
        for (const key of keys) readsKeysOfOrphan(s, key, 'bad_request', 400)
      },
      orphanKey,
    ),
  ),
  violates(
    ...provocation,
    'behind a timeout an assistant that has answered is not available',
    (s) => {
      s.assistants().complete()
      provoked(s, { status: 504, body: errorBody('api_timeout_error') })
      provoked(s, { status: 404, body: errorBody('assistant_not_available') })
    },
    provoking,
  ),
  unexercised(
    ...provocation,
    'an assistant that is not available and has never answered may be the wrong one',
    (s) => provokedTwice(s, { status: 404, body: errorBody('assistant_not_available') }),
    provoking,
  ),
  violates(
    ...inRuns,
    'a message that provokes a timeout brings an outage',
    (s) => runBehind(s, 'Hello.', 'Sleep now. It is about a letter.'),
    prompted,
  ),
  unexercised(
    ...inRuns,
    'only the newest message provokes',
    (s) => runBehind(s, 'Sleep now. It is about a letter.', 'Hello.'),
    prompted,
  ),
  violates(
    ...provocation,
    'the last message of a completion provokes as well',
    (s) => {
      const messages = [{ role: 'user', content: 'Sleep now. It is about a letter.' }]
      s.assistants().complete({ messages }, { status: 503, body: errorBody('internal_service_error') })
    },
    prompted,
  ),
  violates(
    ...provocation,
    'a timeout that was asked for says so',
    (s) => provokedTwice(s, { status: 504, text: '<h1>504</h1>' }),
    provoking,
  ),
  violates(
    ...provocation,
    'its code is in no other field',
    (s) => provokedTwice(s, { status: 504, body: { code: 'api_timeout_error', detail: 'x' } }),
    provoking,
  ),
  violates(
    ...provocation,
    'an outage is no timeout',
    (s) => provoked(s, { status: 503, body: errorBody('internal_service_error') }),
    provoking,
  ),
  unexercised(
    ...provocation,
    'a service that is down now and then may be down just now',
    (s) => {
      provoked(s, { status: 503, body: errorBody('internal_service_error') })
      s.complete({}, { status: 503, body: errorBody('internal_service_error') })
    },
    provoking,
  ),
  unexercised(
    ...provocation,
    'a gateway that fails now and then may fail just now',
    (s) => {
      provoked(s, { status: 504, text: '<h1>504</h1>' })
      s.complete({}, { status: 504, text: '<h1>504</h1>' })
    },
    provoking,
  ),
  unexercised(
    ...provocation,
    'a bare failure that came once may be that of a gateway',
    (s) => provoked(s, { status: 504, text: '<h1>504</h1>' }),
    provoking,
  ),
  upholds(
    ...provocation,
    'a gateway fails, and the service says it when it is asked again',
    (s) => {
      provokedTwice(s, { status: 504, text: '<h1>504</h1>' })
      provoked(s, { status: 504, body: errorBody('api_timeout_error') })
    },
    provoking,
  ),
  violates(
    ...provocation,
    'a refusal without a code is none of a gateway',
    (s) => provoked(s, { status: 400, text: '<h1>400</h1>' }),
    provoking,
  ),
  violates(
    ...provocation,
    'a failure with a code that the table lacks comes each time',
    (s) => provokedTwice(s, { status: 500, body: errorBody('internal_server_error') }),
    provoking,
  ),
  unexercised(
    ...provocation,
    'a gateway that names its failure in JSON fails once',
    (s) => provoked(s, { status: 502, body: errorBody('bad_gateway') }),
    provoking,
  ),
  unexercised(
    ...provocation,
    'another error of the table may come first',
    (s) => provoked(s, { status: 429, body: errorBody('rate_limit_gateway') }),
    provoking,
  ),
  upholds(
    ...provocation,
    'two provocations of the profile are swapped',
    (s) => {
      provoked(s, { status: 503, body: errorBody('internal_service_error') })
      provokedOther(s, { status: 504, body: errorBody('api_timeout_error') })
    },
    provokingBoth,
  ),
  unexercised(
    ...provocation,
    'they are swapped, and the other operation has no such error',
    (s) => {
      provoked(s, { status: 503, body: errorBody('internal_service_error') })
      s.list(s.thread(), { headers: [['x-provoke', 'outage']] })
    },
    provokingBoth,
  ),
  violates(
    ...provocation,
    'an outage comes for both',
    (s) => {
      provoked(s, { status: 503, body: errorBody('internal_service_error') })
      provokedOther(s, { status: 503, body: errorBody('internal_service_error') })
    },
    provokingBoth,
  ),
  violates(
    ...provocation,
    'an outage comes for a timeout, and nothing where a timeout may come',
    (s) => {
      provoked(s, { status: 503, body: errorBody('internal_service_error') })
      provokedOther(s, {})
    },
    provokingBoth,
  ),
  unexercised(...provocation, 'a target on which nothing can be provoked answers', (s) => provoked(s, {}), provoking),
  unexercised(...provocation, 'a gateway answers what nobody asked for', (s) =>
    provoked(s, { status: 504, text: '<h1>504</h1>' }),
  ),
]

const [timeout, closed] = ['errors.code-api-timeout-error', 'errors.code-tenant-not-found'] as const
proveOracles({ [timeout]: errorsOracles[timeout], [closed]: errorsOracles[closed] }, provokedCases)
