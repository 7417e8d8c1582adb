/**
 * The evidence of one broken place: both sides, the lists or responses that contradict each other, and where.
 * The response with the marked value is beside what it is compared with, so that nobody has to open two dialogs.
 */

import { countText } from '../../spec/index.ts'
import type { AskedCall } from '../asked-call.ts'
import { bodyBuffer, bufferOf, exchangeLine, jsonOf, shortPathOf, utf8Of } from '../body-text.ts'
import type { CardPlace } from '../failure-card.ts'
import type { Headline } from '../headline.ts'
import type { ReportedExchange } from '../report.ts'
import { type ExcerptLine, jsonExcerpt, pointerKeys } from './json-excerpt.ts'
import { type ListComparison, listComparison } from './list-comparison.ts'
import { type Content, html, type Markup, preformatted } from './markup.ts'
import { textDifference } from './text-difference.ts'

export type Exchanges = ReadonlyMap<string, ReportedExchange>

/** What an item says, and not where it stands. */
const fieldOfItem = /^\/items\/\d+\/(?!created_at$|id$)/

/** Expected and actual, then what shows it. */
export function evidence(place: CardPlace, exchanges: Exchanges): Markup {
  const cited = place.steps.filter((step) => step.cited).flatMap(({ exchange }) => exchanges.get(exchange) ?? [])
  const table = fieldOfItem.test(place.pointer ?? '') ? null : listComparison(cited)
  const boxes = boxesOf(place, cited, { hasTable: table !== null, exchanges })
  return html`${sides(place)}${table === null ? null : listTable(table)}
${boxes.length === 0 ? null : html`<div class="excerpts">${boxes.map(excerptFigure)}</div>`}`
}

/** Expected beside actual. */
export function sides({ expected, actual, pointer }: CardPlace): Markup {
  const difference = textDifference(expected, actual)
  const marked = (own: string): Markup =>
    difference === null
      ? (surplusMarked(own, own === expected ? actual : expected) ?? proseText(clamped(own)))
      : html`${difference.before}<mark>${visibleBlanks(own)}</mark>${difference.after}`
  return html`<dl class="sides"><div><dt>Expected</dt><dd>${marked(difference?.left ?? expected)}</dd></div><div class="actual"><dt>Actual${pointer === null || pointer === '' ? null : html` at <code>${pointer}</code>`}</dt><dd>${marked(difference?.right ?? actual)}</dd></div></dl>${typeChange(expected, actual)}`
}

/** A quoted text that has more than the other one at its ends, as one that is not trimmed: what it has more is marked. */
function surplusMarked(own: string, other: string): Markup | null {
  const [text = '', part = ''] = [own, other].map((side) => /^"([\s\S]*)"$/.exec(side)?.[1])
  const at = text.indexOf(part)
  if (part === '' || at < 0 || text.length > longestSide) return null
  const mark = (more: string): Markup | null => (more === '' ? null : html`<mark>${visibleBlanks(more)}</mark>`)
  return html`"${mark(text.slice(0, at))}${part}${mark(text.slice(at + part.length))}"`
}

/** `null → array`: where a value is of another type, the two types are all that matters. */
function typeChange(expected: string, actual: string): Markup | null {
  const wanted = /^an? (string|array|object|boolean|integer)$/.exec(expected)?.[1]
  const found = typeNamed(actual)
  return wanted === undefined || found === null
    ? null
    : html`<p class="hint"><code>${found}</code> → <code>${wanted}</code></p>`
}

function typeNamed(actual: string): string | null {
  if (/^(?:null|missing)$/.test(actual)) return actual
  if (/^"/.test(actual)) return 'string'
  if (/^-?\d/.test(actual)) return 'number'
  return /^(?:true|false)$/.test(actual) ? 'boolean' : (/^an (?:empty )?(array|object)$/.exec(actual)?.[1] ?? null)
}

/** Blanks at the border of a difference would be invisible. */
function visibleBlanks(text: string): string {
  return text === '' ? '∅' : text.replace(/^ +| +$/g, (blanks) => '·'.repeat(blanks.length))
}

/** Letters of a side that are shown; the exchange has all. */
const longestSide = 500

function clamped(text: string): string {
  return text.length <= longestSide ? text : `${[...text].slice(0, longestSide).join('')}…`
}

/** Where, and what was found there. */
export function headlineMarkup({ operation, finding }: Headline): Markup {
  return html`<code>${operation}</code> <b>${proseText(clamped(finding))}</b>`
}

/** A sentence with its long ids cut to their first part; the whole id is a tooltip. */
export function proseText(text: string): Markup {
  const parts = text.split(/\b([0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24}))\b/i)
  return html`${parts.map((part, index): Content => (index % 2 === 0 ? part : html`<code title="${part}">${part.slice(0, 8)}…</code>`))}`
}

function listTable({ columns, rows, hiddenRows }: ListComparison): Markup {
  const rowMarkup = rows.map(
    ({ letter, id, places }) =>
      html`<tr><th scope="row">${letter} <code title="${id}">${id.slice(0, 8)}${id.length > 8 ? '…' : ''}</code></th>${places.map((place, index) => placeCell(place, columns[index]?.isWhole ?? true))}</tr>`,
  )
  return html`<table class="lists"><caption class="unseen">Which list has which item, and at which place</caption><thead><tr><th scope="col">item</th>${columns.map(({ title, exchanges }) => html`<th scope="col">${title} <small>${exchangeRange(exchanges)}</small></th>`)}</tr></thead><tbody>${rowMarkup}</tbody></table>${hiddenRows === 0 ? null : html`<p class="hint">${countText(hiddenRows, 'more item is', 'more items are')} left out here.</p>`}`
}

function placeCell(place: number | null, isWhole: boolean): Markup {
  if (place !== null) return html`<td>${place}</td>`
  return isWhole ? html`<td class="lacking">missing</td>` : html`<td>–</td>`
}

function exchangeRange(ids: readonly string[]): Content {
  const links = ids.length <= 3 ? ids : [ids[0] ?? '', ids.at(-1) ?? '']
  return links.map((id, index) => html`${index === 0 ? '' : ids.length > 3 ? ' to ' : ', '}<a href="#${id}">${id}</a>`)
}

interface ExcerptBox {
  readonly exchange: string
  readonly title: string
  readonly lines: readonly ExcerptLine[]
}

/** What is compared first, the wrong response last. */
function boxesOf(
  place: CardPlace,
  cited: readonly ReportedExchange[],
  { hasTable, exchanges }: { readonly hasTable: boolean; readonly exchanges: Exchanges },
): readonly ExcerptBox[] {
  const wrong = place.steps.find(({ cited, shows }) => cited && /(^|; )expected /.test(shows))?.exchange
  const culprit = cited.find(({ id }) => id === wrong) ?? cited.at(-1)
  if (culprit === undefined) return []
  if (hasTable && /^(\/items)?$/.test(place.pointer ?? '')) return []
  if (place.call !== null) return callBoxes(place.call, culprit, { place, exchanges })
  const compared = hasTable ? undefined : cited.findLast((one) => one !== culprit && one.response !== null)
  const answer = withBreak(responseBox(culprit, place.pointer, place.actual), place)
  const isAboutRequest = place.pointer === null || place.pointer === '/error_code'
  if (compared !== undefined) {
    const request = place.pointer === null && culprit.request.body !== null ? [requestBox(culprit)] : []
    return [comparedBox(compared, place), ...request, answer]
  }
  const keyLine = place.obligation.startsWith('auth.') ? keyLineOf(culprit) : ''
  return culprit.request.body !== null || isAboutRequest ? [requestBox(culprit, null, keyLine), answer] : [answer]
}

/** A line that breaks off inside of a string is shown around the break: its beginning is right. */
function withBreak({ lines, ...box }: ExcerptBox, { lineBreak }: CardPlace): ExcerptBox {
  return { ...box, lines: typeof lineBreak === 'string' ? [...lines.slice(0, 1), marked(lineBreak)] : lines }
}

/** The key of a request in words: a report holds no key, and where a rule is about keys the request shows nothing else. */
function keyLineOf({ request, credential }: ReportedExchange): string {
  const [name, value] = request.headers.find(([one]) => one.toLowerCase() === 'api-key') ?? []
  if (name === undefined) return '(no api-key header)'
  const key = value === '' ? 'empty' : credential === null ? 'a key that no tenant has' : `the ${credential} key`
  return `${name}: <${key}>`
}

/** A tool message beside the message that asked for its call, the call id marked in both. */
function callBoxes(
  { asked }: AskedCall,
  answer: ReportedExchange,
  { place, exchanges }: { readonly place: CardPlace; readonly exchanges: Exchanges },
): readonly ExcerptBox[] {
  const asking = asked === null ? undefined : exchanges.get(asked.exchange)
  return [
    ...(asking === undefined || asked === null ? [] : [responseBox(asking, asked.pointer)]),
    requestBox(answer, '/tool_call_id'),
    responseBox(answer, place.pointer, place.actual),
  ]
}

/** The response that another one contradicts, marked where it has the same value: an item of a list, or the item alone. */
function comparedBox(exchange: ReportedExchange, { pointer, expected }: CardPlace): ExcerptBox {
  if (pointer === null || !pointer.startsWith('/') || pointer.startsWith('/headers/'))
    return responseBox(exchange, pointer)
  const body = jsonOf(bodyBuffer(exchange.response?.pieces ?? []))
  const places = [pointer, pointer.replace(/^\/items\/\d+/, '')]
  const found = places.find((place) => place !== '' && holds(body, pointerKeys(place)))
  if (found !== undefined) return responseBox(exchange, found, expected)
  const { lines, ...box } = responseBox(exchange, null)
  return { ...box, lines: lines.map(({ text }) => plain(text)) }
}

function holds(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
  return holds((value as Readonly<Record<string, unknown>>)[key], rest)
}

/** Headers of a request that say nothing about a rule. */
const plainHeaders =
  /^(host|connection|content-length|content-type|accept|accept-encoding|user-agent|api-key|transfer-encoding)$/i

function requestBox(exchange: ReportedExchange, pointer: string | null = null, keyLine = ''): ExcerptBox {
  const { id, request } = exchange
  const headers = request.headers
    .filter(([name]) => !plainHeaders.test(name))
    .map(([name, value]) => plain(`${name}: ${value}`))
  const body = request.body === null ? [] : bodyLines(utf8Of(bufferOf(request.body)), pointer)
  return {
    exchange: id,
    title: 'request',
    lines: [
      plain(`${request.method} ${shortPathOf(request.url)}`),
      ...(keyLine === '' ? [] : [plain(keyLine)]),
      ...headers,
      ...(pointer === null ? body.map(({ text }) => plain(text)) : body),
    ],
  }
}

function responseBox(exchange: ReportedExchange, pointer: string | null, told = ''): ExcerptBox {
  const { response } = exchange
  const title = `response of ${exchangeLine(exchange)}`
  if (response === null) return { exchange: exchange.id, title, lines: [marked(exchange.failure ?? exchange.ending)] }
  const header = /^\/headers\/(.+)$/.exec(pointer ?? '')?.[1]
  const text = utf8Of(bodyBuffer(response.pieces))
  const lines =
    header === undefined
      ? bodyLines(text, pointer, told)
      : response.headers.map(([name, value]) => ({ text: `${name}: ${value}`, marked: name.toLowerCase() === header }))
  return {
    exchange: exchange.id,
    title,
    lines: [...(pointer === null ? [marked(String(response.status))] : []), ...lines],
  }
}

/** The lines of a body around what the pointer names: a JSON pointer, or `line 9 /delta` of a stream. */
function bodyLines(text: string | null, pointer: string | null, told = ''): readonly ExcerptLine[] {
  if (text === null) return [plain('(no text)')]
  const [, number, rest = ''] = /^line (\d+) ?(.*)$/.exec(pointer ?? '') ?? []
  const line = number === undefined ? text : (text.split('\n')[Number(number) - 1] ?? '')
  const lines = documentLines(line, number === undefined ? pointer : rest, told)
  return number === undefined ? lines : [plain(`line ${number}`), ...lines]
}

/** Lines of a text that is no JSON document, as a stream: the drawer has all of them. */
const shownTextLines = 3
const longestLine = 160

const cutLine = (line: string): string =>
  line.length > longestLine ? `${[...line].slice(0, longestLine).join('')}…` : line

function documentLines(text: string, pointer: string | null, told: string): readonly ExcerptLine[] {
  try {
    const lines = jsonExcerpt(JSON.parse(text), pointerKeys(pointer ?? ''), told)
    return pointer === null ? lines.map((line) => plain(line.text)) : lines
  } catch {
    const lines = text.trimEnd().split('\n')
    const more = lines.length - shownTextLines
    return [
      ...lines.slice(0, shownTextLines).map((line) => ({ text: cutLine(line), marked: pointer !== null })),
      ...(more > 0 ? [plain(`… ${countText(more, 'more line')}`)] : []),
    ]
  }
}

const plain = (text: string): ExcerptLine => ({ text, marked: false })
const marked = (text: string): ExcerptLine => ({ text, marked: true })

function excerptFigure({ exchange, title, lines }: ExcerptBox): Markup {
  const shown = lines.map(({ text, marked }) =>
    marked ? html`<mark>${preformatted(text)}</mark>\n` : html`${preformatted(text)}\n`,
  )
  return html`<figure class="excerpt"><figcaption><a href="#${exchange}">${exchange}</a> ${title}</figcaption><pre>${shown}</pre></figure>`
}
