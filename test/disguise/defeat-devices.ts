/**
 * Servers that answer rightly only while they believe that the suite is calling.
 * Each looks for one mark of a suite that asks always in the same way; to the others it loses messages and turns lists round.
 */
import type { FetchHandler } from '../../conformance/index.ts'

/** One request as a device sees it. */
export interface Seen {
  readonly operation: string
  readonly path: string
  readonly headers: Headers
  readonly text: string
}

/** Decides from what was seen so far whether the suite is calling. */
export interface DefeatDevice {
  readonly name: string
  readonly takesForSuite: (seen: readonly Seen[]) => boolean
}

const operations: readonly (readonly [string, RegExp])[] = [
  ['run', /^POST .*\/run(\/stream)?$/],
  ['list', /^GET .*\/messages$/],
  ['create', /^POST .*\/messages$/],
  ['complete', /^POST .*\/completions/],
  ['assistants', /^GET .*\/assistants$/],
  ['assistant', /^GET .*\/assistants\//],
  ['grant', /^GET .*\/signed-url$/],
  ['keys', /^GET .*\/my-api-keys$/],
  ['thread', /^POST .*\/threads$/],
]

const recorded = ['assistants', 'assistant', 'assistant', 'assistant', 'complete', 'list', 'complete', 'list'] as const
const words = /\(ref\. |conformance|test suite|lorem ipsum|not-a-uuid|foo|hello world/i

const startsWith = (seen: readonly Seen[], order: readonly string[]): boolean =>
  order.every((operation, index) => seen[index] === undefined || seen[index]?.operation === operation)

const grams = (seen: readonly Seen[], length: number): readonly string[] =>
  seen.slice(length - 1).map((_, end) =>
    seen
      .slice(end, end + length)
      .map(({ operation }) => operation)
      .join(' '),
  )

/** Devices made from a recording of the suite as it was while its order was fixed. */
export const defeatDevices: readonly DefeatDevice[] = [
  { name: 'the first eight operations', takesForSuite: (seen) => startsWith(seen, recorded) },
  { name: 'the first three operations', takesForSuite: (seen) => startsWith(seen, recorded.slice(0, 3)) },
  {
    name: 'the path /v1/assistants/first among the first ten',
    takesForSuite: (seen) => seen.length < 10 || seen.slice(0, 10).some(({ path }) => path.endsWith('/first')),
  },
  {
    name: 'three records of assistants in a row among the first twelve',
    takesForSuite: (seen) => seen.length < 12 || grams(seen.slice(0, 12), 3).includes('assistant assistant assistant'),
  },
  {
    name: 'a completion that is read back twice in turn',
    takesForSuite: (seen) => seen.length < 12 || grams(seen.slice(0, 12), 4).includes('complete list complete list'),
  },
  {
    name: 'words of a test',
    takesForSuite: (seen) => seen.length < 12 || seen.slice(0, 12).some(({ text }) => words.test(text)),
  },
  {
    name: 'the user agent of both tenants',
    takesForSuite: (seen) => seen.every(({ headers }) => headers.get('user-agent') === 'node'),
  },
  {
    name: 'no accept-language, and the agent first',
    takesForSuite: (seen) =>
      seen.every(({ headers }) => headers.get('accept') === '*/*' && headers.get('user-agent') === 'node'),
  },
  {
    name: 'wrong requests before the fortieth',
    takesForSuite: (seen) => seen.length < 40 || !seen.slice(0, 40).some(({ operation }) => operation === 'create'),
  },
  {
    name: 'the first thirty requests, as a burn-in',
    takesForSuite: (seen) => seen.length < 30,
  },
  {
    name: 'threads before any completion',
    takesForSuite: (seen) => {
      const first = seen.find(({ operation }) => operation === 'thread' || operation === 'complete')
      return first === undefined || first.operation === 'complete'
    },
  },
  {
    name: 'ids that are never read back',
    takesForSuite: (seen) => {
      const made = seen.filter(({ operation }) => operation === 'create').length
      return made < 5 || !seen.slice(-5).some(({ operation }) => operation === 'list')
    },
  },
]

/** A faithful handler behind a device: whoever is not taken for the suite gets lists the other way round. */
export function behindDevice(handler: FetchHandler, { takesForSuite }: DefeatDevice): FetchHandler {
  const seen: Seen[] = []
  return async (request) => {
    seen.push(await seenOf(request))
    const isSuite = takesForSuite(seen)
    const response = await handler(request)
    const isList = seen.at(-1)?.operation === 'list' && response.status === 200
    return isSuite || !isList ? response : turnedRound(response)
  }
}

async function seenOf(request: Request): Promise<Seen> {
  const path = new URL(request.url).pathname
  const line = `${request.method} ${path}`
  const operation = operations.find(([, pattern]) => pattern.test(line))?.[0] ?? 'other'
  return { operation, path, headers: request.headers, text: await request.clone().text() }
}

/** Oldest first, as in a store without an order. */
async function turnedRound(response: Response): Promise<Response> {
  const page = (await response.json()) as { readonly items: readonly unknown[] }
  return Response.json({ ...page, items: page.items.toReversed() }, { headers: [['content-type', 'application/json']] })
}
