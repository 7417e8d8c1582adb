/**
 * Runs the gate tier with judging in its own process, alternating with the same requests sent by bare undici.
 * Takes a GateJob and prints a GateResult. The first turn warms both up and is not counted.
 */

import { referenceProfile } from '../../cli/reference-profile.ts'
import { judge } from '../../conformance/index.ts'
import { replayBare } from './bare-replay.ts'
import type { GateJob, GateResult, GateTurn } from './gate.ts'
import { recordGate } from './record.ts'

const { url, rounds } = JSON.parse(process.argv[2] ?? '') as GateJob

const turn = async (number: number): Promise<GateTurn> => {
  const baseUrl = `${url}/w/gate-${number}`
  const startedAt = performance.now()
  const trace = await recordGate(baseUrl, number)
  const recordedAt = performance.now()
  const { outcome, verdicts } = judge(trace)
  const judgedAt = performance.now()
  const violated = verdicts.filter((verdict) => verdict.outcome === 'violated').length
  if (violated > 0) throw new Error(`gate run ${number} ended ${outcome} with ${violated} violated`)
  const bareAt = performance.now()
  const bareAnswers = await replayBare(trace, referenceProfile(baseUrl))
  return {
    exchanges: trace.exchanges.length,
    modelCalls: trace.footer?.modelCalls ?? 0,
    runMs: recordedAt - startedAt,
    judgeMs: judgedAt - recordedAt,
    bareAnswers,
    bareMs: performance.now() - bareAt,
  }
}

const turns: GateTurn[] = []
for (let number = 0; number <= rounds; number += 1) {
  const taken = await turn(number)
  if (number > 0) turns.push(taken)
}
const result: GateResult = { turns }
console.log(JSON.stringify(result))
