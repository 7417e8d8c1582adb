/** The suite behind a real gateway comes to the verdicts that it has without one. */
import { expect, test } from 'vitest'
import { referenceProfile } from '../../cli/reference-profile.ts'
import { type Judgement, judge, type RunOptions, type TargetProfile, type Trace } from '../../conformance/index.ts'
import { createMock } from '../../mock-server/index.ts'
import { traceOfRun } from '../recorded-run.ts'
import { startAtrium } from '../servers/atrium/index.ts'
import { startBasalt } from '../servers/basalt/index.ts'
import { hasNginx, type NginxOptions, startNginx } from '../support/nginx.ts'
import { sampleOf } from '../support/samples.ts'

const tls = (name: string): string => new URL(`../fixtures/tls/${name}`, import.meta.url).pathname
const secure = { cert: tls('server.pem'), key: tls('server.key') }
const types =
  'gzip_types application/json application/x-ndjson application/ndjson; gzip_min_length 1; gzip_proxied any;'

interface Served {
  readonly profile: TargetProfile
  readonly close: () => Promise<void>
}

const startMock = async (): Promise<Served> => {
  const mock = await createMock({ seed: 5 })
  const listener = await mock.listen({ port: 0, host: '127.0.0.1' })
  const close = async (): Promise<void> => {
    await listener.close()
    await mock.close()
  }
  return { profile: referenceProfile(listener.url), close }
}

const servers: Readonly<Record<string, () => Promise<Served>>> = {
  mock: startMock,
  atrium: startAtrium,
  basalt: startBasalt,
}

type TransportProfile = NonNullable<TargetProfile['transport']>

interface Run {
  readonly trace: Trace
  readonly judgement: Judgement
}

const examined = async (profile: TargetProfile, options: RunOptions = {}): Promise<Run> => {
  const trace = await traceOfRun(profile, { tier: 'gate', seed: 3, concurrency: 8, ...options })
  return { trace, judgement: judge(trace, { strict: true }) }
}

const behindNginx = async (
  name: string,
  options: Omit<NginxOptions, 'upstream'>,
  change: Partial<TargetProfile> = {},
): Promise<Run> => {
  const { profile, close } = await (servers[name] ?? startMock)()
  const nginx = await startNginx({ upstream: profile.baseUrl, ...options })
  const path = new URL(profile.baseUrl).pathname.replace(/\/$/, '')
  return examined({ ...profile, baseUrl: nginx.url + path, ...change }).finally(async () => {
    await nginx.close()
    await close()
  })
}

const outcomes = ({ judgement }: Run): Readonly<Record<string, string>> =>
  Object.fromEntries(
    judgement.verdicts.map((one) => [`${one.requirement} ${one.operation} ${one.facet ?? ''}`, one.outcome]),
  )

const plain = new Map<string, Promise<Run>>()
const withoutGateway = (name: string): Promise<Run> => {
  const known = plain.get(name)
  const run =
    known ??
    (async () => {
      const { profile, close } = await (servers[name] ?? startMock)()
      return examined(profile).finally(close)
    })()
  plain.set(name, run)
  return run
}

/** Obligations with another verdict than without the gateway. */
const differences = async (name: string, run: Run): Promise<readonly string[]> => {
  const before = outcomes(await withoutGateway(name))
  return Object.entries(outcomes(run)).flatMap(([key, outcome]) =>
    before[key] === outcome || dependsOnTime(key) ? [] : [`${key}: ${before[key]} → ${outcome}`],
  )
}

/** A gateway that buffers a stream takes its pace from it, and a busy machine does so now and then; nobody is failed for it. */
const dependsOnTime = (key: string): boolean => key.startsWith('streams.progressive ')

interface Gateway {
  readonly server: string
  readonly name: string
  readonly options: Omit<NginxOptions, 'upstream'>
  readonly transport?: TransportProfile
}

const gateways: readonly Gateway[] = [
  { server: 'mock', name: 'buffering on', options: { location: 'proxy_buffering on;' } },
  {
    server: 'mock',
    name: 'TLS, HTTP/2, gzip, buffering off',
    options: { location: `proxy_buffering off; gzip on; ${types}`, tls: secure },
  },
  {
    server: 'mock',
    name: 'TLS, HTTP/1.1, gzip, buffering on, client certificate',
    options: { location: `gzip on; ${types}`, tls: { ...secure, clientCa: tls('ca.pem') } },
    transport: { http2: false, clientCert: tls('client.pem'), clientKey: tls('client.key') },
  },
  {
    server: 'atrium',
    name: 'TLS, HTTP/2, gzip, buffering on',
    options: { location: `gzip on; ${types}`, tls: secure },
  },
  { server: 'basalt', name: 'TLS, HTTP/2, buffering off', options: { location: 'proxy_buffering off;', tls: secure } },
]

const violated = ({ judgement }: Run) =>
  judgement.verdicts.filter(({ outcome, requirement }) => outcome === 'violated' && !dependsOnTime(`${requirement} `))

test.skipIf(!hasNginx).each(sampleOf('gateways of nginx', gateways))(
  '$server behind nginx with $name',
  async ({ server, options, transport }) => {
    const trust = options.tls === undefined ? {} : { ca: tls('ca.pem') }
    const run = await behindNginx(server, options, { transport: { ...trust, ...transport } })
    expect(violated(run)).toEqual([])
    expect(await differences(server, run)).toEqual([])
    expect(run.judgement).toMatchObject({ outcome: 'conformant' })
  },
)

const rateLimits = [
  ['with', 'add_header Retry-After 1 always;', 60],
  ['without', '', 10],
] as const

test.skipIf(!hasNginx).each(sampleOf('rate limits of nginx', rateLimits))(
  'a gateway with a rate limit %s Retry-After makes no difference',
  async (_, header, burst) => {
    const http = 'limit_req_zone $http_api_key zone=keys:1m rate=3000r/m;'
    const location = `limit_req zone=keys burst=${burst} nodelay; limit_req_status 429; ${header}`
    const run = await behindNginx('mock', { http, location })
    expect(run.trace.exchanges.some(({ response }) => response?.status === 429)).toBe(true)
    expect(violated(run)).toEqual([])
    // The gateway refuses the burst of a throttled key before the service can show its own limit, and its code.
    const about = await differences('mock', run)
    expect(about.filter((text) => !/^errors\.(code-)?rate-limit/.test(text))).toEqual([])
    expect(run.judgement).toMatchObject({ outcome: 'conformant' })
  },
)
