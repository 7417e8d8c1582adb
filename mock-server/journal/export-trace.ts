/**
 * The journal in the suite's trace format (acs-trace/1, NDJSON), so that `acs judge` can judge recorded traffic. The
 * format is written here on its own: the mock and the suite share data, never functions.
 */
import { conformanceLevels, contractDigest, digestOf, operations, version } from '../../spec/index.ts'
import type { ClientOutcome } from '../exchange/in-flight-request.ts'
import { mainWorldName } from '../http/world-name.ts'
import type { ResolvedScenario } from '../scenario/resolved-scenario.ts'
import { injectedDamage, traceOmissions } from './injected-damage.ts'
import type { JournalEntry } from './journal-entry.ts'
import { bodyPieces, headerLines, jsonBytes, requestBody } from './journal-view.ts'
import { pseudonymOf, type Redaction } from './redaction.ts'

/** The context of an export beside the entries. */
export interface ExportContext {
  readonly cast: ResolvedScenario
  readonly seed: number
  readonly redaction: Redaction
}

/**
 * The entries as a whole trace: header, exchanges in the order of sending, footer. What injected faults did is left out,
 * and counted in the header.
 */
export function exportTrace(entries: readonly JournalEntry[], context: ExportContext): string {
  const sorted = entries
    .filter((entry) => injectedDamage(entry) !== 'refused')
    .sort((left, right) => left.startedAtUs - right.startedAtUs || left.number - right.number)
  const originUs = sorted[0]?.startedAtUs ?? 0
  const baseUrl = sorted[0] === undefined ? 'http://acs.mock' : baseOf(sorted[0])
  const profile = profileOf(baseUrl, context.cast)
  const exchanges = sorted.map((entry) => exchangeOf(entry, originUs, context))
  const header = {
    kind: 'header',
    format: 'acs-trace/1',
    suiteVersion: version,
    contractDigest: contractDigest(),
    profileDigest: digestOf({ ...profile, tenants: Object.keys(profile.tenants) }),
    profile,
    seed: context.seed,
    startedAt: new Date(originUs / 1000).toISOString(),
    target: baseUrl,
    source: 'proxy',
    leftOut: traceOmissions(entries),
  }
  const footer = {
    kind: 'footer',
    exchanges: exchanges.length,
    modelCalls: sorted.filter(({ operation }) => operation !== null && operations[operation].callsModel).length,
    durationMs: Math.max(0, ...exchanges.map(({ endedAtMs }) => endedAtMs)),
    complete: true,
  }
  return [header, ...exchanges, footer].map((record) => `${JSON.stringify(record)}\n`).join('')
}

/** The base URL of its world, as in the answers: also for a request that named the world elsewhere. */
function baseOf({ origin, world }: JournalEntry): string {
  return world === mainWorldName ? origin : `${origin}/w/${world}`
}

/** The request's URL below that; a suite or a recording looks at the rest only. */
function urlOf(entry: JournalEntry): string {
  const { target, world } = entry
  const prefix = `/w/${world}/`
  return baseOf(entry) + (target.startsWith(prefix) ? target.slice(prefix.length - 1) : target)
}

const endings: Readonly<Record<ClientOutcome, string>> = {
  'read-all': 'complete',
  left: 'aborted',
  'broken-off': 'cut',
  pending: 'cut',
}

function exchangeOf(entry: JournalEntry, originUs: number, { cast, redaction }: ExportContext) {
  const msOf = (tickUs: number) => Math.max(0, (tickUs - originUs) / 1000)
  const lastUs = Math.max(entry.endedAtUs, ...entry.chunkTimesUs)
  const response = injectedDamage(entry) === 'damaged' ? null : entry.response
  const ending = endings[entry.outcome]
  const body = requestBody(entry, redaction)
  const pieces = bodyPieces(entry, redaction).map((bytes, index) => ({
    atMs: msOf(entry.chunkTimesUs[index] ?? lastUs),
    bytes: jsonBytes(bytes),
  }))
  const headAtUs = entry.chunkTimesUs.length > 0 ? entry.startedAtUs : lastUs
  return {
    kind: 'exchange',
    id: `E${entry.number}`,
    credential: credentialOf(entry.tenant, cast),
    sentAtMs: msOf(entry.startedAtUs),
    endedAtMs: msOf(lastUs),
    request: {
      method: entry.method,
      url: redaction.text(urlOf(entry)),
      headers: headerLines(entry.headers, redaction),
      body: body === null ? null : jsonBytes(body),
    },
    response:
      response === null
        ? null
        : {
            status: response.status,
            headers: headerLines(response.headers, redaction),
            headAtMs: msOf(headAtUs),
            pieces,
          },
    ending: response === null && ending === 'complete' ? 'cut' : ending,
    intent: null,
  }
}

const profileNames = ['primary', 'secondary', 'throttled'] as const
type ProfileName = (typeof profileNames)[number]

/** Names that a target profile knows: the scenario's own where they are these, else by its order. */
function tenantsByProfileName({
  tenants,
}: ResolvedScenario): ReadonlyMap<ProfileName, ResolvedScenario['tenants'][number]> {
  const named = tenants.some(({ name }) => name === 'primary')
  return new Map(
    profileNames.flatMap((name, index) => {
      const tenant = named ? tenants.find((one) => one.name === name) : tenants[index]
      return tenant === undefined ? [] : [[name, tenant] as const]
    }),
  )
}

function credentialOf(tenant: string | null, cast: ResolvedScenario): ProfileName | null {
  for (const [name, { name: own }] of tenantsByProfileName(cast)) if (own === tenant) return name
  return null
}

/** The access of a suite to this mock, as far as an oracle needs it. */
function profileOf(baseUrl: string, cast: ResolvedScenario) {
  const keys = [...tenantsByProfileName(cast)].map(([name, { apiKeys }]) => [
    name,
    { key: pseudonymOf(apiKeys[0]?.value ?? '') },
  ])
  return {
    baseUrl,
    tenants: Object.fromEntries(keys) as Readonly<Record<string, { readonly key: string }>>,
    claims: conformanceLevels,
    threads: {
      kind: 'http',
      method: 'POST',
      path: '/v1/threads',
      body: { assistant_id: '{{assistant_id}}' },
      pointer: '/id',
    },
    runBody: { assistant_id: '{{assistant_id}}' },
    assistants: {},
    tools: { callIds: '/tool_calls/*/id', resultField: 'tool_call_id' },
    throttle: null,
    provoke: {},
    declares: {},
    budget: { timeoutMs: 30_000, maxBodyBytes: 33_554_432 },
  }
}
