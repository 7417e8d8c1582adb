/** The last judgement of a recording gives way to nothing, and waits for none that it makes superfluous. */
import { expect, test } from 'vitest'
import type { JudgingProcess, startJudging } from './judging-process.ts'
import { createRollingReport } from './rolling-report.ts'

/** A report whose judgements that give way never end by themselves; says which began, and which were stopped. */
const reportOfSlowJudgements = () => {
  const events: string[] = []
  const ends = new Map<string, () => void>()
  const start: typeof startJudging = (files, { givesWay }) => {
    const name = `${givesWay ? 'rolling' : 'last'} ${files.join(' ')}`
    events.push(name)
    let end = (_isStopped: boolean): void => undefined
    const ended: JudgingProcess['ended'] = new Promise((resolve) => {
      end = (isStopped) => resolve({ code: isStopped ? 70 : 0, out: name, err: '', isStopped })
    })
    ends.set(name, () => end(false))
    if (!givesWay) end(false)
    const stop = (): void => {
      events.push(`stopped ${name}`)
      end(true)
    }
    return { pid: undefined, ended, stop }
  }
  const told: string[] = []
  const printed: string[] = []
  const terminal = { out: (text: string) => void printed.push(text), err: () => undefined }
  const options = { folder: 'nowhere', memoryMiB: 512, strict: false, start }
  const report = createRollingReport(options, (text) => void told.push(text))
  return { events, ends, told, printed, terminal, report }
}

test('the last judgement does not give way', async () => {
  const { events, printed, terminal, report } = reportOfSlowJudgements()
  expect(await report.finish(['1', '2'], terminal)).toBe(0)
  expect({ events, printed }).toEqual({ events: ['last 1 2'], printed: ['last 1 2'] })
})

test('a judgement under way is stopped without complaint when the last one sees all its files', async () => {
  const { events, told, terminal, report } = reportOfSlowJudgements()
  void report.judge(['1', '2'])
  void report.judge(['1', '2', '3'])
  expect(await report.finish(['1', '2', '3'], terminal)).toBe(0)
  expect({ events, told }).toEqual({ events: ['rolling 1 2', 'stopped rolling 1 2', 'last 1 2 3'], told: [] })
})

test('a judgement of files that are gone since then is the only one that sees them, and ends first', async () => {
  const { events, ends, terminal, report } = reportOfSlowJudgements()
  void report.judge(['1', '2'])
  const finished = report.finish(['2', '3'], terminal)
  expect(events).toEqual(['rolling 1 2'])
  ends.get('rolling 1 2')?.()
  expect(await finished).toBe(0)
  expect(events).toEqual(['rolling 1 2', 'last 2 3'])
})
