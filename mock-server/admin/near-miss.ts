/** Names the closest match of a refused request: a path, a key, a thread, the open tool calls. */
import { closest, distance } from 'fastest-levenshtein'
import { operationIds, operations } from '../../spec/index.ts'
import { headerOf } from '../exchange/request.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import type { ReasonId } from '../reasons/reasons.ts'
import type { WorldHandle } from '../worlds/world-handle.ts'
import type { AdministeredMock } from './admin-route.ts'

type Search = (entry: JournalEntry, world: WorldHandle, mock: AdministeredMock) => string | null

/** The number of differing characters up to which an id or key counts as a typing error. */
const mostDifferent = 4
/** The number of threads and worlds that are searched. */
const mostSearched = 2000

/** A sentence, `null` if nothing is close. */
export function nearMiss(mock: AdministeredMock, world: WorldHandle, entry: JournalEntry): string | null {
  return entry.reason === null ? null : (searches[entry.reason]?.(entry, world, mock) ?? null)
}

const searches: Readonly<Partial<Record<ReasonId, Search>>> = {
  'unknown-route': nearestRoute,
  'unknown-key': nearestKey,
  'unknown-thread': nearestThread,
  'foreign-thread': ownerOfThread,
  'open-tool-calls': (entry, world) => callsOf(entry, world, 'is not answered'),
  'no-matching-tool-call': (entry, world) => callsOf(entry, world, 'waits for an answer'),
  'unknown-assistant': nearestAssistant,
  'assistant-not-available': nearestAssistant,
}

function nearestRoute({ method, target }: JournalEntry): string | null {
  const path = pathOf(target)
  const paths = operationIds.map((id) => operations[id].path).filter((one) => one !== null)
  const filled = new Map(paths.map((template) => [fillFrom(template, path), template]))
  const found = closest(path, [...filled.keys()])
  const template = filled.get(found)
  if (template === undefined || distance(path, found) > path.length / 2) return null
  const methods = operationIds.filter((id) => operations[id].path === template).map((id) => operations[id].method)
  const own = methods.find((one) => one === method) ?? methods[0]
  return `The nearest operation is ${own} ${template}.`
}

/** The template with the ids of a path in its places, so that an id does not count as a difference. */
function fillFrom(template: string, path: string): string {
  const given = path.split('/')
  return template
    .split('/')
    .map((segment, index) => (segment.startsWith('{') ? (given[index] ?? segment) : segment))
    .join('/')
}

function nearestKey({ headers }: JournalEntry, _: WorldHandle, { scenario }: AdministeredMock): string | null {
  const sent = (headerOf(headers, 'api-key') ?? '').replace(/@.*$/, '')
  const near = [...scenario.callers].map(([key, { tenant }]) => ({ tenant: tenant.name, by: distance(key, sent) }))
  const [best] = near.sort((left, right) => left.by - right.by)
  if (best === undefined || best.by > mostDifferent) return null
  return `It differs from a key of the tenant "${best.tenant}" in ${best.by === 1 ? 'one character' : `${best.by} characters`}.`
}

function nearestThread({ target }: JournalEntry, world: WorldHandle, { worlds }: AdministeredMock): string | null {
  const id = threadIn(target)
  if (id === null) return null
  const other = worlds()
    .slice(0, mostSearched)
    .find((one) => one.name !== world.name && one.snapshot().state.threads.has(id))
  if (other !== undefined) return `The world "${other.name}" has this thread; the request went to "${world.name}".`
  const { threads } = world.snapshot().state
  let seen = 0
  for (const thread of threads.values()) {
    seen += 1
    if (seen > mostSearched) return null
    if (distance(thread.id, id) <= mostDifferent) return `A similar thread id exists: ${thread.id}.`
  }
  return threads.size === 0 ? `The world "${world.name}" has no threads.` : null
}

function ownerOfThread(
  { target }: JournalEntry,
  { snapshot }: WorldHandle,
  { scenario }: AdministeredMock,
): string | null {
  const owner = snapshot().state.threads.get(threadIn(target) ?? '')?.tenantId
  const tenant = scenario.tenants.find(({ id }) => id === owner)
  return tenant === undefined ? null : `The thread belongs to the tenant "${tenant.name}".`
}

function callsOf({ target }: JournalEntry, world: WorldHandle, state: string): string | null {
  const thread = world.snapshot().state.threads.get(threadIn(target) ?? '')
  const ids = [...(thread?.calls ?? [])].filter(([, status]) => status === 'open').map(([id]) => id)
  if (thread === undefined) return null
  if (ids.length === 0) return 'No tool call of the thread is waiting for an answer.'
  return ids.map((id) => `The tool call ${id} ${state}.`).join(' ')
}

function nearestAssistant(entry: JournalEntry, _: WorldHandle, { scenario }: AdministeredMock): string | null {
  const { target, tenant } = entry
  const text = `${target} ${entry.text()}`
  const all = scenario.tenants.flatMap(({ name, assistants }) => assistants.map((one) => ({ ...one, owner: name })))
  const foreign = all.find(({ id, owner }) => owner !== tenant && text.includes(id))
  if (foreign !== undefined) return `"${foreign.name}" is an assistant of the tenant "${foreign.owner}".`
  const own = all.filter(({ owner }) => owner === tenant)
  return `The assistants of "${tenant}" are ${own.map(({ id, name }) => `${name} (${id})`).join(', ')}.`
}

function threadIn(target: string): string | null {
  return /\/threads\/([^/?]+)/.exec(target)?.[1]?.toLowerCase() ?? null
}

function pathOf(target: string): string {
  return target.replace(/\?.*$/s, '').replace(/^\/w\/[^/]+/, '')
}
