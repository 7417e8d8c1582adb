/** The contract between the page and its script: what the data blocks hold. Knows neither files nor documents. */
import type { ReportedExchange } from '../report.ts'

/** How an exchange is drawn and filtered. `cited`: it shows a violation. */
export const exchangeKinds = ['accepted', 'rejected', 'failed', 'cited'] as const
export type ExchangeKind = (typeof exchangeKinds)[number]

/** One line of the list. */
export interface ExchangeRow {
  readonly id: string
  readonly operation: string
  readonly method: string
  readonly path: string
  /** Status, or how it ended without one. */
  readonly answer: string
  readonly kind: ExchangeKind
  readonly sentAtMs: number
  readonly tookMs: number
  readonly pieces: number
  readonly probe: string
}

/** One exchange as the dialog shows it. */
export interface ExchangeDetail {
  readonly exchange: ReportedExchange
  readonly curl: string
  readonly sizes: readonly number[]
}

/** How many exchanges stand in one block. */
export const blockSize = 100
