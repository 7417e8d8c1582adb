/**
 * Writes the requests of a failure as shell commands of which each takes ids from the answers before it.
 * What a response gave is read with node, which is there where acs runs; an id of an earlier day would only give a 404.
 */
import { bodyBuffer, utf8Of } from './body-text.ts'
import { curlOf, shellWord } from './curl.ts'
import type { ReportedExchange } from './report.ts'

/** A value of a response that a later request repeats. */
interface Produced {
  readonly variable: string
  /** The value as the later request has it. */
  readonly value: string
  readonly exchange: string
  /** The program of node that reads it from the body of a new response. */
  readonly reader: string
}

/** One request of the chain. */
export interface ChainLink {
  /** The curl command without what reads its answer; a comment where curl cannot send the request. */
  readonly command: string
  /** The variables that later commands need, with the command that reads each from the body in `$<id of the exchange>`. */
  readonly variables: readonly { readonly name: string; readonly read: string }[]
}

/** Values shorter than this are repeated by chance. */
const shortestValue = 12

/** The commands of these requests, by exchange. */
export function curlChain(steps: readonly ReportedExchange[]): ReadonlyMap<string, ChainLink> {
  const produced = producedValues(steps)
  return new Map(
    steps.map((step) => {
      const known = produced.filter(({ exchange }) => exchange !== step.id)
      const variables = produced
        .filter(({ exchange }) => exchange === step.id)
        .map(({ variable, reader }) => ({
          name: variable,
          read: `${variable}=$(printf %s "$${step.id}" | node -p ${shellWord(reader)})`,
        }))
      return [step.id, { command: curlOf(step, (text, quote) => wordWith(text, quote, known)), variables }]
    }),
  )
}

/** The request on one line, which shows the answer and keeps what later lines need. */
export function chainLine(exchange: string, { command, variables }: ChainLink): string {
  if (variables.length === 0) return command
  return [
    `${exchange}=$(${bodyOnly(command)})`,
    `printf '%s\\n' "$${exchange}"`,
    ...variables.map(({ read }) => read),
  ].join('; ')
}

/** The command without the head of the response, whose body is read. */
export const bodyOnly = (command: string): string => command.replace('curl -i', 'curl -sS')

/** The text as one word of a shell, with variables where values of earlier responses stand. */
function wordWith(text: string, quote: (text: string) => string, produced: readonly Produced[]): string {
  const [first, ...rest] = produced
  if (first === undefined) return text === '' ? '' : quote(text)
  return text
    .split(first.value)
    .map((part) => wordWith(part, quote, rest))
    .join(`"$${first.variable}"`)
}

/** The values that later requests repeat, the longest first, so that none is cut by a shorter one. */
function producedValues(steps: readonly ReportedExchange[]): readonly Produced[] {
  const seen = new Map<string, Produced>()
  for (const [index, step] of steps.entries()) {
    if (curlOf(step).startsWith('#')) continue
    const own = sentText(step)
    const laterSteps = steps.slice(index + 1)
    const later = laterSteps.map(sentText).join('\n')
    const [whole, body] = responseValue(step)
    for (const { keys, value } of stringsIn(body)) {
      const reader = readerOf(whole, keys)
      for (const [spelling, program] of spellingsOf(value, reader)) {
        const isUrl = laterSteps.some(({ request }) => request.url === spelling)
        const isToken = spelling.length >= shortestValue && /^[\w.~%-]+$/.test(spelling)
        if (!(isUrl || isToken) || seen.has(spelling) || own.includes(spelling) || !later.includes(spelling)) continue
        seen.set(spelling, { variable: `V${seen.size + 1}`, value: spelling, exchange: step.id, reader: program })
      }
    }
  }
  return [...seen.values()].sort((one, other) => other.value.length - one.value.length)
}

/** A value as it stands in a body, and as it stands in a query, which differ for most cursors. */
function spellingsOf(value: string, reader: string): readonly (readonly [spelling: string, reader: string])[] {
  if (!value.isWellFormed()) return []
  const encoded = encodeURIComponent(value)
  return encoded === value
    ? [[value, reader]]
    : [
        [value, reader],
        [encoded, `encodeURIComponent(${reader})`],
      ]
}

function sentText({ request: { url, body } }: ReportedExchange): string {
  return body !== null && 'utf8' in body ? `${url}\n${body.utf8}` : url
}

/** The body as a value, of a stream its first line, and the expression of node that gives its text. */
function responseValue({ response }: ReportedExchange): readonly [whole: string, value: unknown] {
  const text = utf8Of(bodyBuffer(response?.pieces ?? [])) ?? ''
  const read = 'require("fs").readFileSync(0,"utf8")'
  const [first = '', ...others] = text.split('\n')
  const whole = parsed(text)
  return whole !== undefined || others.length === 0 ? [read, whole] : [`${read}.split("\\n")[0]`, parsed(first)]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readerOf(whole: string, keys: readonly string[]): string {
  const path = keys.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `[${JSON.stringify(key)}]`)).join('')
  return `JSON.parse(${whole})${path}`
}

function stringsIn(
  value: unknown,
  keys: readonly string[] = [],
): readonly { readonly keys: readonly string[]; readonly value: string }[] {
  if (typeof value === 'string') return [{ keys, value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => stringsIn(inner, [...keys, key]))
}
