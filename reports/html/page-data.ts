/**
 * Fills the page's data blocks: an index of all exchanges, and the exchanges themselves.
 * All are compressed, and an exchange is read only when it is opened.
 */
import { deflateRawSync } from 'node:zlib'
import { pieceSize, shortPathOf } from '../body-text.ts'
import { counterexampleScript } from '../counterexample-script.ts'
import { curlOf } from '../curl.ts'
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
  const verdicts = verdictsByExchange(report)
  const stored = storedTexts(report.exchanges)
  const details = report.exchanges.map(
    (exchange): ExchangeDetail => ({
      exchange,
      curl: curlOf(exchange),
      sizes: (exchange.response?.pieces ?? []).map(pieceSize),
      isStream: isStream(exchange),
      stored: storedTextOf(exchange, stored),
      verdicts: verdicts.get(exchange.id) ?? [],
    }),
  )
  const blocks = Array.from({ length: Math.ceil(details.length / blockSize) }, (_, index) =>
    compressedBlock(`exchange-block-${index}`, details.slice(index * blockSize, (index + 1) * blockSize)),
  )
  return [compressedBlock('exchange-rows', rows), compressedBlock('scripts', scriptsOf(report, cards)), ...blocks]
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

/** What each exchange proves or breaks, the worst first. */
function verdictsByExchange({ verdicts }: Report): ReadonlyMap<string, readonly CitedVerdict[]> {
  const cited = new Map<string, CitedVerdict[]>()
  const sorted = verdicts.toSorted(
    (one, other) => outcomeOrder.indexOf(one.outcome) - outcomeOrder.indexOf(other.outcome),
  )
  for (const { requirement, operation, facet, outcome, exchanges, witness } of sorted) {
    const setup = (witness?.steps ?? []).map(({ exchange }) => exchange)
    for (const id of new Set([...exchanges, ...setup])) {
      const place = facet === null ? operation : `${operation} · ${facet}`
      const isSetup = !exchanges.includes(id)
      const known = cited.get(id) ?? []
      cited.set(id, [...known, { requirement, place, outcome, words: outcomeWords[outcome], isSetup }])
    }
  }
  return cited
}

/** JSON, compressed, in letters that cannot end a script element. */
function compressedBlock(id: string, value: unknown): Markup {
  const data = deflateRawSync(JSON.stringify(value), { level: 9 }).toString('base64')
  return { markup: `<script type="text/plain" id="${id}">${data}</script>` }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}
