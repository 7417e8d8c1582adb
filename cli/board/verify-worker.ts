/** The worker thread of a board: gets files of bundles, verifies each, and sends back what it shows. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { certifiedRun } from '../../reports/index.ts'
import { verifyBySuite } from '../verify-by-suite.ts'
import type { BoardDemands, BoardVerdict } from './verify-bundles.ts'

const { now, trustedKeyIds } = workerData as BoardDemands

parentPort?.on('message', async (file: string) => {
  const verdict = await verdictOf(file).catch((cause: unknown) => ({ file, problem: String(cause) }))
  parentPort?.postMessage(verdict satisfies BoardVerdict)
})

const verdictOf = async (file: string): Promise<BoardVerdict> => {
  const verification = await verifyBySuite(readFileSync(file), {
    now,
    allowExpired: true,
    demands: { outcome: 'any', ...(trustedKeyIds.length === 0 ? {} : { trustedKeyIds }) },
  })
  const run = certifiedRun(basename(file), verification)
  if (run !== null) return { file, run }
  const [problem = 'it is not verified'] = [
    ...verification.problems,
    ...verification.notComparable,
    ...verification.unmet,
  ]
  return { file, problem }
}
