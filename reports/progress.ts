/**
 * Shows the progress of a run: chapter, exchanges, model calls of the cap, time left.
 * A terminal gets one line that is overwritten; a CI log gets a plain line at fixed shares of the plan.
 */

import pc from 'picocolors'
import type { RunEvent } from '../conformance/index.ts'
import { countText } from '../spec/index.ts'
import { shareText } from './share-text.ts'

export interface ProgressOptions {
  readonly color?: boolean
  /** Whether the line may be written over. */
  readonly tty?: boolean
  /** Width of the terminal; only a text that fits into one line can be overwritten. Default 80. */
  readonly columns?: number | undefined
  /** Milliseconds on any steady clock; for tests. */
  readonly now?: () => number
}

type WriteText = (text: string) => void

interface Progress {
  readonly startedMs: number
  chapter: string
  exchanges: number
  modelCalls: number
  plannedExchanges: number | null
  maxModelCalls: number | null
  shownMs: number
  /** Shares of the plan that a log has a line for, or that went by too soon for one. */
  shares: number
}

/** At most this often the line is written over, milliseconds. */
const redrawEveryMs = 80
/** A log gets no line before, milliseconds: most runs are over by then, and their log begins with the result. */
const firstLineMs = 5_000
/** Lines of a log are for the first, second and third quarter of the plan. */
const logShares = 4
const chapterColumns = 13
const eraseLine = '\r\u001b[2K'

/** A listener for the events of a run that shows its progress through `write`. */
export function progressView(write: WriteText, options: ProgressOptions = {}): (event: RunEvent) => void {
  const { color = false, tty = false, columns = 80, now = () => performance.now() } = options
  const paint = pc.createColors(color)
  const progress: Progress = {
    startedMs: now(),
    chapter: '',
    exchanges: 0,
    modelCalls: 0,
    plannedExchanges: null,
    maxModelCalls: null,
    shownMs: tty ? -Infinity : now(),
    shares: 0,
  }
  return (event) => {
    note(progress, event)
    const nowMs = now()
    if (event.type === 'finished') write(`${tty ? eraseLine : ''}${paint.dim(closingLine(progress))}\n`)
    else if (!tty) writePlainLine(write, event, progress, nowMs)
    else if (nowMs - progress.shownMs >= redrawEveryMs) {
      progress.shownMs = nowMs
      const rest = ` ${spending(progress)}${timeLeft(progress, nowMs)}`
      const room = Math.max(0, columns - 1 - chapterColumns)
      write(`${eraseLine}${paint.bold(progress.chapter.padEnd(chapterColumns))}${rest.slice(0, room)}`)
    }
  }
}

function note(progress: Progress, event: RunEvent): void {
  if (event.type === 'planned') {
    progress.plannedExchanges = event.plan.exchanges
    const { maxModelCalls, reserve } = event.plan.caps
    progress.maxModelCalls = maxModelCalls === null ? null : maxModelCalls + reserve.modelCalls
  }
  if (event.type === 'chapter' && event.state === 'started') progress.chapter = event.chapter
  if (event.type === 'exchanged') {
    progress.exchanges = event.cost.exchanges
    // A failed call sometimes gives its reservation back; a decreasing figure would look like a fault.
    progress.modelCalls = Math.max(progress.modelCalls, event.cost.modelCalls)
  }
  if (event.type === 'finished') progress.modelCalls = event.trace.footer?.modelCalls ?? progress.modelCalls
}

function writePlainLine(write: WriteText, event: RunEvent, progress: Progress, nowMs: number): void {
  if (event.type === 'planned')
    write(
      `planned: ${countText(event.plan.exchanges, 'exchange')}, ${countText(event.plan.modelCalls, 'model call')}\n`,
    )
  const { exchanges, plannedExchanges, startedMs, shares } = progress
  if (event.type !== 'exchanged' || plannedExchanges === null) return
  const reached = Math.min(logShares - 1, Math.floor((exchanges * logShares) / plannedExchanges))
  if (reached <= shares) return
  progress.shares = reached
  if (nowMs - startedMs < firstLineMs) return
  write(`progress: ${spending(progress)}${timeLeft(progress, nowMs)}\n`)
}

function closingLine(progress: Progress): string {
  return `${countText(progress.exchanges, 'exchange')}, ${callsOf(progress)}`
}

function spending(progress: Progress): string {
  const { exchanges, plannedExchanges } = progress
  const planned = plannedExchanges === null || exchanges > plannedExchanges ? null : plannedExchanges
  return `${shareText(exchanges, planned, 'exchange')}, ${callsOf(progress)}`
}

function callsOf({ modelCalls, maxModelCalls }: Progress): string {
  return shareText(modelCalls, maxModelCalls, 'model call')
}

/** From the pace so far; nothing until the pace is known, and once the plan is spent. The report has the total time. */
function timeLeft({ startedMs, exchanges, plannedExchanges }: Progress, nowMs: number): string {
  const elapsedMs = nowMs - startedMs
  if (plannedExchanges === null || exchanges < 5 || exchanges >= plannedExchanges) return ''
  const leftMs = (elapsedMs / exchanges) * (plannedExchanges - exchanges)
  return leftMs < 60_000
    ? `, about ${Math.ceil(leftMs / 1000)} s left`
    : `, about ${Math.ceil(leftMs / 60_000)} min left`
}
