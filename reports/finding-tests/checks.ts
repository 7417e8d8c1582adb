/**
 * Derives the assertions of a test from expected, actual and pointer of a verdict. The first matching row decides; a
 * finding without a matching row gets a reason instead of a test.
 */
import { errorTable } from '../../spec/index.ts'
import {
  at,
  type Check,
  citedLists,
  type Finding,
  fragments,
  isFieldOfBlock,
  isOwnFailure,
  itemIds,
  producerOf,
  recordedAt,
  type ValueKind,
  type Values,
  valuesOf,
} from './finding.ts'
import {
  answeredElsewhere,
  answerListed,
  contained,
  distinct,
  emptyPage,
  fullPage,
  inOrder,
  newThread,
  nothingElse,
  sameList,
  sameWalk,
  withoutLater,
} from './list-checks.ts'
import { passesOnRecord } from './recorded-answers.ts'

type Row = readonly [expected: RegExp, checks: (finding: Finding, words: readonly string[]) => readonly Check[] | null]

const outcome = (...of: readonly string[]): Values => ({ kind: 'outcome', of })
const json = (...values: readonly unknown[]): Values => ({ kind: 'json', values })
/** The record or the list of assistants may be wrong, so a correct server need not accept the same one. */
const restsOnRecord = ({ verdict: { requirement } }: Finding): boolean =>
  requirement === 'streams.streaming-assistant-streams' || requirement === 'assistants.listed-can-be-read'
const accepted = ({ last }: Finding): Check => ({ check: 'equal', values: outcome(last), others: json('accepted') })
const refused = ({ last }: Finding): Check => ({ check: 'lacks', values: outcome(last), others: json('accepted') })
const is = (values: Values, kind: ValueKind): Check => ({ check: 'is', values, kind })
const each = (values: Values, kind: ValueKind): Check => ({ check: 'each', values, kind })
/** A field in a line of a stream; tests look at all lines, since the pieces of a stream differ each time. */
const lineField = /^line \d+ (.*)$/
const uuid = '[0-9a-f]{8}-[0-9a-f-]{27}'

/** The meaning of the texts of a field check. */
const kinds: Readonly<Record<string, ValueKind>> = {
  'a string': 'string',
  'a thread_id': 'text',
  'an array': 'array',
  'an array of strings': 'strings',
  'an array of field errors, not empty': 'list',
  'at least one key': 'list',
  'path segments, strings or indices, not empty': 'list',
  'an object': 'object',
  'one JSON object': 'object',
  'one assistant message as a JSON object': 'object',
  'a boolean': 'boolean',
  'an integer': 'integer',
  'more than zero': 'positive',
  'a UUID string': 'uuid',
  'a UTC timestamp with six digits of a second and a trailing Z': 'timestamp',
  'content that is not empty': 'text',
  'an absolute URL': 'text',
  'a detail': 'present',
  'one JSON document in UTF-8': 'present',
  absent: 'unset',
}

const rows: readonly Row[] = [
  [
    /^(?:the success response|a success)\b| leads to the operation$/,
    (finding) => (restsOnRecord(finding) ? null : [accepted(finding)]),
  ],
  [/^a list of thread/, (finding) => [accepted(finding)]],
  [/^a rejection, or/, answeredElsewhere],
  [/^a rejection$/, (finding) => [refused(finding)]],
  [/^(\w+)(?: or (\w+))?$/, errorCode],
  [/^validation_error with an entry that points at (\[.*\])$/, errorAt],
  [/^an entry with loc (\[.*\])$/, errorAt],
  [/^a type that tells of a missing field$/, otherType],
  [/^\d+ (?!messages?$)\w+(?: \w+)?(?:, as in the plain form| with .+)?$/, sameOutcome],
  [
    /^an array of field names$/,
    ({ last, pointer }) => [each(at(pointer.replace(/^\/\d+\//, '/*/').replace(/\/[^/]*$/, '/*'), last), 'strings')],
  ],
  [
    /^a string content and no content_blocks$/,
    ({ last }) => [
      is(at('line * /delta/content', last), 'string'),
      is(at('line * /delta/content_blocks', last), 'unset'),
    ],
  ],
  [
    /^an array content_blocks/,
    ({ last }) => [
      is(at('line * /delta/content_blocks/*', last), 'object'),
      is(at('line * /delta/content', last), 'unset'),
    ],
  ],
  [
    /^one whole JSON object in each line$|^a whole chunk|^at least one chunk$|^UTF-8$|^no byte order mark$/,
    ({ last }) => [is(at('line *', last), 'object')],
  ],
  [/^(\w+) .* of the first chunk$/, ({ last }, [name]) => [{ check: 'same', values: at(`line * /${name}`, last) }]],
  [
    /not before that of the chunk ahead$/,
    ({ last }) => [{ check: 'ascending', values: at('line * /created_at', last) }],
  ],
  [/^a cursor to /, ({ last }) => [is(at('/cursor', last), 'text')]],
  [
    /^a created_at of at most/,
    (finding) => [{ check: 'descending', values: at('/items/*/created_at', ...citedLists(finding)) }],
  ],
  [/^the message of (E\d+) before that of (E\d+)$/, inOrder],
  [/^the same \d+ messages?/, sameList],
  [/, as with limit/, sameWalk],
  [
    /^at most (\d+) messages?$/,
    ({ last }, [most]) => [{ check: 'atMost', values: at('/items/*', last), count: Number(most) }],
  ],
  [/^(\d+) messages?$/, fullPage],
  [/^an empty page$/, emptyPage],
  [/^a new thread without messages$/, newThread],
  [/^only what was added$|^a thread without a trace|^messages of thread/, nothingElse],
  [new RegExp(`^message (${uuid})(?: in the list| on some page)?$`), contained],
  [/^messages that are older than the cursor$/, withoutLater],
  [
    /^(?:every message once|the message once|messages that no page)/,
    (finding) => [{ check: 'distinct', values: at(itemIds, ...citedLists(finding)) }],
  ],
  // A correct server gives no cursor for the last page of the counterexample, so that its request cannot be sent.
  [/^an end of the walk/, () => []],
  [/^the answer(?: in the list of thread .*)?$/, answerListed],
  [/^an id of its own$/, (finding) => [{ check: 'distinct', values: at(itemIds, finding.last) }]],
  [/ of its own for | of the calling tenant only$|^another tenant for|^no id twice/, distinct],
  [
    /^a \w+ of the service's own$/,
    ({ last, pointer, actual }) => [
      { check: 'lacks', values: at(pointer, last), others: json(...(jsonOf(actual) ?? [actual])) },
    ],
  ],
  [new RegExp(`^(?:an answer in thread |id |tenant )?(${uuid})$`), sameId],
  [/^[a-z]+\/[^,]+(?:, [a-z]+\/[^,]+)+$/, allowedTypes],
  [/^meta_data that is valid/, schemaFault],
  [/./, sameElsewhere],
  [/./, fieldKind],
  [/./, sentValue],
  [/./, literalValue],
  [/./, otherThanActual],
]

/**
 * The checks of a finding; `null` when what is expected cannot be said by the checks there are. Checks that all pass on
 * the recorded answers do not test the finding.
 */
export function checksOf(finding: Finding): readonly Check[] | null {
  for (const [pattern, checks] of rows) {
    const match = pattern.exec(finding.expected)
    if (match === null) continue
    const found = checks(finding, match.slice(1))
    if (found !== null) return found.every((check) => passesOnRecord(finding, check)) ? null : found
  }
  return null
}

function errorCode({ last }: Finding, codes: readonly (string | undefined)[]): readonly Check[] | null {
  const known = codes.filter((code) => code !== undefined)
  const isListed = known.every((code) => Object.hasOwn(errorTable, code))
  return isListed ? [{ check: 'contains', values: json(...known), others: outcome(last) }] : null
}

/** An error may point at the field or at what encloses it, so only the first two segments have to be named. */
function errorAt({ last }: Finding, [loc = '']: readonly string[]): readonly Check[] {
  const segments = (JSON.parse(loc) as readonly unknown[]).slice(0, 2)
  return [
    { check: 'equal', values: outcome(last), others: json('validation_error') },
    { check: 'contains', values: at('/detail/*/loc/*', last), others: json(...segments) },
  ]
}

function otherType({ last, actual }: Finding): readonly Check[] {
  return [{ check: 'lacks', values: at('/detail/*/type', last), others: json(...(jsonOf(actual) ?? [null])) }]
}

/** Two answers that have to be alike: the same code, and the same detail where that is what differs. */
function sameOutcome({ last, before, pointer }: Finding): readonly Check[] | null {
  if (before === undefined) return null
  const codes: Check = { check: 'equal', values: outcome(last), others: outcome(before) }
  return pointer === '/detail'
    ? [codes, { check: 'equal', values: at('/detail', last), others: at('/detail', before) }]
    : [codes]
}

function sameId(finding: Finding, [id = '']: readonly string[]): readonly Check[] | null {
  const { last, pointer, actual, verdict } = finding
  const [values, producer] = [at(pointer, last), producerOf(finding, id)]
  if (pointer === '') return null
  // A correct server may refuse an id that no answer has shown: it must not return another record.
  const wrong = verdict.operation === 'getAssistant' && producer === null ? jsonOf(actual) : null
  return wrong === null
    ? [{ check: 'equal', values, others: producer ?? json(id) }]
    : [{ check: 'lacks', values, others: json(...wrong) }]
}

function allowedTypes({ expected, last, pointer }: Finding): readonly Check[] {
  const types = expected.split(', ')
  const values = at(`${pointer}/*`, last)
  return [
    { check: 'contains', values, others: json(...types) },
    { check: 'atMost', values, count: types.length },
  ]
}

function schemaFault({ actual, pointer, last }: Finding): readonly Check[] | null {
  const missing = /required property '(\w+)'/.exec(actual)?.[1]
  if (missing !== undefined) return [is(at(`${pointer}/${missing}`, last), 'present')]
  const kind = /^must be (string|boolean|integer|array|object)$/.exec(actual)?.[1]
  return kind === undefined ? null : [is(at(pointer, last), kind as ValueKind)]
}

function fieldKind(finding: Finding): readonly Check[] | null {
  const { expected, pointer, last } = finding
  const kind = Object.hasOwn(kinds, expected) ? kinds[expected] : undefined
  if (kind === undefined || isOwnFailure(finding) || isFieldOfBlock(pointer)) return null
  const line = lineField.exec(pointer)?.[1]
  if (line === undefined) {
    // A correct server may give fewer sources.
    const isOfSource = /\/sources\/\d+\//.test(pointer)
    return [isOfSource ? each(at(pointer.replace(/\/\d+\//g, '/*/'), last), kind) : is(at(pointer, last), kind)]
  }
  const inAll = at(`line * ${line.replace(/\/\d+(?=\/|$)/g, '/*')}`, last)
  return [/\/\d+(?=\/|$)/.test(line) ? each(inAll, kind) : is(inAll, kind)]
}

/** A field of a resource that another cited answer shows with another value. */
function sameElsewhere(finding: Finding): readonly Check[] | null {
  const { last, pointer, verdict, steps } = finding
  const [, parent = '', field = ''] = /^(.*)\/(\w+)$/.exec(pointer) ?? []
  const id = recordedAt(finding, last, `${parent}/id`)
  if (typeof id !== 'string' || field === '') return null
  for (const source of verdict.exchanges) {
    if (source === last || !steps.has(source)) continue
    const found = valuesOf(finding, source).find((one) => one.value === id && /\/(?:message_)?id$/.test(one.pointer))
    if (found === undefined) continue
    const { pointer: of } = found
    const others = of.startsWith('line') ? fragments(finding, source, field) : at(of.replace(/id$/, field), source)
    if (others === null) return null
    const list = /^(.*)\/\d+$/.exec(parent)?.[1]
    const values: Values =
      list === undefined ? at(pointer, last) : { kind: 'field', field, list: at(`${list}/*`, last), id: at(of, source) }
    return [{ check: 'equal', values, others }]
  }
  return null
}

/** A value that the request sent and the answer has to repeat. */
function sentValue({ steps, last, pointer, verdict }: Finding): readonly Check[] | null {
  const body = steps.get(last)?.body ?? null
  if (body === null || !('utf8' in body) || verdict.requirement !== 'threads.create-echoes') return null
  const sent = (JSON.parse(body.utf8) as Readonly<Record<string, unknown>>)[pointer.slice(1)]
  return [{ check: 'equal', values: at(pointer, last), others: json(sent) }]
}

function literalValue({ expected, pointer, last }: Finding): readonly Check[] | null {
  const values = /^"…|…"$/.test(expected) ? null : jsonOf(expected)
  if (values === null) return null
  const line = lineField.exec(pointer)?.[1]
  return line === undefined
    ? [{ check: 'equal', values: at(pointer, last), others: json(...values) }]
    : [{ check: 'contains', values: json(...values), others: at(`line * ${line}`, last) }]
}

/** The fallback: the wrong value must not occur again. */
function otherThanActual(finding: Finding): readonly Check[] | null {
  const { last, pointer, actual } = finding
  if (pointer === '' || isOwnFailure(finding)) return null
  const values = at(pointer, last)
  if (actual === 'missing') return [is(values, 'present')]
  const found = recordedAt(finding, last, pointer)
  if (!['string', 'number', 'boolean'].includes(typeof found)) return null
  if (new RegExp(`${uuid}|^\\d{4}-\\d\\d-\\d\\dT`).test(String(found))) return null
  return [{ check: 'lacks', values, others: json(found) }]
}

function jsonOf(text: string): readonly unknown[] | null {
  try {
    return [JSON.parse(text)]
  } catch {
    return null
  }
}
