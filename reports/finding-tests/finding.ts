/**
 * A finding as the input of a test: its steps, and the assertions on their answers. Values are named by their place in
 * answers, since ids are different each time.
 */
import type { ReplayFile, ReplayStep, Verdict } from '../../conformance/index.ts'
import { bodyBuffer, utf8Of } from '../body-text.ts'
import type { ReportedExchange } from '../report.ts'

/** A list of JSON values; pointers are those of verdicts, with `*` for each element and `line *` for each line. */
export type Values =
  | { readonly kind: 'at'; readonly pointer: string; readonly of: readonly string[] }
  /** The error code of an answer, or `accepted`, or `status 500`. */
  | { readonly kind: 'outcome'; readonly of: readonly string[] }
  /** The strings at a pointer as one string. */
  | { readonly kind: 'joined'; readonly pointer: string; readonly of: readonly string[] }
  /** A field of the object in a list whose id is given. */
  | { readonly kind: 'field'; readonly field: string; readonly list: Values; readonly id: Values }
  | { readonly kind: 'json'; readonly values: readonly unknown[] }

/** The values at a pointer of some answers. */
export const at = (pointer: string, ...of: readonly string[]): Values => ({ kind: 'at', pointer, of })

/** The pointer to the ids of a page of messages. */
export const itemIds = '/items/*/id'

/** One assertion; each is a helper function in every language. */
export type Check =
  | { readonly check: 'equal' | 'contains' | 'lacks' | 'inOrder'; readonly values: Values; readonly others: Values }
  | { readonly check: 'distinct' | 'same' | 'ascending' | 'descending'; readonly values: Values }
  | { readonly check: 'atMost' | 'atLeast'; readonly values: Values; readonly count: number }
  /** `is` wants at least one value, `each` takes none as well. */
  | { readonly check: 'is' | 'each'; readonly values: Values; readonly kind: ValueKind }

/** The possible conditions on a value. */
export type ValueKind =
  | 'string'
  | 'text'
  | 'array'
  | 'list'
  | 'strings'
  | 'object'
  | 'boolean'
  | 'integer'
  | 'positive'
  | 'uuid'
  | 'timestamp'
  | 'unset'
  | 'present'

/** A violation with all data for a test. */
export interface Finding {
  readonly verdict: Verdict
  readonly file: ReplayFile
  readonly steps: ReadonlyMap<string, ReplayStep>
  readonly exchanges: ReadonlyMap<string, ReportedExchange>
  /** The exchange that contradicts the rule. */
  readonly last: string
  /** The exchange before it that it is compared with. */
  readonly before: string | undefined
  readonly expected: string
  readonly actual: string
  readonly pointer: string
}

/** The value at a place in a recorded answer. */
interface RecordedValue {
  readonly exchange: string
  readonly pointer: string
  readonly value: unknown
}

/** The finding of a verdict and its steps. */
export function findingOf(
  verdict: Verdict,
  file: ReplayFile,
  exchanges: ReadonlyMap<string, ReportedExchange>,
): Finding {
  return {
    verdict,
    file,
    steps: new Map(file.steps.map((step) => [step.exchange, step])),
    exchanges,
    last: verdict.exchanges.at(-1) ?? '',
    before: verdict.exchanges.at(-2),
    expected: verdict.expected ?? '',
    actual: verdict.actual ?? '',
    pointer: verdict.pointer ?? '',
  }
}

/** The cited lists of messages that are steps of the test. */
export function citedLists({ verdict, steps }: Finding): readonly string[] {
  return verdict.exchanges.filter((id) => steps.get(id)?.operation === 'listMessages')
}

/** The recorded value at a pointer of an exchange; `undefined` when there is none. */
export function recordedAt(finding: Finding, exchange: string, pointer: string): unknown {
  return valuesOf(finding, exchange).find((one) => one.pointer === pointer)?.value
}

/** All values in the answer of an exchange, outermost first: of a document, or of the lines of a stream. */
export function valuesOf({ exchanges }: Pick<Finding, 'exchanges'>, exchange: string): readonly RecordedValue[] {
  const text = utf8Of(bodyBuffer(exchanges.get(exchange)?.response?.pieces ?? [])) ?? ''
  const document = parsed(text)
  if (document !== undefined) return [...valuesIn(document, '')].map((one) => ({ exchange, ...one }))
  return text
    .split('\n')
    .flatMap((line, index) => [...valuesIn(parsed(line), `line ${index + 1} `)].map((one) => ({ exchange, ...one })))
    .map((one) => ({ ...one, pointer: one.pointer.trimEnd() }))
}

/** Where a step of the test shows a value first. */
export function producerOf(finding: Finding, value: string): Values | null {
  for (const exchange of finding.steps.keys()) {
    const found = valuesOf(finding, exchange).find((one) => one.value === value)
    if (found !== undefined) return { kind: 'at', pointer: found.pointer, of: [exchange] }
  }
  return null
}

/** A field of a stream's fragments as one text; `null` where they are no text, such as sources. */
export function fragments(finding: Finding, source: string, field: string): Values | null {
  const isText = typeof recordedAt(finding, source, `line 1 /delta/${field}`) === 'string'
  return isText ? { kind: 'joined', pointer: `line * /delta/${field}`, of: [source] } : null
}

function* valuesIn(value: unknown, pointer: string): Generator<Omit<RecordedValue, 'exchange'>> {
  if (value === undefined) return
  yield { pointer, value }
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value))
    yield* valuesIn(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
}

/** A JSON document, or `undefined`. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const ownFailures: readonly unknown[] = ['api_timeout_error', 'internal_service_error', 'rate_limit_gateway']

/**
 * Whether the answer is an error that no request asks for: a correct server would not send it, so there is nothing to
 * test.
 */
export function isOwnFailure(finding: Finding): boolean {
  return ownFailures.includes(recordedAt(finding, finding.last, '/error_code'))
}

/**
 * Whether a pointer leads into a content block: blocks of other types lack the field, and a correct server may split
 * others.
 */
export const isFieldOfBlock = (pointer: string): boolean => /\/content_blocks\/\d+\/(?!type$)/.test(pointer)
