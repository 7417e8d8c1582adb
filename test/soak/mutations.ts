/**
 * Mutates texts and JSON values, by a seed. The mutations are what somebody might do to a file or an answer by accident
 * or on purpose.
 */
import { hostileStrings } from '../reports/hostile-text.ts'
import { pick, type SeededRandom } from './fuzzer.ts'

const values: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  -0,
  0.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  'x',
  '9'.repeat(400),
  'a'.repeat(20_000),
  '2026-02-30T25:61:61Z',
  'Invalid Date',
  'E1',
  '../../etc/passwd',
  'constructor',
  '__proto__',
  [],
  [[]],
  {},
  [null, 1, 'x', {}],
  { length: -1 },
  { toString: 1, valueOf: 1, toJSON: 1 },
  ...hostileStrings,
]

/** Any value at all. */
export const oddValue = (random: SeededRandom): unknown => pick(random, values)

type Container = Record<string, unknown> | unknown[]

const containersIn = (value: unknown, found: Container[] = []): Container[] => {
  if (typeof value !== 'object' || value === null) return found
  found.push(value as Container)
  for (const inner of Object.values(value)) containersIn(inner, found)
  return found
}

/** The value with one to three members changed, removed, doubled, renamed or exchanged. */
export function mutatedJson(random: SeededRandom, value: unknown): unknown {
  const copy: unknown = structuredClone(value)
  const containers = containersIn(copy)
  if (containers.length === 0) return oddValue(random)
  for (let change = Math.floor(random() * 3); change >= 0; change -= 1) mutateMember(random, containers)
  return copy
}

function mutateMember(random: SeededRandom, containers: readonly Container[]): void {
  const container = pick(random, containers)
  const name = pick(random, Object.keys(container)) ?? '0'
  const members = container as Record<string, unknown>
  const kind = random()
  if (kind < 0.6) members[name] = oddValue(random)
  else if (kind < 0.75) {
    if (Array.isArray(container)) container.splice(Number(name), 1)
    else delete members[name]
  } else if (kind < 0.85) {
    if (Array.isArray(container)) container.push(...container.slice(0, 50))
    else members[String(pick(random, hostileStrings))] = members[name]
  } else
    members[name] =
      pick(random, containers) === container ? [container.length] : structuredClone(smallOf(random, containers))
}

const smallOf = (random: SeededRandom, containers: readonly Container[]): unknown => {
  const found = pick(random, containers)
  return JSON.stringify(found).length > 10_000 ? {} : found
}

/** A text with bytes changed, parts lost, doubled or exchanged. */
export function mutatedText(random: SeededRandom, text: string): string {
  const at = Math.floor(random() * text.length)
  const other = Math.min(text.length, at + 1 + Math.floor(random() * 200))
  const kind = random()
  if (kind < 0.3) return text.slice(0, at) + String.fromCharCode(Math.floor(random() * 300)) + text.slice(at + 1)
  if (kind < 0.45) return text.slice(0, at)
  if (kind < 0.6) return text.slice(0, at) + text.slice(other)
  if (kind < 0.75) return text.slice(0, other) + text.slice(at)
  if (kind < 0.9) return text.slice(0, at) + pick(random, hostileStrings) + text.slice(at)
  const lines = text.split('\n')
  lines.splice(Math.floor(random() * lines.length), 1, pick(random, lines))
  return lines.join('\n')
}
