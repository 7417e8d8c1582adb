/**
 * Fills the page's data blocks: an index of all exchanges, and the exchanges themselves.
 * All are compressed, and an exchange is read only when it is opened.
 */
import { deflateRawSync } from 'node:zlib'
import type { Verdict } from '../../conformance/index.ts'
import { shortPathOf } from '../body-text.ts'
import { counterexampleScript } from '../counterexample-script.ts'
import type { FailureCard } from '../failure-card.ts'
import type { Report, ReportedExchange } from '../report.ts'
import { outcomeOrder, outcomeWords } from '../severity.ts'
import type { Markup } from './markup.ts'
import {
  blockSize,
  type CitedVerdict,
  type ExchangeDetail,
  type ExchangeKind,
  type ExchangeRow,
} from './page-data-shape.ts'
import { isStream, storedTextOf, storedTexts } from './stream-exchange.ts'

/** The rows of all exchanges in order. */
export function exchangeRows(report: Report): readonly ExchangeRow[] {
  const cited = new Set(
    report.verdicts.filter(({ outcome }) => outcome === 'violated').flatMap(({ exchanges }) => exchanges),
  )
  return report.exchanges.map((exchange) => ({
    id: exchange.id,
    operation: exchange.intent?.operation ?? 'other',
    method: exchange.request.method,
    path: shortPathOf(exchange.request.url),
    answer: exchange.response === null ? exchange.ending : String(exchange.response.status),
    kind: kindOf(exchange, cited),
    sentAtMs: round(exchange.sentAtMs),
    tookMs: round(exchange.endedAtMs - exchange.sentAtMs),
    probe: exchange.intent?.probe ?? '',
  }))
}

function kindOf(exchange: ReportedExchange, cited: ReadonlySet<string>): ExchangeKind {
  if (cited.has(exchange.id)) return 'cited'
  if (exchange.response === null || exchange.ending !== 'complete') return 'failed'
  return exchange.response.status >= 400 ? 'rejected' : 'accepted'
}

/** The data blocks of the page. */
export function dataBlocks(
  report: Report,
  rows: readonly ExchangeRow[],
  cards: readonly FailureCard[],
): readonly Markup[] {
  const sorted = report.verdicts.toSorted(
    (one, other) => outcomeOrder.indexOf(one.outcome) - outcomeOrder.indexOf(other.outcome),
  )
  const proves = placesByExchange(sorted, ({ exchanges }) => exchanges)
  const prepares = placesByExchange(sorted, ({ exchanges, witness }) =>
    (witness?.steps ?? []).map(({ exchange }) => exchange).filter((id) => !exchanges.includes(id)),
  )
  const stored = storedTexts(report.exchanges)
  const details = report.exchanges.map(
    (exchange): ExchangeDetail => ({
      exchange,
      isStream: isStream(exchange),
      stored: storedTextOf(exchange, stored),
      verdicts: proves.get(exchange.id) ?? [],
      setupOf: prepares.get(exchange.id) ?? [],
    }),
  )
  const blocks = Array.from({ length: Math.ceil(details.length / blockSize) }, (_, index) =>
    compressedBlock(`exchange-block-${index}`, details.slice(index * blockSize, (index + 1) * blockSize)),
  )
  return [
    compressedBlock('exchange-rows', rows),
    compressedBlock('scripts', scriptsOf(report, cards)),
    compressedBlock('verdicts', sorted.map(citedVerdict)),
    ...blocks,
  ]
}

const noScript = '# The report does not hold every request of it; acs replay sends them again.\n'

/** Each counterexample as a shell script, by the name that its button has. */
function scriptsOf({ exchanges }: Report, cards: readonly FailureCard[]): Readonly<Record<string, string>> {
  const known = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
  const scripts = cards.flatMap(({ places }) =>
    places.map((place) => [`script ${place.obligation}`, counterexampleScript(place, known) ?? noScript] as const),
  )
  return Object.fromEntries(scripts)
}

function citedVerdict({ requirement, operation, facet, outcome }: Verdict): CitedVerdict {
  const place = facet === null ? operation : `${operation} · ${facet}`
  return { requirement, place, outcome, words: outcomeWords[outcome] }
}

/** The places of the verdicts that name each exchange. */
function placesByExchange(
  verdicts: readonly Verdict[],
  exchangesOf: (verdict: Verdict) => readonly string[],
): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const [place, verdict] of verdicts.entries()) {
    for (const id of new Set(exchangesOf(verdict))) places.set(id, [...(places.get(id) ?? []), place])
  }
  return places
}

/** JSON, compressed, in letters that cannot end a script element. Times are rounded, since random digits do not compress. */
function compressedBlock(id: string, value: unknown): Markup {
  const json = JSON.stringify(value, (_, one) => (typeof one === 'number' ? round(one) : one))
  const data = deflateRawSync(json, { level: 9 }).toString('base64')
  return { markup: `<script type="text/plain" id="${id}">${data}</script>` }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}
