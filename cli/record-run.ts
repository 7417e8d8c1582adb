/** Shows the progress of a run, records it, and returns its trace. */
import type { RunOptions, TargetProfile, Trace } from '../conformance/index.ts'
import type { Terminal } from './terminal.ts'
import type { TraceFile } from './trace-file.ts'

export const recordRun = async (
  profile: TargetProfile,
  options: RunOptions,
  file: TraceFile,
  terminal: Terminal,
): Promise<Trace> => {
  const { run } = await import('../conformance/index.ts')
  const { progressView } = await import('../reports/index.ts')
  const { errColor: color, errIsTty: tty, errColumns: columns } = terminal
  const show = progressView(terminal.err, { color, tty, columns })
  let trace: Trace | undefined
  for await (const event of run(profile, { ...options, onRecord: file.add })) {
    show(event)
    if (event.type === 'finished') trace = event.trace
  }
  if (trace === undefined) throw new Error('the run ended without a trace')
  file.finish(trace)
  return trace
}
