/** `acs baseline REPORT`: writes the violations of a report down as known, to be reasoned about and to expire. */
import { existsSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import type { CommandFactory } from '../command-factory.ts'
import { parseFile, readReport, writeTo } from '../read-file.ts'

interface BaselineOptions {
  readonly out: string
  readonly expires?: string
  readonly reason?: string
}

const dayMs = 86_400_000
const defaultDays = 90

export const baselineCommand: CommandFactory = (terminal) =>
  new Command('baseline')
    .description('write the failures of a report to a baseline of known violations; existing entries are kept')
    .argument('<report>', "a run's report.json")
    .option('-o, --out <file>', 'file to write', 'acs.baseline.yaml')
    .option('--expires <date>', `last day on which new entries count (default: in ${defaultDays} days)`, isoDate)
    .option('--reason <text>', 'reason for the new entries')
    .action(async (file: string, { out, expires, reason }: BaselineOptions) => {
      const { parseBaseline, writeBaseline } = await import('../../reports/index.ts')
      const report = await readReport(file)
      const text = writeBaseline(report, {
        expires: expires ?? new Date(Date.now() + defaultDays * dayMs).toISOString().slice(0, 10),
        ...(reason === undefined ? {} : { reason }),
        ...(existsSync(out) ? { previous: parseFile(out, parseBaseline) } : {}),
      })
      writeTo(out, text, terminal.out)
      const { length } = parseBaseline(text).entries
      const task = reason === undefined ? 'give each entry a reason, then ' : ''
      const next = `next: ${task}run acs test as before, with --baseline ${out}`
      terminal.err(`wrote ${out}${length === 0 ? ', which is empty: nothing failed' : `; ${next}`}\n`)
    })

const isoDate = (text: string): string => {
  const day = new Date(`${text}T00:00:00Z`)
  // The parser of dates takes 31 February for 3 March.
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text)) {
    throw new InvalidArgumentError('Use a date such as 2027-01-31.')
  }
  if (day.getTime() + dayMs <= Date.now()) throw new InvalidArgumentError('Use today or a later date.')
  return text
}
