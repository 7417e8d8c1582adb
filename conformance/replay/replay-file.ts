/**
 * Turns a counterexample into a file that can be sent again. It holds the requests of the counterexample, with named
 * references instead of all values that the target produced, so that a replay gets its own threads, cursors and ids. It is
 * cut from the trace and costs no request.
 */
import type { OperationId } from '../../spec/index.ts'
import { extraHeaders } from '../client/destination.ts'
import { valuesAt } from '../judge/read/json.ts'
import type { Verdict } from '../judge/verdict.ts'
import { readAnswer } from '../probe-runtime/probe-response.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import type { Bytes, Ending, Exchange, HeaderLines, Trace } from '../trace/exchange.ts'
import { isHeaderNamed } from '../trace/headers.ts'
import {
  type CapturedValue,
  capturedValuesOf,
  mentions,
  operationOf,
  requestText,
  wholeText,
} from './captured-values.ts'
import { isLasting, sliceOf } from './replay-slice.ts'

export interface ReplayStep {
  /** The exchange in the trace that this step repeats. */
  readonly exchange: string
  readonly shows: string
  /** Whether it was under way together with the step before. */
  readonly together: boolean
  /** The profile's name of the key; `null` for none; `{raw}` for a made-up one. */
  readonly credential: string | null | { readonly raw: string }
  readonly operation: OperationId | null
  readonly method: string
  /** Path and query below the base URL, or an absolute URL; `{{name}}` is a reference. */
  readonly path: string
  readonly headers: HeaderLines
  readonly body: Bytes | null
  /** Written over a bare socket. */
  readonly raw: boolean
  /** The values of its answer for later steps. */
  readonly gives: readonly { readonly name: string; readonly pointer: string; readonly line: number | null }[]
  readonly observed: { readonly status: number | null; readonly ending: Ending }
  /** The step is sent again, for a while, until its answer says so: a file is processed at its own pace. */
  readonly until?: ReplayGoal | undefined
}

/** A value in a JSON answer. */
interface ReplayGoal {
  /** JSON pointer. */
  readonly pointer: string
  readonly value: string | boolean
}

export interface ReplayFile {
  readonly format: 'acs-replay/1'
  readonly suiteVersion: string
  readonly contractDigest: string
  readonly profileDigest: string
  readonly seed: number
  readonly requirement: string
  readonly operation: OperationId
  readonly facet: string | null
  readonly contradiction: string
  readonly steps: readonly ReplayStep[]
}

/** The options of a replay file. */
interface ReplayFileOptions {
  /** Also the earlier requests about the same threads, files and other ids; default only what the violation is told by. */
  readonly history?: boolean | undefined
}

/**
 * The replay file of a violated verdict; `null` when the trace lacks an exchange of its witness, or a part of one, and
 * when it takes the pauses of the run to show.
 */
export function replayFileOf(
  verdict: Verdict,
  trace: Trace,
  { history = false }: ReplayFileOptions = {},
): ReplayFile | null {
  if (verdict.witness?.timed === true) return null
  const { header } = trace
  const slice = sliceOf(verdict, trace, history)
  // A truncated body cannot be sent again.
  if (slice === null || slice.some(({ request }) => (request.omittedBytes ?? 0) > 0)) return null
  const shown = new Map(verdict.witness?.steps.map(({ exchange, shows }) => [exchange, shows]))
  const baseUrl = header.target.replace(/\/+$/, '')
  const names = namesFor(slice)
  const extra = new Set(extraHeaders((header.profile as Partial<TargetProfile>).transport).map(([name]) => name))
  return {
    format: 'acs-replay/1',
    suiteVersion: header.suiteVersion,
    contractDigest: header.contractDigest,
    profileDigest: header.profileDigest,
    seed: header.seed,
    requirement: verdict.requirement,
    operation: verdict.operation,
    facet: verdict.facet,
    contradiction: verdict.witness?.contradiction ?? `${verdict.expected ?? ''}; ${verdict.actual ?? ''}`,
    steps: slice.map((exchange, index) => {
      const earlier = names.filter(({ producer }) => slice.indexOf(producer) < index)
      const before = slice[index - 1]
      return {
        exchange: exchange.id,
        shows: shown.get(exchange.id) ?? 'prepares',
        // A violation of simultaneous requests is shown without its history.
        together: !history && before !== undefined && exchange.sentAtMs < before.endedAtMs,
        ...requestOf(exchange, earlier, { baseUrl, extra }),
        gives: names
          .filter(({ producer }) => producer === exchange)
          .map(({ name, pointer, line }) => ({ name, pointer, line })),
        observed: { status: exchange.response?.status ?? null, ending: exchange.ending },
        ...goalOf(exchange, header.profile as Partial<TargetProfile>),
      }
    }),
  }
}

/** A status that says that the file is complete is waited for; any other one may be what is wrong. */
function goalOf(exchange: Exchange, { files }: Partial<TargetProfile>): Pick<ReplayStep, 'until'> {
  const status = files?.status
  if (status === undefined || status === null || operationOf(exchange) !== 'getFileStatus') return {}
  const [value] = valuesAt(readAnswer(exchange).json, status.pointer)
  const complete = status.complete.find((one) => one === value)
  return complete === undefined ? {} : { until: { pointer: status.pointer, value: complete } }
}

interface Named extends CapturedValue {
  readonly name: string
  readonly producer: Exchange
}

/** Names for what one step gives and a later one uses: `thread_id_1`, `cursor_2`. */
function namesFor(slice: readonly Exchange[]): readonly Named[] {
  const named: Named[] = []
  const taken = new Set<string>()
  for (const [index, producer] of slice.entries()) {
    const later = slice.slice(index + 1).map(requestText)
    if (isLasting(producer)) continue
    for (const product of capturedValuesOf(producer)) {
      if (taken.has(product.value) || !later.some((text) => mentions(text, product.value))) continue
      taken.add(product.value)
      const field = product.pointer.split('/').findLast((segment) => /^[a-z_]+$/i.test(segment)) ?? 'value'
      named.push({ ...product, producer, name: `${field}_${named.length + 1}` })
    }
  }
  return named
}

/** Headers that the client writes itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'user-agent',
  'accept',
  'accept-encoding',
  'accept-language',
  'traceparent',
  'content-length',
  'api-key',
])

function requestOf(
  exchange: Exchange,
  names: readonly Named[],
  { baseUrl, extra }: { readonly baseUrl: string; readonly extra: ReadonlySet<string> },
): Pick<ReplayStep, 'credential' | 'operation' | 'method' | 'path' | 'headers' | 'body' | 'raw'> {
  const { request, credential } = exchange
  const key = request.headers.find(([name]) => isHeaderNamed(name, 'api-key'))
  // A URL that the target gave out is one reference, regardless of its parts.
  const url = withReferences(request.url, names)
  const { body } = request
  return {
    credential: credential ?? (key === undefined ? null : { raw: key[1] }),
    operation: operationOf(exchange),
    method: request.method,
    path: url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url,
    headers: request.headers.filter(([name]) => !ownHeaders.has(name) && !extra.has(name)),
    body: body !== null && 'utf8' in body ? { utf8: withReferences(body.utf8, names) } : body,
    raw: request.headers.some(([name, value]) => name === 'connection' && value === 'close'),
  }
}

function withReferences(text: string, names: readonly Named[]): string {
  if (names.length === 0) return text
  const byValue = new Map(
    names.flatMap(({ name, value }) => [value, encodeURIComponent(value)].map((one) => [one, name])),
  )
  return text.replaceAll(wholeText(names.map(({ value }) => value)), (found) => `{{${byValue.get(found)}}}`)
}
