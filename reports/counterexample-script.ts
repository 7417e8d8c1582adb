/**
 * Writes a whole counterexample as one shell script that a person can copy.
 * Ids that a response gave are read out of the new response, so that the script works on any day; it needs curl and node.
 */
import { bodyBuffer, utf8Of } from './body-text.ts'
import { curlOf, keyVariable, shellWord } from './curl.ts'
import type { CardPlace } from './failure-card.ts'
import type { ReportedExchange } from './report.ts'
import { visibleLine, visiblePair } from './sanitize-text.ts'

/** A value of a response that a later request repeats. */
interface Produced {
  readonly variable: string
  readonly value: string
  readonly exchange: string
  readonly keys: readonly string[]
}

/** Values shorter than this are repeated by chance. */
const shortestValue = 12

/** The script, or `null` when the report does not hold every request of it. */
export function counterexampleScript(
  place: CardPlace,
  exchanges: ReadonlyMap<string, ReportedExchange>,
): string | null {
  const steps = place.steps.flatMap(({ exchange }) => exchanges.get(exchange) ?? [])
  if (steps.length === 0 || steps.length < place.steps.length || steps.some(isNoCommand)) return null
  const produced = producedValues(steps)
  const keys = new Set(steps.flatMap(({ credential }) => (credential === null ? [] : [keyVariable(credential)])))
  const [expected, actual] = visiblePair(place.expected, place.actual)
  return [
    '#!/bin/sh',
    `# ${visibleLine(place.obligation)}`,
    `# expected: ${expected}`,
    `# actual: ${actual}`,
    ...[...keys].map((name) => `: "\${${name}:?}"`),
    ...steps.flatMap((step) => stepLines(step, produced, place)),
    '',
  ].join('\n')
}

const isNoCommand = (exchange: ReportedExchange): boolean => curlOf(exchange).startsWith('#')

function stepLines(step: ReportedExchange, produced: readonly Produced[], place: CardPlace): readonly string[] {
  const { name = '' } = place.steps.find(({ exchange }) => exchange === step.id) ?? {}
  const known = produced.filter(({ exchange }) => exchange !== step.id)
  const command = curlOf(step, (text, quote) => wordWith(text, quote, known)).replace('curl -i', 'curl -sS')
  const values = produced.filter(({ exchange }) => exchange === step.id)
  const title = `# ${step.id} ${visibleLine(name, 80)} (was ${step.response?.status ?? step.ending})`
  const wait = step.intent?.operation === 'getFileStatus' ? ['# The file is processed meanwhile.', 'sleep 2'] : []
  if (values.length === 0) return ['', title, ...wait, command.replace('curl -sS', 'curl -sS -i'), 'echo']
  return [
    '',
    title,
    `${step.id}=$(${command})`,
    `printf '%s\\n' "$${step.id}"`,
    ...values.map(
      ({ variable, keys }) => `${variable}=$(printf %s "$${step.id}" | node -p ${shellWord(readerOf(keys))})`,
    ),
  ]
}

function readerOf(keys: readonly string[]): string {
  return `JSON.parse(require("fs").readFileSync(0,"utf8"))${keys.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `[${JSON.stringify(key)}]`)).join('')}`
}

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
    const own = sentText(step)
    const later = steps
      .slice(index + 1)
      .map(sentText)
      .join('\n')
    for (const { keys, value } of stringsIn(responseValue(step))) {
      const isNew =
        value.length >= shortestValue && /^[\w.~-]+$/.test(value) && !seen.has(value) && !own.includes(value)
      if (!isNew || !later.includes(value)) continue
      seen.set(value, { variable: `V${seen.size + 1}`, value, exchange: step.id, keys })
    }
  }
  return [...seen.values()].sort((one, other) => other.value.length - one.value.length)
}

function sentText({ request: { url, body } }: ReportedExchange): string {
  return body !== null && 'utf8' in body ? `${url}\n${body.utf8}` : url
}

function responseValue({ response }: ReportedExchange): unknown {
  try {
    return JSON.parse(utf8Of(bodyBuffer(response?.pieces ?? [])) ?? 'null')
  } catch {
    return null
  }
}

function stringsIn(
  value: unknown,
  keys: readonly string[] = [],
): readonly { readonly keys: readonly string[]; readonly value: string }[] {
  if (typeof value === 'string') return [{ keys, value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => stringsIn(inner, [...keys, key]))
}
