/**
 * Gives the fix of a violation: from the observation if it leaves only one, else from its rule. The advice of a rule must
 * fit every way to break it.
 */
import type { Verdict } from '../conformance/index.ts'
import { type ErrorCode, errorTable, type OperationId } from '../spec/index.ts'
import { operationName } from './headline.ts'
import type { RuleText } from './report.ts'
import { visibleLine } from './sanitize-text.ts'

type Advice = readonly [pattern: RegExp, words: string]

/** The change of a text, as `text-change.ts` of the judge names it. */
const textAdvice: readonly Advice[] = [
  [/^without the white space at its (\w+)$/, 'Do not trim: the white space at the $1 belongs to the text.'],
  [/^with CRLF written as LF$/, 'Do not convert line ends: keep CRLF as it was sent.'],
  [/^with runs of white space as one blank/, 'Do not collapse white space: keep every blank, tab and line feed.'],
  [/^in the Unicode form (\w+)$/, 'Do not normalise to $1: keep the code points as they were sent.'],
  [/^in (?:lower|upper) case$/, 'Do not change the case of letters.'],
  [/^escaped for HTML$/, 'Do not escape for HTML in the API: only the page that shows the text does.'],
  [/^escaped for a URL$/, 'Do not percent-encode the text.'],
  [/^with its UTF-8 read as /, 'Decode the request body as UTF-8, whatever the default character set is.'],
  [/^(?:escaped for JSON|in quotation marks)$/, 'Encode the text as JSON once: here it was encoded twice.'],
  [
    /^cut after (\d+) characters$/,
    'Do not cut the text (here after $1 characters): look for the limit of a column, a buffer or a preview.',
  ],
  [/^without its first (\d+) characters$/, 'Keep the beginning of the text: its first $1 characters were lost.'],
  [/^twice$/, 'Write the text once: it was joined to itself.'],
  [
    /^without its characters beyond U\+FFFF$/,
    'Store all of Unicode: a three-byte column (utf8mb3) or a filter loses what is beyond U+FFFF, such as emoji.',
  ],
  [
    /^(?:without its characters|with each character) beyond (Latin-1|ASCII|U\+FFFF)/,
    'Use UTF-8 from end to end: a charset on the way cannot hold what is beyond $1.',
  ],
  [/^without (U\+\S+(?: U\+\S+)?) at character/, 'Keep every character: $1 was dropped.'],
  [/^with (U\+\S+(?: U\+\S+)?) added/, 'Add nothing to the text: $1 was inserted.'],
  [/^with (U\+\S+(?: U\+\S+)?) as (U\+\S+(?: U\+\S+)?) at/, 'Do not replace characters: $1 became $2.'],
]

/** Forms of a stream that are not NDJSON, and of an answer that is not one message. */
const formAdvice: readonly Advice[] = [
  [/^server-sent events: /, 'Leave out the framing of server-sent events ("data:" and the blank lines).'],
  [/^a JSON array: /, 'Leave out the brackets and commas of the array around the chunks.'],
  [
    /^a string with an unescaped line feed: /,
    'Write each chunk with a JSON serializer: a line feed inside of a string is \\n.',
  ],
  [/^a JSON text over several lines: /, 'Write each chunk without indentation, on one line.'],
  [/^\d+ lines of NDJSON$/, 'Collect the chunks and answer with the whole message: the plain form does not stream.'],
  [/^an empty body$/, 'Write the body before the response ends: it was empty.'],
]

const timestampAdvice: readonly Advice[] = [
  [/^-?\d/, 'Send a string, not a number.'],
  [/^"\d{4}-\d\d-\d\d"$/, 'Send date and time, not the date alone.'],
  [/^"[\d-]+ /, 'Put a T between date and time.'],
  [/[+-]\d\d:?\d\dZ?"$/, 'Convert to UTC and end with Z instead of an offset.'],
  [/:\d\d(?:\.\d+)?"$/, 'End the timestamp with Z.'],
  [/:\d\d(?:\.(?:\d{1,5}|\d{7,}))?Z"$/, 'Write the fraction of a second with six digits, neither more nor fewer.'],
]

const uuidAdvice: readonly Advice[] = [
  [/^"[0-9a-f]{32}"$/i, 'Send the id with its hyphens.'],
  [
    /^".+[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}.*"$/i,
    'Send the UUID alone, without anything before or behind it.',
  ],
  [/^-?\d/, 'Send the id as a string, not as a number.'],
]

const pagingAdvice: readonly Advice[] = [
  [
    /^a walk without it$/,
    'Start each page with the first message that was not shown: one is skipped between two pages.',
  ],
  [/^message \S+ again$/, 'Start each page after the last message that was shown: one is shown again.'],
]

const refusalAdvice: readonly Advice[] = [
  [/^5\d\d/, 'Find the exception in the log of the service (the trace id is beside the request).'],
  [
    /^none within /,
    'When a caller disconnects, end the stream and release what it holds, such as the lock of its thread, in every case.',
  ],
  [/^404 without error_code$/, 'Add the route: the service does not know it.'],
  [/^4\d\d (?!without)(\w+)$/, 'Find the check that answers $1: it takes a correct request for a wrong one.'],
]

/** Rules whose own advice adds nothing to that for the kind. */
const replaced = new Set(['http.operation-served'])

/** How to fix a violation of a rule with its own advice; `verdicts` are those of the whole report. */
export function fixText(
  verdict: Verdict,
  { rule, fix }: Pick<RuleText, 'rule' | 'fix'>,
  verdicts: readonly Verdict[] = [],
): string {
  const advice = adviceOn(verdict) ?? adviceOfOthers(verdict, verdicts)
  // A name of a field may come from the target.
  const plain = advice === null ? null : visibleLine(advice, 400)
  if (plain !== null && replaced.has(verdict.requirement)) return plain
  return [plain, fix, rejectionAdvice(verdict, rule, fix)].filter((part) => part !== null).join(' ')
}

/** The required form of a missing rejection: the code that the contract fixes, or any. */
function rejectionAdvice({ expected }: Verdict, rule: string, fix: string): string | null {
  if (expected !== 'a rejection' || codeIn(fix) !== null) return null
  const code = codeIn(rule)
  return code === null
    ? 'Any 4xx with the error body of the contract will do.'
    : `The error is ${code}, with any 4xx status.`
}

const codeIn = (text: string): ErrorCode | null =>
  (Object.keys(errorTable) as ErrorCode[]).find((code) => new RegExp(`\\b${code}\\b`).test(text)) ?? null

function adviceOn({ requirement, expected = '', actual = '', pointer }: Verdict): string | null {
  const change = textChangeIn(actual)
  if (change !== null) return matching(textAdvice, change)
  if (requirement === 'resources.timestamp-format') return matching(timestampAdvice, actual)
  if (requirement === 'resources.id-is-uuid') return matching(uuidAdvice, actual)
  if (requirement === 'http.operation-served') return matching(refusalAdvice, actual)
  return matching(formAdvice, actual) ?? matching(pagingAdvice, actual) ?? typeAdvice(expected, actual, pointer)
}

/** The change of a text, as the judge adds it to the changed one: `without the white space at its end`. */
export function textChangeIn(actual: string): string | null {
  return /^"(?:[^"\\]|\\.)*", ([\s\S]+)$/.exec(actual)?.[1] ?? null
}

function matching(all: readonly Advice[], text: string): string | null {
  for (const [pattern, words] of all) {
    const found = pattern.exec(text)
    if (found !== null) return words.replace(/\$(\d)/g, (_, group: string) => found[Number(group)] ?? '')
  }
  return null
}

/** A field of another type; that one is missing says the rule. */
function typeAdvice(expected: string, actual: string, pointer = ''): string | null {
  const wanted = /^an? (?:string|array|object|boolean|integer)\b/.exec(expected)?.[0]
  const field = /^(?:line \d+ )?(\/.+)$/.exec(pointer)?.[1]
  const found = typeOf(actual)
  if (wanted === undefined || field === undefined || found === null || found === wanted) return null
  return `Send ${fieldName(field)} as ${wanted}, ${found === 'null' ? 'never null' : `not as ${found}`}.`
}

/** `items[0].sources` for the pointer `/items/0/sources`. */
const fieldName = (pointer: string): string =>
  pointer
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replace(/^\//, '')
    .replaceAll('/', '.')

function typeOf(actual: string): string | null {
  if (actual === 'null') return 'null'
  if (/^"/.test(actual)) return 'a string'
  if (/^-?\d+$/.test(actual)) return 'a number'
  if (/^(?:true|false)$/.test(actual)) return 'a boolean'
  return /^an (?:empty )?(array|object)$/.exec(actual)?.[1]?.replace(/^/, 'an ') ?? null
}

/** Where other operations refuse what this one accepts, the check exists and is not reached. */
function adviceOfOthers(
  { requirement, expected, operation, facet }: Verdict,
  verdicts: readonly Verdict[],
): string | null {
  if (expected !== 'a rejection') return null
  const own = verdicts.filter(
    (one) => one.requirement === requirement && one.facet === facet && one.operation !== operation,
  )
  const right = new Set(own.filter(({ outcome }) => outcome === 'upheld').map((one) => one.operation))
  const wrong = new Set(own.filter(({ outcome }) => outcome === 'violated').map((one) => one.operation))
  const [nearest] = [...right]
    .filter((one) => !wrong.has(one))
    .sort((one, other) => sharedLength(other, operation) - sharedLength(one, operation))
  return nearest === undefined ? null : `${operationName(nearest)} already rejects this: apply the same check.`
}

/** How many parts of their paths two operations share: related operations often share their checks. */
function sharedLength(one: OperationId, other: OperationId): number {
  const [left = [], right = []] = [one, other].map((id) => operationName(id).split('/').slice(1))
  const end = left.findIndex((part, index) => part !== right[index])
  return end === -1 ? left.length : end
}
