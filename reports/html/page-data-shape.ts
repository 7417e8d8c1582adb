/** Defines the data blocks shared by the page and its script. It knows neither files nor documents. */
import type { ReportedExchange } from '../report.ts'

/** The kind of an exchange for drawing and filtering. `cited`: it shows a violation. */
export const exchangeKinds = ['accepted', 'rejected', 'failed', 'cited'] as const
export type ExchangeKind = (typeof exchangeKinds)[number]

/** One line of the list. */
export interface ExchangeRow {
  readonly id: string
  readonly operation: string
  readonly method: string
  readonly path: string
  /** Status, or its ending without one. */
  readonly answer: string
  readonly kind: ExchangeKind
  readonly sentAtMs: number
  readonly tookMs: number
  readonly probe: string
}

/** The content of a message as a list shows it. */
export interface StoredText {
  readonly exchange: string
  readonly content: string
}

/** A verdict that exchanges are evidence of. */
export interface CitedVerdict {
  readonly requirement: string
  readonly place: string
  readonly outcome: string
  /** The outcome in words. */
  readonly words: string
}

/** One exchange as the drawer shows it. */
export interface ExchangeDetail {
  readonly exchange: ReportedExchange
  readonly isStream: boolean
  /** For a stream: the message that was stored. */
  readonly stored: StoredText | null
  /** The verdicts that it supports, as indexes in the block of verdicts, the worst first. */
  readonly verdicts: readonly number[]
  /** Verdicts whose violation it only prepares. */
  readonly setupOf: readonly number[]
}

/** How many exchanges are in one block. */
export const blockSize = 200
