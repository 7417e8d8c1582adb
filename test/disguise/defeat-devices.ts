/**
 * Servers that answer rightly only while they believe that the suite is calling.
 * Each looks for one mark of a suite that asks always in the same way; to the others it turns lists round.
 */

/** One request as a device sees it, with the status that it was answered with once it was. */
export interface Seen {
  readonly operation: string
  readonly path: string
  readonly query: string
  readonly key: string
  readonly agent: string
  readonly accept: string
  readonly text: string
  readonly atMs: number
  readonly status: number | null
}

/** Decides from what was seen so far, the present request last, whether the suite is calling. */
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

/** The operation of a request line, as a router names it. */
export const operationOf = (method: string, path: string): string =>
  operations.find(([, pattern]) => pattern.test(`${method} ${path}`))?.[0] ?? 'other'

/** The first operations of the suite as it was while its order was fixed. */
const recorded = ['assistants', 'assistant', 'assistant', 'assistant', 'complete', 'list', 'complete', 'list'] as const
/** The first operations of a run of today, as somebody would record them. */
const otherNonce =
  'assistants complete list thread create create create list list list list list thread create create run'.split(' ')
const testWords = /\(ref\. |conformance|test suite|lorem ipsum|not-a-uuid|foo|hello world/i
const markers = /invoice \d{8}-\d{6}|this concerns (?:invoice|order) \d/i

const startsWith = (seen: readonly Seen[], order: readonly string[]): boolean =>
  order.every((operation, index) => seen[index] === undefined || seen[index]?.operation === operation)

const grams = (seen: readonly Seen[], length: number): readonly string[] =>
  seen.slice(length - 1).map((_, end) =>
    seen
      .slice(end, end + length)
      .map(({ operation }) => operation)
      .join(' '),
  )

const isRefused = ({ status }: Seen): boolean => status !== null && status >= 400

/** Whether `matches` came `times` times so far: whoever did that once is known for good. */
const once =
  (matches: (one: Seen, before: Seen | undefined) => boolean, times = 1) =>
  (seen: readonly Seen[]): boolean =>
    seen.filter((one, index) => matches(one, seen[index - 1])).length >= times

const longestPauseMs = (seen: readonly Seen[]): number =>
  seen.reduce((longest, one, index) => Math.max(longest, one.atMs - (seen[index - 1]?.atMs ?? one.atMs)), 0)

/** Numbers of eight digits and more in the texts, each once for each text. */
const numbersIn = (seen: readonly Seen[]): readonly string[] =>
  seen.flatMap(({ text }) => [...new Set(text.match(/\d{8,}/g) ?? [])])

const hasRepeatedNumber = (seen: readonly Seen[], times: number): boolean => {
  const counts = new Map<string, number>()
  for (const number of numbersIn(seen)) counts.set(number, (counts.get(number) ?? 0) + 1)
  return [...counts.values()].some((count) => count >= times)
}

/** Devices made from recordings of the suite, and from what somebody would look for first. */
export const defeatDevices: readonly DefeatDevice[] = [
  { name: 'the first eight operations', takesForSuite: (seen) => startsWith(seen, recorded) },
  {
    name: 'the first sixteen operations of a run with another nonce',
    takesForSuite: (seen) => startsWith(seen, otherNonce),
  },
  { name: 'the first three operations', takesForSuite: (seen) => startsWith(seen, recorded.slice(0, 3)) },
  {
    name: 'the path /v1/assistants/first among the first ten',
    takesForSuite: (seen) => seen.length < 10 || seen.slice(0, 10).some(({ path }) => path.endsWith('/first')),
  },
  {
    name: 'three records of assistants in a row',
    takesForSuite: (seen) => grams(seen, 3).includes('assistant assistant assistant'),
  },
  {
    name: 'a completion that is read back twice in turn',
    takesForSuite: (seen) => seen.length < 12 || grams(seen.slice(0, 12), 4).includes('complete list complete list'),
  },
  {
    name: 'ten messages in a row',
    takesForSuite: (seen) => grams(seen, 10).includes(Array(10).fill('create').join(' ')),
  },
  { name: 'words of a test', takesForSuite: once(({ text }) => testWords.test(text)) },
  { name: 'markers in texts', takesForSuite: once(({ text }) => markers.test(text)) },
  { name: 'one number in five texts', takesForSuite: (seen) => hasRepeatedNumber(seen, 5) },
  {
    name: 'the user agent of both tenants',
    takesForSuite: (seen) => seen.every(({ agent }) => agent === 'node'),
  },
  {
    name: 'a bare user agent that accepts anything',
    takesForSuite: (seen) => seen.every(({ agent, accept }) => accept === '*/*' && agent === 'node'),
  },
  {
    name: 'two keys of one client',
    takesForSuite: once(
      (one, before) => one.agent === before?.agent && one.key !== before.key && one.key !== '' && before.key !== '',
    ),
  },
  { name: 'a key that nobody has', takesForSuite: once(({ status }) => status === 401) },
  { name: 'thirty requests', takesForSuite: (seen) => seen.length < 30 },
  { name: 'three hundred requests', takesForSuite: (seen) => seen.length < 300 },
  {
    name: 'two refusals of one operation in a row',
    takesForSuite: once(
      (one, before) =>
        before !== undefined && isRefused(one) && isRefused(before) && one.operation === before.operation,
    ),
  },
  { name: 'ten refusals', takesForSuite: once(isRefused, 10) },
  { name: 'a refusal among the last twenty', takesForSuite: (seen) => seen.slice(-20).some(isRefused) },
  {
    name: 'ids that are never read back',
    takesForSuite: (seen) => {
      const made = seen.filter(({ operation }) => operation === 'create').length
      return made < 5 || !seen.slice(-5).some(({ operation }) => operation === 'list')
    },
  },
  { name: 'texts of more than four KiB', takesForSuite: once(({ text }) => text.length > 4096) },
  { name: 'pages of one message', takesForSuite: once(({ query }) => /[?&]limit=1(?:&|$)/.test(query)) },
  { name: 'no pause of two seconds', takesForSuite: (seen) => longestPauseMs(seen) < 2000 },
  {
    name: 'twenty requests within two seconds',
    takesForSuite: (seen) => seen.length < 20 || (seen.at(-1)?.atMs ?? 0) - (seen.at(-20)?.atMs ?? 0) < 2000,
  },
  {
    name: 'a first request in the first minute of an hour',
    takesForSuite: (seen) => Math.floor((seen[0]?.atMs ?? 0) / 60_000) % 60 === 0,
  },
]
