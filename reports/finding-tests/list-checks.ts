/** Derives the assertions about lists of messages: members, number and order. */
import type { ReplayStep } from '../../conformance/index.ts'
import {
  at,
  type Check,
  citedLists,
  type Finding,
  fragments,
  itemIds,
  producerOf,
  recordedAt,
  valuesOf,
} from './finding.ts'

const uuid = /[0-9a-f]{8}-[0-9a-f-]{27}/

export function inOrder(finding: Finding, [newer = '', older = '']: readonly string[]): readonly Check[] | null {
  const isDocument = [newer, older].every((id) => typeof recordedAt(finding, id, '/id') === 'string')
  if (!isDocument) return null
  return [{ check: 'inOrder', values: at(itemIds, finding.last), others: at('/id', newer, older) }]
}

export function sameList({ last, before }: Finding): readonly Check[] | null {
  return before === undefined ? null : [{ check: 'equal', values: at(itemIds, last), others: at(itemIds, before) }]
}

function limitOf({ steps }: Finding, id: string): string {
  return /[?&]limit=([^&]*)/.exec(steps.get(id)?.path ?? '')?.[1] ?? ''
}

/** Two walks over one thread with pages of different sizes. */
export function sameWalk(finding: Finding): readonly Check[] | null {
  const own = limitOf(finding, finding.last)
  const walk = citedLists(finding).filter((id) => limitOf(finding, id) === own)
  const other = citedLists(finding).filter((id) => limitOf(finding, id) !== own)
  if (other.length === 0) return null
  return [{ check: 'equal', values: at(itemIds, ...walk), others: at(itemIds, ...other) }]
}

export function fullPage(finding: Finding, [count]: readonly string[]): readonly Check[] | null {
  const { last, actual } = finding
  if (Number(count) > addedBefore(finding)) return null
  const check = Number.parseInt(actual, 10) > Number(count) ? 'atMost' : 'atLeast'
  return [{ check, values: at('/items/*', last), count: Number(count) }]
}

export function emptyPage({ last }: Finding): readonly Check[] {
  return [
    { check: 'is', values: at('/items', last), kind: 'array' },
    { check: 'atMost', values: at('/items/*', last), count: 0 },
  ]
}

/** A thread has an id that no other creation gave. */
export function newThread({ steps }: Finding): readonly Check[] {
  const created = [...steps.values()].filter(({ operation }) => operation === 'createThread')
  return [{ check: 'distinct', values: at('/id', ...created.map(({ exchange }) => exchange)) }]
}

/** No more messages than were added, none of them twice, and all of them of the thread. */
export function nothingElse(finding: Finding): readonly Check[] | null {
  const { last, expected, actual, steps } = finding
  if (actual.endsWith(' a second time')) return [{ check: 'distinct', values: at(itemIds, last) }]
  const thread = uuid.exec(/^messages of thread (.*)/.exec(expected)?.[1] ?? '')?.[0]
  const values = thread === undefined ? null : producerOf(finding, thread)
  const own: readonly Check[] =
    values === null ? [] : [{ check: 'contains', values, others: at('/items/*/thread_id', last) }]
  // A completion also adds to a thread; the number is left to the server.
  const isWithCompletion = [...steps.values()].some(
    ({ operation, observed }) => /Completion/.test(operation ?? '') && (observed.status ?? 500) < 300,
  )
  const counted: Check = { check: 'atMost', values: at('/items/*', last), count: addedBefore(finding) }
  return isWithCompletion ? own : [counted, ...own]
}

/** How many messages the steps add to the thread that a list is of, before it. */
function addedBefore({ steps, last }: Finding, list = last): number {
  const threadOf = (path: string): string => path.replace(/\?.*$/, '').replace(/\/(?:messages|run|run\/stream)$/, '')
  const thread = threadOf(steps.get(list)?.path ?? '')
  const adds = new Set(['createMessage', 'runThread', 'streamThreadRun'])
  let count = 0
  for (const step of steps.values()) {
    if (step.exchange === list) break
    const isAdded = adds.has(step.operation ?? '') && (step.observed.status ?? 500) < 300
    if (isAdded && threadOf(step.path) === thread) count += 1
  }
  return count
}

export function contained(finding: Finding, [id = '']: readonly string[]): readonly Check[] | null {
  const others = producerOf(finding, id)
  // A list that holds the message is only what the others contradict.
  const lacking = citedLists(finding).filter((list) => valuesOf(finding, list).every(({ value }) => value !== id))
  if (others === null || lacking.length === 0 || !isOwnWalk(finding, lacking)) return null
  const room = lacking.reduce((sum, list) => sum + Number(limitOf(finding, list) || '100'), 0)
  // A walk that ended too early: a correct server continues, and its next page is not a step of the test.
  const end = lacking.at(-1) ?? ''
  if (room < addedBefore(finding, lacking[0])) return [{ check: 'is', values: at('/cursor', end), kind: 'text' }]
  if (room < addedBefore(finding, end)) return null
  return [{ check: 'contains', values: at(itemIds, ...lacking), others }]
}

/** A page whose cursor a step sends, though the thread that the steps make ends with that page; `null` for none. */
export function lastPageWithCursor(finding: Finding): string | null {
  for (const step of finding.steps.values()) {
    const pages = pagesBefore(finding, step)
    const [page] = pages
    if (page === undefined || !page.path.startsWith('/v1/threads/{{')) continue
    const room = pages.reduce((sum, { exchange }) => sum + Number(limitOf(finding, exchange) || '100'), 0)
    if (addedBefore(finding, page.exchange) <= room) return page.exchange
  }
  return null
}

/** The pages of a walk that lead to a step, the latest first. */
function pagesBefore(finding: Finding, { path }: ReplayStep): readonly ReplayStep[] {
  const name = /[?&]cursor=\{\{(\w+)\}\}/.exec(path)?.[1]
  const page = [...finding.steps.values()].find(({ gives }) => gives.some((given) => given.name === name))
  return page === undefined ? [] : [page, ...pagesBefore(finding, page)]
}

/** Every cursor comes from the page before. One of another walk, with the same text when recorded, may point elsewhere. */
function isOwnWalk({ steps }: Finding, pages: readonly string[]): boolean {
  return pages.every((page, index) => {
    const [, name] = /[?&]cursor=\{\{(\w+)\}\}/.exec(steps.get(page)?.path ?? '') ?? []
    const before = steps.get(pages[index - 1] ?? '')
    return name === undefined || before === undefined || before.gives.some((given) => given.name === name)
  })
}

/** The answer is of another thread than the one that it may not continue. */
export function answeredElsewhere(finding: Finding): readonly Check[] | null {
  const others = producerOf(finding, /\S+$/.exec(finding.actual)?.[0] ?? '')
  const isStream = finding.verdict.operation !== 'createChatCompletion'
  const values = at(isStream ? 'line * /thread_id' : '/thread_id', finding.last)
  return others && [{ check: 'lacks', values, others }]
}

/** The list holds the answer that was given: by its id, or by its text where the id may be another. */
export function answerListed(finding: Finding): readonly Check[] | null {
  const { verdict, last, steps } = finding
  const source = verdict.exchanges.find((id) => id !== last && steps.has(id))
  if (source === undefined) return null
  const isStream = recordedAt(finding, source, 'line 1 /message_id') !== undefined
  const isById = finding.expected === 'the answer'
  if (isById) {
    const others = at(isStream ? 'line 1 /message_id' : '/id', source)
    return [{ check: 'contains', values: at(itemIds, last), others }]
  }
  const others = isStream ? fragments(finding, source, 'content') : at('/content', source)
  return others && [{ check: 'contains', values: at('/items/*/content', last), others }]
}

export function withoutLater(finding: Finding): readonly Check[] | null {
  const others = producerOf(finding, uuid.exec(finding.actual)?.[0] ?? '')
  return others && [{ check: 'lacks', values: at(itemIds, finding.last), others }]
}

export function distinct({ verdict, steps, pointer }: Finding): readonly Check[] {
  const of = verdict.exchanges.filter((id) => steps.has(id))
  return [{ check: 'distinct', values: at(pointer === '/api_keys' ? '/api_keys/*/id' : pointer, ...of) }]
}
