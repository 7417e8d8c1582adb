/** Shows a run while it goes on, writes it down, and hands over its trace. */
import type { RunEvent, Trace } from '../conformance/index.ts'
import type { Terminal } from './terminal.ts'
import type { TraceFile } from './trace-file.ts'

export const recordRun = async (
  events: AsyncIterable<RunEvent>,
  file: TraceFile,
  terminal: Terminal,
): Promise<Trace> => {
  const { progressView } = await import('../reports/index.ts')
  const { errColor: color, errIsTty: tty, errColumns: columns } = terminal
  const show = progressView(terminal.err, { color, tty, columns })
  let trace: Trace | undefined
  for await (const event of events) {
    show(event)
    if (event.type === 'planned') file.add(event.header)
    if (event.type === 'exchanged') file.add(event.exchange)
    if (event.type === 'finished') trace = event.trace
  }
  if (trace === undefined) throw new Error('the run ended without a trace')
  file.finish(trace)
  return trace
}
