/** Judges one long trace in a process of its own; takes a LongJudgingJob and prints a LongJudgingResult. */
import { judgeLongFile } from '../../conformance/index.ts'
import type { LongJudgingJob, LongJudgingResult } from './long-judging.ts'

const { file } = JSON.parse(process.argv[2] ?? '') as LongJudgingJob
const startedAt = performance.now()
const { evidence, judgement } = await judgeLongFile([file])
const seconds = (performance.now() - startedAt) / 1000
const violated = judgement.verdicts.filter(({ outcome }) => outcome === 'violated')
if (violated.length > 0) throw new Error(`sound traffic violates ${violated[0]?.requirement}`)
const { user, system } = process.cpuUsage()
const result: LongJudgingResult = {
  exchanges: evidence.footer?.exchanges ?? 0,
  seconds,
  cpuSeconds: (user + system) / 1e6,
  peakRssBytes: process.resourceUsage().maxRSS * 1024,
}
console.log(JSON.stringify(result))
