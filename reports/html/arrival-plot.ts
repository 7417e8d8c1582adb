/**
 * Draws how a stream arrived: time to the right, bytes upward, one step for each piece.
 * Both the page and its script use it, so it knows neither files nor documents.
 */

/** One piece of a body. */
interface Arrival {
  /** Milliseconds after the request was sent. */
  readonly afterMs: number
  readonly sizeBytes: number
}

interface ArrivalPlot {
  /** Path data of the step line. */
  readonly line: string
  /** Path data of a mark at each piece. */
  readonly marks: string
  readonly totalMs: number
  readonly totalBytes: number
  readonly firstMs: number
  readonly longestGapMs: number
}

/** The plot in a box of `width` × `height` units. */
export function arrivalPlot(arrivals: readonly Arrival[], width: number, height: number): ArrivalPlot {
  const totalMs = Math.max(0.001, arrivals.at(-1)?.afterMs ?? 0)
  const totalBytes = Math.max(
    1,
    arrivals.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  )
  let line = `M0 ${height}`
  let marks = ''
  let seen = 0
  let longestGapMs = 0
  for (const [index, { afterMs, sizeBytes }] of arrivals.entries()) {
    seen += sizeBytes
    const x = round((afterMs / totalMs) * width)
    const y = round(height - (seen / totalBytes) * height)
    line += `H${x}V${y}`
    marks += `M${x} ${y}h0`
    if (index > 0) longestGapMs = Math.max(longestGapMs, afterMs - (arrivals[index - 1]?.afterMs ?? 0))
  }
  return { line, marks, totalMs, totalBytes, firstMs: arrivals[0]?.afterMs ?? 0, longestGapMs }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** One sentence that describes the plot. */
export function arrivalSentence(plot: ArrivalPlot, pieces: number): string {
  return `${pieces} pieces, ${plot.totalBytes} bytes; the first after ${msText(plot.firstMs)}, the last after ${msText(plot.totalMs)}, the longest pause ${msText(plot.longestGapMs)}`
}

/** A readable time, with tenths only where they matter. */
export function msText(ms: number): string {
  if (ms === 0) return '0 ms'
  return ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
