/** Chapter errors: a burst over the quota, and the errors that the profile says how to provoke. */
import { type ErrorRow, errorTable } from '../../../spec/index.ts'
import { isObject } from '../../judge/read/json.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import type { Provocation, TargetProfile } from '../../profile/target-profile.ts'
import type { HeaderLines } from '../../trace/exchange.ts'
import { exercised, type Probe } from '../probe.ts'

/** Operations of which one at least lists every code that a request alone cannot provoke; those that cost nothing first. */
const provokedOn = ['listMyApiKeys', 'listMessages', 'createChatCompletion'] as const
type ProvokedOn = (typeof provokedOn)[number]

export const errorProbes = [
  {
    id: 'errors.provoked',
    chapter: 'errors',
    from: 'gate',
    rare: true,
    exercises: [exercised(provokedOn, 'errors.code-*')],
    needs: {},
    // An answer that came too late may have been paid for.
    cost: (profile) => {
      const operations = provocationsOf(profile).map(operationOf)
      const modelCalls = operations.filter((operation) => operation === 'createChatCompletion').length
      return { exchanges: operations.length, modelCalls }
    },
    play: async (stage) => {
      const assistant = await stage.assistant('plain')
      const thread = stage.touched().find(({ tenant }) => tenant === 'primary')
      if (assistant === null) return
      const requests: Readonly<Record<ProvokedOn, RequestSpec>> = {
        createChatCompletion: { json: stage.shortCompletion(assistant) },
        listMessages: { in: { thread_id: thread?.id ?? '' } },
        listMyApiKeys: {},
      }
      for (const provocation of provocationsOf(stage.profile)) {
        const operation = operationOf(provocation)
        await stage.send(operation, provokingRequest(provocation, requests[operation]))
      }
    },
  },
  {
    id: 'errors.rate-limit',
    chapter: 'errors',
    from: 'gate',
    exercises: [exercised(['listMyApiKeys'], 'errors.rate-limit', 'errors.code-rate-limit-gateway')],
    needs: { tenants: ['throttled'], throttle: true },
    // The number surely exceeds the quota, so half of it is a fair guess of what the burst takes.
    cost: (profile) => ({ exchanges: Math.ceil((profile.throttle?.requests ?? 0) / 2), modelCalls: 0 }),
    play: async (stage) => {
      const ask = { as: 'throttled', purpose: 'over-quota', expects: 'either', retry: 'none' } as const
      for (let sent = 0; sent < (stage.profile.throttle?.requests ?? 0); sent += 1) {
        const { errorCode } = await stage.send('listMyApiKeys', ask)
        if (errorCode === 'rate_limit_gateway') return
      }
      stage.note('refused-by-target', 'The number of requests that the profile gives did not reach the rate limit.')
    },
  },
] as const satisfies readonly Probe[]

interface NamedProvocation extends Provocation {
  readonly code: string
}

/** What the profile tells of, and its assistants that always fail. */
function provocationsOf({ provoke, assistants }: TargetProfile): readonly NamedProvocation[] {
  const failing = Object.entries(assistants).flatMap(([assistant, about]) => {
    const code = failingCodes.find(([field]) => isObject(about) && about[field] === true)?.[1]
    return code === undefined || Object.hasOwn(provoke, code) ? [] : [{ code, assistant }]
  })
  return [...Object.entries(provoke).map(([code, one]) => ({ code, ...one })), ...failing]
}

const failingCodes = [
  ['timesOut', 'api_timeout_error'],
  ['unavailable', 'internal_service_error'],
] as const

/** The operation that can carry everything that the provocation needs, else the cheapest one. */
function operationOf({ code, assistant, body, thread }: NamedProvocation): ProvokedOn {
  if (assistant !== undefined || body !== undefined) return 'createChatCompletion'
  return thread === undefined ? cheapestOf(code) : 'listMessages'
}

function provokingRequest(provocation: NamedProvocation, plain: RequestSpec): RequestSpec {
  const { code, headers = {}, assistant, thread, body, key } = provocation
  const fields = { ...body, ...(assistant === undefined ? {} : { assistant_id: assistant }) }
  return {
    ...plain,
    ...(Object.keys(fields).length === 0 || !isObject(plain.json) ? {} : { json: { ...plain.json, ...fields } }),
    ...(thread === undefined ? {} : { in: { thread_id: thread } }),
    ...(key === undefined ? {} : { as: { raw: key } }),
    headers: linesOf(headers),
    purpose: `provoke:${code}`,
    expects: 'either',
    retry: 'none',
  }
}

/** The first of these operations on which the contract lists a code, or the first of all for one that it does not know. */
function cheapestOf(code: string): ProvokedOn {
  const table: Readonly<Record<string, ErrorRow>> = errorTable
  const row = Object.hasOwn(table, code) ? table[code] : undefined
  return provokedOn.find((operation) => row?.operations.includes(operation)) ?? provokedOn[0]
}

function linesOf(headers: Readonly<Record<string, string>>): HeaderLines {
  return Object.entries(headers)
}
