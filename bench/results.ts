/**
 * Shows the figures of a benchmark and writes them to bench/results/<name>.json, with what they were measured on.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Bar, Fact, Findings } from './bar.ts'

export interface Results {
  readonly machine: Readonly<Record<string, string | number>>
  readonly versions: Readonly<Record<string, string>>
  readonly date: string
  readonly rounds: number
  readonly bars: readonly Bar[]
  readonly facts: readonly Fact[]
}

/** The figures with machine, versions and date. */
export const resultsOf = ({ bars, facts }: Findings, rounds: number): Results => ({
  machine: {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()} ${process.arch}`,
    // Well above the benchmark's own two means that others were at work, and that the brackets are wide.
    loadAverage: Number((loadavg()[1] ?? 0).toFixed(1)),
  },
  versions: versions(),
  date: new Date().toISOString(),
  rounds,
  bars,
  facts,
})

/** Writes the results of a benchmark; returns the file's path. */
export const writeResults = (name: string, results: Results): string => {
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(results, null, 2)}\n`)
  return `bench/results/${name}.json`
}

/** The bars as a table, then the facts. */
export const findingsText = ({ bars, facts }: Findings): string =>
  [...bars.map(barLine), '', ...facts.map(factLine)].join('\n')

const nameWidth = 66

const barLine = ({ name, value, unit, goal, met, min, max, reason }: Bar): string => {
  const label = `${markOf(met)} ${name}`.padEnd(nameWidth)
  if (value === null) return `${label} not measured: ${reason ?? 'unknown'}`
  const decided = met === null ? `  undecided: ${reason}` : ''
  return `${label} ${String(value).padStart(8)} ${unit}  [${min}–${max}]  goal ${goal}${decided}`
}

const markOf = (met: boolean | null): string => {
  if (met === null) return '?'
  return met ? '✓' : '×'
}

const factLine = ({ name, value, unit, min, max }: Fact): string =>
  `${`  ${name}`.padEnd(nameWidth)} ${String(value).padStart(8)} ${unit}  [${min}–${max}]`

const versions = (): Readonly<Record<string, string>> => {
  const own = versionIn('..')
  return {
    'acs-kit': own,
    node: process.versions.node,
    '@stoplight/prism-cli': versionIn('../node_modules/@stoplight/prism-cli'),
    '@mockoon/cli': versionIn('peers/node_modules/@mockoon/cli'),
    '@copilotkit/aimock': versionIn('peers/node_modules/@copilotkit/aimock'),
    undici: versionIn('../node_modules/undici'),
  }
}

const versionIn = (folder: string): string => {
  try {
    const text = readFileSync(join(import.meta.dirname, folder, 'package.json'), 'utf8')
    return (JSON.parse(text) as { readonly version: string }).version
  } catch {
    return 'absent'
  }
}
