/**
 * Reads HAR 1.2 as existing tools write it: fields may be missing, numbers negative, bodies left out. The fields that an
 * exchange needs must be there; an error names the JSON pointer.
 */
import { Buffer } from 'node:buffer'
import type { Ending, HeaderLines } from '../../trace/exchange.ts'
import { withoutByteOrderMark } from '../../trace/json-depth.ts'

export interface HarContent {
  readonly text: string
  readonly encoding: string | null
}

export interface HarEntry {
  /** Milliseconds since 1970, with the digits that the recording has. */
  readonly startedAtMs: number
  /** The exchange may have begun later by less than this: a clock is truncated to the last written digit. */
  readonly precisionMs: number
  readonly timeMs: number
  readonly receiveMs: number
  readonly method: string
  readonly url: string
  readonly headers: HeaderLines
  readonly body: Uint8Array | null
  readonly response: { readonly status: number; readonly headers: HeaderLines; readonly content: HarContent } | null
  /** The answer had a body that the recorder did not keep. */
  readonly isBodyMissing: boolean
  /** How many bytes of the sent body the recorder left out. */
  readonly omittedRequestBytes: number
  readonly failure: string | null
  /** How the exchange ended, when the recorder says so. */
  readonly ending: Ending | null
}

/** The error for a file that is not a HAR, or that cannot be judged. */
export class HarError extends Error {
  override readonly name = 'HarError'
  readonly code = 'broken-har'
  /** JSON pointer of the wrong value. */
  readonly pointer: string
  constructor(pointer: string, reason: string, options?: ErrorOptions) {
    super(pointer === '' ? reason : `${pointer} ${reason}`, options)
    this.pointer = pointer
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

const textAt = (value: unknown, name: string, pointer: string): string => {
  const found = field(value, name)
  if (typeof found !== 'string') throw new HarError(`${pointer}/${name}`, 'is not a string')
  return found
}

const positive = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0

const headersAt = (value: unknown, pointer: string): HeaderLines => {
  const list = field(value, 'headers')
  if (!Array.isArray(list)) throw new HarError(`${pointer}/headers`, 'is not a list')
  return list
    .map((item, index): readonly [string, string] => {
      const place = `${pointer}/headers/${index}`
      return [textAt(item, 'name', place), textAt(item, 'value', place)]
    })
    .filter(([name]) => !name.startsWith(':'))
}

const requestBody = (request: unknown): Uint8Array | null => {
  const post = field(request, 'postData')
  const text = field(post, 'text')
  if (typeof text !== 'string') return null
  return Buffer.from(text, field(post, 'encoding') === 'base64' ? 'base64' : 'utf8')
}

/** The comment of `acs report --format har` on a body that its report holds in part. */
const omittedBytes = (body: unknown): number => positive(field(field(body, '_acs'), 'omittedBytes'))

const endings: readonly Ending[] = ['complete', 'cut', 'timed-out', 'unreachable', 'aborted', 'capped']

const readResponse = (
  entry: unknown,
  pointer: string,
): Pick<HarEntry, 'response' | 'isBodyMissing' | 'failure' | 'ending'> => {
  const response = field(entry, 'response')
  const status = field(response, 'status')
  const failure = field(response, '_error') ?? field(entry, '_error')
  const told = field(entry, '_acs')
  const reason = failure ?? field(told, 'failure')
  const said = typeof reason === 'string' ? reason : null
  const ending = endings.find((known) => known === field(told, 'ending')) ?? null
  if (typeof status !== 'number') throw new HarError(`${pointer}/response/status`, 'is not a number')
  if (status <= 0) return { response: null, isBodyMissing: false, failure: said, ending }
  const content = field(response, 'content')
  const text = field(content, 'text')
  const encoding = field(content, 'encoding')
  return {
    response: {
      status,
      headers: headersAt(response, `${pointer}/response`),
      content: {
        text: typeof text === 'string' ? text : '',
        encoding: typeof encoding === 'string' ? encoding : null,
      },
    },
    isBodyMissing: omittedBytes(content) > 0 || (typeof text !== 'string' && positive(field(content, 'size')) > 0),
    failure: said,
    ending,
  }
}

/** A moment and how exactly it is written. `Date` itself drops digits after the milliseconds. */
const readMoment = (text: string): Pick<HarEntry, 'startedAtMs' | 'precisionMs'> => {
  const digits = /:\d{2}[.,](\d+)/.exec(text)?.[1] ?? ''
  const behind = digits.length > 3 ? Number(`0.${digits.slice(3)}`) : 0
  return { startedAtMs: Date.parse(text) + behind, precisionMs: 10 ** (3 - digits.length) }
}

const readEntry = (entry: unknown, pointer: string): HarEntry => {
  const request = field(entry, 'request')
  const moment = readMoment(textAt(entry, 'startedDateTime', pointer))
  if (Number.isNaN(moment.startedAtMs)) throw new HarError(`${pointer}/startedDateTime`, 'is not a date')
  const url = textAt(request, 'url', `${pointer}/request`)
  if (!URL.canParse(url)) throw new HarError(`${pointer}/request/url`, 'is not a URL')
  return {
    ...moment,
    timeMs: positive(field(entry, 'time')),
    receiveMs: positive(field(field(entry, 'timings'), 'receive')),
    method: textAt(request, 'method', `${pointer}/request`),
    url: url.replace(/#.*$/s, ''),
    headers: headersAt(request, `${pointer}/request`),
    body: requestBody(request),
    omittedRequestBytes: omittedBytes(field(request, 'postData')),
    ...readResponse(entry, pointer),
  }
}

/** A value that is not an address is kept, so that the error names its place. */
const isHttp = (url: unknown): boolean => typeof url !== 'string' || !/^(?:data:|blob:|ws)/.test(url)

/** The entries that are HTTP, in the order of the file. Throws HarError. */
export const readHar = (text: string): readonly HarEntry[] => {
  let har: unknown
  try {
    har = JSON.parse(withoutByteOrderMark(text))
  } catch (cause) {
    throw new HarError('', `not JSON (${cause instanceof Error ? cause.message : String(cause)})`, { cause })
  }
  const entries = field(field(har, 'log'), 'entries')
  if (!Array.isArray(entries)) throw new HarError('/log/entries', 'is not a list: this is no HAR')
  return entries
    .map((entry, index) => ({ entry, pointer: `/log/entries/${index}` }))
    .filter(({ entry }) => isHttp(field(field(entry, 'request'), 'url')))
    .map(({ entry, pointer }) => readEntry(entry, pointer))
}
