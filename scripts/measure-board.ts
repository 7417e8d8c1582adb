/**
 * Measures `acs board` on 200 certificates of whole gate runs: `node scripts/measure-board.ts [count]`. The bar is 60 s on two free cores.
 * They are of one run, issued again for ten products, so each is verified and shown. On a busy machine the processor time counts.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeTrace, judge } from '../conformance/index.ts'
import { createBundle, createReport, generateSigningKeys, packBundle } from '../reports/index.ts'
import { acs } from '../test/acs-in-process.ts'
import { recordRun } from '../test/recorded-run.ts'

const count = Number(process.argv[2] ?? 200)
const folder = mkdtempSync(join(tmpdir(), 'acs-board-'))

const trace = await recordRun({ tier: 'gate', seed: 1 })
const { privateKey } = generateSigningKeys()
const report = createReport(trace, judge(trace), { tier: 'gate' })
const run = { trace, traceText: encodeTrace(trace), report, privateKey }
for (let index = 0; index < count; index += 1) {
  const issuedAt = new Date(Date.now() - index).toISOString()
  const product = { name: `product ${index % 10}`, version: `${Math.floor(index / 10)}` }
  writeFileSync(join(folder, `${index}.acsbundle`), packBundle(createBundle({ ...run, issuedAt, product })))
}
const startedAt = performance.now()
const before = process.cpuUsage()
const made = await acs(['board', folder, '--out', join(folder, 'site')])
const { user, system } = process.cpuUsage(before)
const seconds = (performance.now() - startedAt) / 1000
rmSync(folder, { recursive: true })
const cpuSeconds = (user + system) / 1e6
console.log(
  `${trace.exchanges.length} exchanges each; ${made.out}${made.err}${count} certificates: ${seconds.toFixed(1)} s, of the processor ${cpuSeconds.toFixed(1)} s, ${((cpuSeconds / count) * 1000).toFixed(0)} ms each`,
)
