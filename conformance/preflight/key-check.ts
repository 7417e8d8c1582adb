/**
 * Checks whether the keys of a profile can be used, before anything is judged with them. A wrong key makes every answer a
 * refusal, and none of these refusals says anything about the service.
 */

import { documentOf, requirements } from '../../spec/index.ts'
import { type Client, createClient } from '../client/client.ts'
import { BudgetExhausted, createMeter } from '../client/meter.ts'
import type { ClientOptions } from '../client/send-request.ts'
import { errorCodeOf } from '../client/transient-failure.ts'
import { idField } from '../judge/read/formats.ts'
import { fieldOf } from '../judge/read/json.ts'
import { secretsOf } from '../profile/redact-profile.ts'
import { type TargetProfile, type TenantName, tenantNames } from '../profile/target-profile.ts'
import { createPseudonyms } from '../pseudonyms/pseudonyms.ts'
import { answerJson, textOfPieces } from '../trace/bytes.ts'
import type { Exchange } from '../trace/exchange.ts'
import { headerIn } from '../trace/headers.ts'
import { isRedirect } from '../trace/redirect-target.ts'

export interface KeyProblem {
  /** `elsewhere`: nothing of the service is found below the base URL. */
  readonly kind: 'unusable' | 'equal' | 'refused' | 'swapped' | 'elsewhere' | 'other-tenant'
  readonly tenants: readonly TenantName[]
  /** The observation, without the key: `401 unauthorized`. */
  readonly seen: string
  /** The base URL below which the service is found, where the one of the profile ends in `/v1` by mistake. */
  readonly meant?: string
}

type Sender = Pick<Client, 'send'>

interface CheckedKeys {
  readonly problem: KeyProblem | null
  readonly exchanges: number
}

interface KeyCheckOptions {
  readonly maxExchanges?: number | undefined
  /** Another way to carry requests; default HTTP. */
  readonly client?: ((options: ClientOptions) => Client) | undefined
}

/** Shorter keys could be parts of ordinary words, and could not be kept out of the report. */
const shortestKey = 8
/** No server takes longer headers by default. */
const longestKey = 8192
/** Common words in exchanges beside those of the contract. */
const httpWords =
  'accept-encoding application/x-ndjson authorization content-length content-encoding close connection ' +
  'disposition keep-alive user-agent transfer-encoding chunked identity text/plain charset=utf-8 ' +
  'multipart/form-data octet-stream http://127.0.0.1 https://localhost created forbidden not found'

const keysOf = ({ tenants }: TargetProfile): readonly (readonly [TenantName, string])[] =>
  tenantNames.flatMap((name) => {
    const key = tenants[name]?.key
    return key === undefined ? [] : [[name, key] as const]
  })

/** Problems of the keys themselves, found without a request. */
export const keyTextProblem = (profile: TargetProfile): KeyProblem | null => {
  const keys = keysOf(profile)
  for (const [tenant, key] of keys) {
    const seen = unusable(key)
    if (seen !== null) return { kind: 'unusable', tenants: [tenant], seen }
  }
  for (const [index, [tenant, key]] of keys.entries()) {
    const same = keys.slice(0, index).find(([, earlier]) => earlier === key)
    if (same !== undefined) return { kind: 'equal', tenants: [same[0], tenant], seen: 'they are the same text' }
  }
  return null
}

/** Why a key cannot be used: it could not be sent, or not be kept out of the report without spoiling it. */
const unusable = (key: string): string | null => {
  if (/^\$\{?\w+\}?$/.test(key)) return `it looks like a variable that was not expanded; write variables as \${NAME}`
  if (key.length < shortestKey) return `it has fewer than ${shortestKey} characters`
  if (key.length > longestKey) return `it has more than ${longestKey} characters`
  if (!/[a-z]/i.test(key)) return 'it has no letter'
  if (!/^[\x21-\x7e]+$/.test(key))
    return 'it contains a space, a line break or another character that is not allowed in a header'
  const words = `${JSON.stringify([documentOf('reference'), requirements])} ${httpWords}`.toLowerCase()
  return words.includes(key.toLowerCase())
    ? 'it is a word of the contract or of HTTP, and would be redacted everywhere'
    : null
}

/** Asks once with each key, free of charge; a service that answers with anything else than a refusal or a web page is left to the judge. */
export const askKeys = async (profile: TargetProfile, options: KeyCheckOptions = {}): Promise<CheckedKeys> => {
  const { problem, exchanges } = await askAll(profile, options)
  const baseUrl = profile.baseUrl.replace(/\/v1\/*$/, '')
  if (problem?.kind !== 'elsewhere' || baseUrl === profile.baseUrl) return { problem, exchanges }
  const left = options.maxExchanges === undefined ? undefined : Math.max(0, options.maxExchanges - exchanges)
  // The paths of the contract begin with /v1 themselves.
  const { primary } = profile.tenants
  const above = await askAll({ ...profile, baseUrl, tenants: { primary } }, { ...options, maxExchanges: left })
  const isFound = above.hasAnswer && above.problem?.kind !== 'elsewhere'
  return { problem: isFound ? { ...problem, meant: baseUrl } : problem, exchanges: exchanges + above.exchanges }
}

const askAll = async (
  profile: TargetProfile,
  { maxExchanges, client: connect = createClient }: KeyCheckOptions,
): Promise<CheckedKeys & { readonly hasAnswer: boolean }> => {
  const meter = createMeter({ maxExchanges, maxModelCalls: 0, ratePerMinute: profile.budget.ratePerMinute })
  const pseudonyms = createPseudonyms({ secrets: secretsOf(profile) })
  const timeoutMs = Math.min(profile.budget.timeoutMs, longestWaitMs)
  await using client = connect({ profile: { ...profile, budget: { ...profile.budget, timeoutMs } }, pseudonyms, meter })
  let hasAnswer = false
  const send: Client['send'] = async (request) => {
    const exchange = await client.send(request)
    hasAnswer ||= exchange.response !== null
    return exchange
  }
  const problem = await problemAt({ send }, profile).catch((cause: unknown) => {
    if (cause instanceof BudgetExhausted) return null
    throw cause
  })
  return { problem, exchanges: meter.cost().exchanges, hasAnswer }
}

const longestWaitMs = 5_000

const problemAt = async (client: Sender, profile: TargetProfile): Promise<KeyProblem | null> => {
  const refused: TenantName[] = []
  const listed = new Map<TenantName, readonly string[]>()
  let seen = ''
  for (const [tenant] of keysOf(profile)) {
    const exchange = await ask(client, tenant, 'listAssistants')
    if (exchange.response === null) return null
    listed.set(tenant, idsIn(exchange))
    if (!isRefusal(exchange) && !isElsewhere(exchange) && idsIn(exchange).length > 0) continue
    const keys = await ask(client, tenant, 'listMyApiKeys')
    if ((isElsewhere(exchange) && isElsewhere(keys)) || isSameForEveryPath(exchange, keys))
      return { kind: 'elsewhere', tenants: [tenant], seen: pageOf(exchange) }
    // A key that another operation accepts is valid, and the refusal is the service's fault.
    if (!isRefusal(exchange) || !isRefusal(keys)) continue
    refused.push(tenant)
    seen = refusalOf(exchange)
  }
  if (refused.length > 0) return { kind: 'refused', tenants: refused, seen }
  return areSwapped(profile, listed)
    ? { kind: 'swapped', tenants: ['primary', 'secondary'], seen: 'the named assistants belong to the other key' }
    : spareProblem(client, profile)
}

/**
 * The spare key is to be one of the primary tenant: what the two read tells whether it is. Two ids beside a key record that both
 * list are a fault of the service.
 */
const spareProblem = async (client: Sender, { tenants }: TargetProfile): Promise<KeyProblem | null> => {
  if (tenants.spare === undefined) return null
  const [own, other] = [await tenantRecord(client, 'primary'), await tenantRecord(client, 'spare')]
  return own === null || other === null || own.id === other.id || own.keys.some((key) => other.keys.includes(key))
    ? null
    : { kind: 'other-tenant', tenants: ['spare'], seen: 'it reads another tenant record than the primary key' }
}

/** The ids of a tenant and of its key records. */
interface TenantIds {
  readonly id: string
  readonly keys: readonly string[]
}

const tenantRecord = async (client: Sender, tenant: TenantName): Promise<TenantIds | null> => {
  const record = answerJson(await ask(client, tenant, 'listMyApiKeys'))
  const id = idField(record, 'id')
  const keys = fieldOf(record, 'api_keys')
  return id === null ? null : { id, keys: Array.isArray(keys) ? keys.flatMap((key) => idField(key, 'id') ?? []) : [] }
}

const paths = { listAssistants: '/v1/assistants', listMyApiKeys: '/v1/tenants/my-api-keys' } as const

const ask = (client: Sender, credential: TenantName, operation: keyof typeof paths): Promise<Exchange> =>
  client.send({ method: 'GET', path: paths[operation], credential, operation, intent: null, retry: 'none' })

/** Whether the answer is one that any web server gives for a path that it does not know, or for every path. */
const isElsewhere = ({ response }: Pick<Exchange, 'response'>): boolean =>
  response !== null && (response.status === 404 || isRedirect(response) || isWebPage(response))

/** JSON of the wrong type is for the judge. */
const isWebPage = (response: Answer): boolean =>
  /^text\/html/i.test(headerIn(response.headers, 'content-type') ?? '') && answerJson({ response }) === undefined

/** A success that is the same for two resources comes from something that does not look at the path. */
const isSameForEveryPath = (one: Exchange, other: Exchange): boolean => {
  const [first, second] = [one, other].map(({ response, ending }) =>
    response !== null && response.status < 300 && ending === 'complete' ? textOfPieces(response.pieces) : null,
  )
  return first !== null && first === second
}

type Answer = NonNullable<Exchange['response']>

const pageOf = ({ response }: Exchange): string => {
  const page =
    response === null || response.status === 404
      ? '404'
      : isRedirect(response)
        ? `${response.status}, a redirect to ${originOf(headerIn(response.headers, 'location') ?? '')}`
        : `${response.status} and ${isElsewhere({ response }) ? 'a web page' : 'the same content'}`
  return `GET ${paths.listAssistants} and GET ${paths.listMyApiKeys} both return ${page}`
}

/** Without its path, which may hold a token. */
const originOf = (location: string): string => (URL.canParse(location) ? new URL(location).origin : 'another path')

const isRefusal = (exchange: Exchange): boolean => {
  const status = exchange.response?.status
  return status === 401 || status === 403 || errorCodeOf(exchange) === 'unauthorized'
}

const refusalOf = (exchange: Exchange): string => {
  const code = errorCodeOf(exchange)
  return code !== null && /^[\w.-]{1,40}$/.test(code)
    ? `${exchange.response?.status} ${code}`
    : `status ${exchange.response?.status}`
}

const idsIn = (exchange: Exchange): readonly string[] => {
  const list = answerJson(exchange)
  return Array.isArray(list) ? list.map((record: unknown) => String(fieldOf(record, 'id') ?? '').toLowerCase()) : []
}

/** Assistants that the profile says belong to the primary tenant. */
const namedAssistants = ({ tools, assistants, threads }: TargetProfile): readonly string[] => {
  const bound =
    threads?.kind === 'static'
      ? threads.threads.flatMap(({ tenant, assistant_id }) => (tenant === 'primary' ? [assistant_id ?? ''] : []))
      : []
  const names = [tools?.assistant_id ?? '', ...Object.keys(assistants), ...bound]
  return names.filter((name) => name !== '' && name !== '*').map((name) => name.toLowerCase())
}

/** Only when the primary key sees none of the named assistants, and the secondary key sees all of them. */
const areSwapped = (profile: TargetProfile, listed: ReadonlyMap<TenantName, readonly string[]>): boolean => {
  const named = namedAssistants(profile)
  const [own, other] = [listed.get('primary') ?? [], listed.get('secondary') ?? []]
  return named.length > 0 && named.every((id) => !own.includes(id) && other.includes(id))
}
