/**
 * Fills the page's data: a small index of all exchanges, parsed once, and the exchanges themselves in blocks that
 * are parsed only when one of them is opened.
 */
import type { Exchange } from '../../conformance/index.ts'
import { pieceSize, shortPathOf } from '../body-text.ts'
import { curlOf } from '../curl.ts'
import type { Report, ReportedExchange } from '../report.ts'
import { jsonBlock, type Markup } from './markup.ts'
import { blockSize, type ExchangeDetail, type ExchangeKind, type ExchangeRow } from './page-data-shape.ts'

/** The rows of all exchanges in order. */
export function exchangeRows(report: Report): readonly ExchangeRow[] {
  const cited = citedByViolations(report)
  return report.exchanges.map((exchange) => ({
    id: exchange.id,
    operation: exchange.intent?.operation ?? 'other',
    method: exchange.request.method,
    path: shortPathOf(exchange.request.url),
    answer: exchange.response === null ? exchange.ending : String(exchange.response.status),
    kind: kindOf(exchange, cited),
    sentAtMs: round(exchange.sentAtMs),
    tookMs: round(exchange.endedAtMs - exchange.sentAtMs),
    pieces: exchange.response?.pieces.length ?? 0,
    probe: exchange.intent?.probe ?? '',
  }))
}

function citedByViolations({ verdicts }: Report): ReadonlySet<string> {
  return new Set(verdicts.filter(({ outcome }) => outcome === 'violated').flatMap(({ exchanges }) => exchanges))
}

function kindOf(exchange: Exchange, cited: ReadonlySet<string>): ExchangeKind {
  if (cited.has(exchange.id)) return 'cited'
  if (exchange.response === null || exchange.ending !== 'complete') return 'failed'
  return exchange.response.status >= 400 ? 'rejected' : 'accepted'
}

/** The data blocks of the page. */
export function dataBlocks(report: Report, rows: readonly ExchangeRow[]): readonly Markup[] {
  const blocks = [jsonBlock('exchange-rows', rows)]
  for (let start = 0; start < report.exchanges.length; start += blockSize) {
    const details = report.exchanges.slice(start, start + blockSize).map(detailOf)
    blocks.push(jsonBlock(`exchange-block-${start / blockSize}`, details))
  }
  return blocks
}

function detailOf(exchange: ReportedExchange): ExchangeDetail {
  const sizes = (exchange.response?.pieces ?? []).map(pieceSize)
  return { exchange, curl: curlOf(exchange), sizes }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}
