/**
 * Sends a replay file's steps again and records them as a trace, which is judged like any other. References are filled
 * from the answers of this replay, so the target's state before it does not matter.
 */

import { type Client, createClient } from '../client/client.ts'
import { BudgetExhausted, createMeter } from '../client/meter.ts'
import type { ClientOptions, Credential } from '../client/send-request.ts'
import { ClientClosed } from '../client/session.ts'
import { urlComponent } from '../client/target-url.ts'
import { newTraceparent } from '../client/traceparent.ts'
import { UnsendableRequest } from '../client/unsendable.ts'
import { valuesAt } from '../judge/read/json.ts'
import { fillTemplate } from '../preflight/template.ts'
import { readAnswer } from '../probe-runtime/probe-response.ts'
import { secretsOf } from '../profile/redact-profile.ts'
import type { TargetProfile, TenantName } from '../profile/target-profile.ts'
import { traceHeader } from '../profile/trace-header.ts'
import { createPseudonyms } from '../pseudonyms/pseudonyms.ts'
import { bytesOf } from '../trace/bytes.ts'
import type { Exchange, HeaderLines, Trace } from '../trace/exchange.ts'
import { headerIn, isHeaderNamed } from '../trace/headers.ts'
import type { ReplayFile, ReplayStep } from './replay-file.ts'

export interface ReplayOptions {
  readonly maxExchanges?: number | undefined
  readonly maxModelCalls?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Another way to carry requests; default HTTP. */
  readonly client?: ((options: ClientOptions) => Client) | undefined
}

/** Replays the steps once, in their order; a spent budget or an interruption leaves an incomplete trace. */
export async function replay(file: ReplayFile, profile: TargetProfile, options: ReplayOptions = {}): Promise<Trace> {
  const pseudonyms = createPseudonyms({ secrets: secretsOf(profile) })
  const meter = createMeter({ ...options, ratePerMinute: profile.budget.ratePerMinute })
  const exchanges: Exchange[] = []
  const header = traceHeader(profile, pseudonyms, file.seed)
  const startedAtMs = performance.now()
  const onExchange = (exchange: Exchange): void => void exchanges.push(exchange)
  const client = (options.client ?? createClient)({
    profile,
    pseudonyms,
    meter,
    onExchange,
    traceparent: profile.transport?.traceparent === false ? undefined : newTraceparent,
  })
  const close = (): void => void client.close()
  options.signal?.addEventListener('abort', close)
  const reason = await playSteps(file.steps, client, profile).catch(reasonOf)
  options.signal?.removeEventListener('abort', close)
  await client.close()
  const footer = {
    kind: 'footer',
    exchanges: exchanges.length,
    modelCalls: meter.cost().modelCalls,
    durationMs: Math.round(performance.now() - startedAtMs),
  } as const
  const ending = reason === null ? { complete: true } : { complete: false, reason }
  exchanges.sort((left, right) => Number(left.id.slice(1)) - Number(right.id.slice(1)))
  return { header, exchanges, notes: [], footer: { ...footer, ...ending } }
}

/** Steps that overlapped in the trace are sent together again. */
async function playSteps(steps: readonly ReplayStep[], client: Client, profile: TargetProfile): Promise<null> {
  const values: Record<string, string> = {}
  let under: Promise<void>[] = []
  for (const step of steps) {
    if (!step.together) {
      await Promise.all(under)
      under = []
    }
    under.push(playStep(step, client, profile, values))
  }
  await Promise.all(under)
  return null
}

async function playStep(
  step: ReplayStep,
  client: Client,
  profile: TargetProfile,
  values: Record<string, string>,
): Promise<void> {
  const request = requestOf(step, profile, values)
  let answer = readAnswer(await (step.raw ? client.sendRaw : client.send)(request))
  for (let asked = 1; !isReached(step, answer.json) && asked < mostAsked; asked += 1) {
    await client.pause(pauseMs)
    answer = readAnswer(await client.send(request))
  }
  for (const { name, pointer, line } of step.gives) {
    const [value] = valuesAt(line === null ? answer.json : answer.lines[line], pointer)
    if (typeof value === 'string') values[name] = value
  }
}

/** The most status requests, and the pause between them, ms. */
const [mostAsked, pauseMs] = [20, 250]

function isReached({ until }: ReplayStep, json: unknown): boolean {
  return until === undefined || valuesAt(json, until.pointer)[0] === until.value
}

function requestOf(step: ReplayStep, profile: TargetProfile, values: Readonly<Record<string, string>>) {
  const { body, operation } = step
  return {
    method: step.method,
    path: filledPath(step.path, values),
    credential: credentialOf(step, profile),
    operation,
    intent: { probe: 'replay', operation, purpose: `repeats ${step.exchange}`, expects: 'either' } as const,
    headers: withKey(step, profile),
    leaveOut: leftOut(step),
    body: body === null ? null : 'utf8' in body ? String(fillTemplate(body.utf8, values)) : bytesOf(body),
    retry: 'none',
  } as const
}

/** Values go into a path encoded; a step that is nothing but a reference is a whole URL. */
function filledPath(path: string, values: Readonly<Record<string, string>>): string {
  const [, whole] = /^\{\{(\w+)\}\}$/.exec(path) ?? []
  if (whole !== undefined) return values[whole] ?? path
  const used = Object.entries(values).filter(([name]) => path.includes(`{{${name}}}`))
  const encoded = used.map(([name, value]) => [name, urlComponent(name, value)])
  return String(fillTemplate(path, Object.fromEntries(encoded)))
}

function credentialOf({ credential }: ReplayStep, profile: TargetProfile): Credential {
  if (credential === null || typeof credential === 'object') return credential
  return credential in profile.tenants ? (credential as TenantName) : { raw: credential }
}

/** Where the name of the key's header was written in another way, the key stands there and not in the usual place. */
function withKey({ headers, credential }: ReplayStep, profile: TargetProfile): HeaderLines {
  const key = typeof credential === 'string' ? profile.tenants[credential as TenantName]?.key : undefined
  return headers.map(([name, value]) => [name, isKeyHeader(name) && key !== undefined ? key : value])
}

function leftOut({ headers }: ReplayStep): readonly string[] {
  return [
    ...(headerIn(headers, 'content-type') !== undefined ? [] : ['content-type']),
    ...(headers.some(([name]) => isKeyHeader(name)) ? ['api-key'] : []),
  ]
}

function isKeyHeader(name: string): boolean {
  return isHeaderNamed(name, 'api-key')
}

function reasonOf(error: unknown): string {
  if (error instanceof BudgetExhausted) return 'budget'
  if (error instanceof ClientClosed) return 'interrupted'
  if (error instanceof UnsendableRequest || error instanceof RangeError)
    return `a step cannot be sent: ${error.message}`
  throw error
}
