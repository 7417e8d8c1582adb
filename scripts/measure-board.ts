/**
 * Measures `acs board` on 200 certificates of whole gate runs: `node scripts/measure-board.ts [count]`. The bar is 60 s on two free cores.
 * All are copies of one bundle, each of which is verified as if it were another.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeTrace, judge } from '../conformance/index.ts'
import { createBundle, createReport, generateSigningKeys, packBundle } from '../reports/index.ts'
import { recordRun } from '../test/recorded-run.ts'

const count = Number(process.argv[2] ?? 200)
const folder = mkdtempSync(join(tmpdir(), 'acs-board-'))

const trace = await recordRun({ tier: 'gate', seed: 1 })
const { privateKey } = generateSigningKeys()
const report = createReport(trace, judge(trace), { tier: 'gate' })
const issuedAt = new Date().toISOString()
const bundle = packBundle(createBundle({ trace, traceText: encodeTrace(trace), report, privateKey, issuedAt }))
for (let index = 0; index < count; index += 1) writeFileSync(join(folder, `${index}.acsbundle`), bundle)
const startedAt = performance.now()
const bin = join(import.meta.dirname, '..', 'cli', 'bin.ts')
const made = spawnSync(process.execPath, [bin, 'board', folder, '--out', join(folder, 'site')], { encoding: 'utf8' })
const seconds = (performance.now() - startedAt) / 1000
rmSync(folder, { recursive: true })
console.log(
  `${trace.exchanges.length} exchanges each; ${made.stdout}${made.stderr}${count} certificates: ${seconds.toFixed(1)} s`,
)
