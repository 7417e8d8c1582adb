/**
 * Finds requests whose bytes are not what the probe meant; such a run is no evidence. Only the bytes count, since earlier
 * behaviour of a target may make a correct request a wrong one. A wrong value that the target itself gave, such as an id
 * that is no UUID, is the target's fault and judged where it was given.
 */
import { textOfPieces } from '../trace/bytes.ts'
import { jsonValue } from '../trace/json-depth.ts'
import type { RequestFault } from './classify/request-fault.ts'
import { fieldOf } from './read/json.ts'
import type { ParsedExchange } from './read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from './trace-analysis.ts'
import type { Verdict } from './verdict.ts'

/** One verdict for each request that was not what its probe meant. */
export function suiteFaults(analysis: TraceAnalysis): readonly Verdict[] {
  if (analysis.profile.source !== 'suite') return []
  return analysis.parsedExchanges.flatMap((parsed) => {
    const fault = faultOf(analysis, parsed)
    return fault === null ? [] : [verdictFrom(parsed, fault)]
  })
}

function faultOf(analysis: TraceAnalysis, parsed: ParsedExchange): string | null {
  const { intent } = parsed.exchange
  if (intent === null) return null
  if (parsed.operation !== null && intent.operation !== null && intent.operation !== parsed.operation) {
    return `${intent.probe} meant ${intent.operation}, and ${parsed.id} addresses ${parsed.operation}`
  }
  if (intent.expects !== 'accepted') return null
  const fault = analysis.byteFaultsOf(parsed).find((one) => !isGiven(analysis, parsed, one))
  return fault === undefined
    ? null
    : `${intent.probe} meant ${parsed.id} to be accepted, and its bytes are wrong: ${fault.rule} at ${fault.loc.join('/')}`
}

function isGiven(analysis: TraceAnalysis, { exchange, index }: ParsedExchange, { loc }: RequestFault): boolean {
  const given = givenStrings(analysis)
  return valuesIn(exchange.request, loc).some((value) => (given.get(value) ?? Number.POSITIVE_INFINITY) < index)
}

/** The value at a place in the body, or every part of the URL when the fault is there. */
function valuesIn(
  { url, body }: ParsedExchange['exchange']['request'],
  [where, ...path]: RequestFault['loc'],
): readonly string[] {
  if (where !== 'body') {
    const parts = url.split(/[/?&#]/).map((part) => part.replace(/^[^=]*=/, ''))
    return parts.map((part) => decoded(part))
  }
  if (body === null || !('utf8' in body)) return []
  const value = path.reduce<unknown>((inside, name) => fieldOf(inside, String(name)), jsonValue(body.utf8))
  return typeof value === 'string' ? [value] : []
}

/** Every string in an answer, and the reading that gave it first. */
const givenStrings = memoPerTrace((analysis) => {
  const first = new Map<string, number>()
  const remember = (value: unknown, index: number): void => {
    if (typeof value === 'string' && !first.has(value)) first.set(value, index)
    if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) remember(one, index)
  }
  for (const { exchange, index } of analysis.parsedExchanges) {
    const text = textOfPieces(exchange.response?.pieces ?? [])
    const whole = jsonValue(text)
    if (whole !== undefined) remember(whole, index)
    else for (const line of text.split('\n')) remember(jsonValue(line), index)
  }
  return first
})

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const verdictFrom = (parsed: ParsedExchange, reason: string): Verdict => ({
  requirement: 'suite.intent',
  operation: parsed.operation ?? parsed.exchange.intent?.operation ?? 'listAssistants',
  facet: null,
  level: 'must',
  basis: 'convention',
  owed: false,
  blocking: false,
  outcome: 'suite-fault',
  witnesses: 1,
  reason,
  exchanges: [parsed.id],
})
