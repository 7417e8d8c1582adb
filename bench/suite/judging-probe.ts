/**
 * Judges one trace of a given length in a process of its own, again and again, and weighs it.
 * Needs `--expose-gc`; takes a JudgingJob and prints a JudgingResult.
 */
import { judge } from '../../conformance/index.ts'
import type { JudgingJob, JudgingResult } from './judging.ts'
import { repeated } from './long-trace.ts'
import { recordGate } from './record.ts'

const { url, exchanges: wanted, judgements } = JSON.parse(process.argv[2] ?? '') as JudgingJob

const heapBytes = (): number => {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

const recorded = await recordGate(url, 1)
// One judgement beforehand, so that all code is compiled.
let last = judge(recorded)
const emptyBytes = heapBytes()
const trace = repeated(recorded, Math.max(1, Math.round(wanted / recorded.exchanges.length)))
const traceBytes = heapBytes() - emptyBytes
const perSecond: number[] = []
for (let round = 0; round < judgements; round += 1) {
  const startedAt = performance.now()
  last = judge(trace)
  perSecond.push((1000 * trace.exchanges.length) / (performance.now() - startedAt))
}
const violated = last.verdicts.filter(({ outcome }) => outcome === 'violated')
if (violated.length > 0) {
  throw new Error(`the repeated trace contradicts itself: ${violated.map(({ requirement }) => requirement).join(', ')}`)
}
const result: JudgingResult = {
  exchanges: trace.exchanges.length,
  perSecond,
  traceBytes,
  judgementBytes: heapBytes() - emptyBytes - traceBytes,
  peakRssBytes: process.resourceUsage().maxRSS * 1024,
}
console.log(JSON.stringify(result))
