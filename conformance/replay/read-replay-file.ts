/** Reads a replay file from text. It is untrusted, so every field is checked before it is used. */
import { operations } from '../../spec/index.ts'
import { isObject } from '../judge/read/json.ts'
import type { ReplayFile } from './replay-file.ts'

/** More steps than any witness needs; a file with more was not written by this suite. */
const mostSteps = 1_000

/** Throws TypeError that names the first field that is wrong. */
export function readReplayFile(value: unknown): ReplayFile {
  if (!isObject(value) || value.format !== 'acs-replay/1') throw new TypeError('it is no replay file (acs-replay/1)')
  expect(typeof value.requirement === 'string', 'requirement', 'a text')
  expect(isOperation(value.operation), 'operation', 'an operation of the contract')
  expect(value.facet === null || typeof value.facet === 'string', 'facet', 'a text or null')
  expect(Number.isSafeInteger(value.seed), 'seed', 'a whole number')
  const { steps } = value
  if (!Array.isArray(steps)) throw new TypeError('steps is not a list')
  expect(steps.length > 0 && steps.length <= mostSteps, 'steps', `a list of 1 to ${mostSteps} steps`)
  for (const [index, step] of steps.entries()) checkStep(step, `steps[${index}]`)
  return value as unknown as ReplayFile
}

function checkStep(step: unknown, at: string): void {
  if (!isObject(step)) throw new TypeError(`${at} is not an object`)
  const { credential, operation, body, headers, gives, until } = step
  expect(typeof step.method === 'string' && /^[A-Z]+$/.test(step.method), `${at}.method`, 'a method in capitals')
  for (const name of ['path', 'exchange']) expect(typeof step[name] === 'string', `${at}.${name}`, 'a text')
  for (const name of ['raw', 'together']) expect(typeof step[name] === 'boolean', `${at}.${name}`, 'true or false')
  expect(operation === null || isOperation(operation), `${at}.operation`, 'an operation of the contract or null')
  expect(
    credential === null ||
      typeof credential === 'string' ||
      (isObject(credential) && typeof credential.raw === 'string'),
    `${at}.credential`,
    'a name, null or {raw}',
  )
  expect(body === null || (isObject(body) && isBytes(body)), `${at}.body`, 'null, {utf8} or {base64}')
  expect(Array.isArray(headers) && headers.every(isHeaderLine), `${at}.headers`, 'a list of names and values')
  expect(Array.isArray(gives) && gives.every(isGift), `${at}.gives`, 'a list of names and pointers')
  expect(until === undefined || isGoal(until), `${at}.until`, 'a pointer and a value')
}

function isOperation(value: unknown): boolean {
  return typeof value === 'string' && Object.hasOwn(operations, value)
}

function isBytes({ utf8, base64 }: Record<string, unknown>): boolean {
  return typeof utf8 === 'string' || typeof base64 === 'string'
}

function isHeaderLine(line: unknown): boolean {
  return Array.isArray(line) && line.length === 2 && line.every((part) => typeof part === 'string')
}

function isGift(gift: unknown): boolean {
  if (!isObject(gift)) return false
  const { name, pointer, line } = gift
  return typeof name === 'string' && typeof pointer === 'string' && (line === null || Number.isSafeInteger(line))
}

function isGoal(goal: unknown): boolean {
  return isObject(goal) && typeof goal.pointer === 'string' && ['string', 'boolean'].includes(typeof goal.value)
}

function expect(holds: boolean, place: string, wanted: string): void {
  if (!holds) throw new TypeError(`${place} is not ${wanted}`)
}
