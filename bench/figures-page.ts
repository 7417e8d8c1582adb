/**
 * Puts the figures of a benchmark into docs/performance.md, between its markers; the words around them are a person's.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bar, Fact } from './bar.ts'
import type { Results } from './results.ts'

const page = join(import.meta.dirname, '..', 'docs', 'performance.md')

/** Renews the section of a benchmark; throws when the page has no place for it. */
export const writeFigures = (name: string, results: Results): string => {
  const text = readFileSync(page, 'utf8')
  const [start, end] = [`<!-- figures of ${name} -->`, `<!-- end of ${name} -->`]
  const [from, to] = [text.indexOf(start), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/performance.md has no place for the figures of ${name}`)
  writeFileSync(page, `${text.slice(0, from + start.length)}\n\n${figures(results)}\n\n${text.slice(to)}`)
  return 'docs/performance.md'
}

const figures = ({ date, machine, versions, rounds, bars, facts }: Results): string =>
  [
    `${date.slice(0, 10)}, ${rounds} rounds, ${machine.cores} cores of ${machine.cpu}, ${machine.memoryGiB} GiB, load average ${machine.loadAverage}.`,
    Object.entries(versions)
      .map(([package_, version]) => `${package_} ${version}`)
      .join(', '),
    '',
    '| bar | median | min–max | goal | met |',
    '| --- | --- | --- | --- | --- |',
    ...bars.map(barRow),
    '',
    '<details><summary>Absolute figures</summary>',
    '',
    '| figure | median | min–max |',
    '| --- | --- | --- |',
    ...facts.map(factRow),
    '',
    '</details>',
  ].join('\n')

const barRow = ({ name, value, unit, goal, met, min, max, reason }: Bar): string =>
  value === null
    ? `| ${name} | not measured: ${reason ?? 'unknown'} | | ${goal} ${unit} | no |`
    : `| ${name} | ${value} ${unit} | ${min}–${max} | ${goal} | ${metText(met, reason)} |`

const metText = (met: boolean | null, reason: string | undefined): string => {
  if (met === null) return `undecided: ${reason}`
  return met ? 'yes' : '**no**'
}

const factRow = ({ name, value, unit, min, max }: Fact): string => `| ${name} | ${value} ${unit} | ${min}–${max} |`
