/** Reads the recorded session of `acs mock --from`, and reports contract violations of the recorded service. */
import type { MockOptions } from '../mock-server/index.ts'
import { contentFailure, readTraceFile } from './read-file.ts'
import type { Terminal } from './terminal.ts'

/** More of them are counted and not shown. */
const mostViolations = 20

/** A recording that a mock plays; stderr gets a line for each notice to the user. */
export const recordingOf = async (file: string, terminal: Terminal): Promise<NonNullable<MockOptions['recording']>> => {
  const trace = await readTraceFile(file)
  const { createRecording } = await import('../mock-server/index.ts')
  const { judge } = await import('../conformance/index.ts')
  const recording = await createRecording(trace).catch((cause: unknown) => {
    throw contentFailure(file, cause)
  })
  const violated = judge(trace).verdicts.filter(({ outcome }) => outcome === 'violated')
  const rules = new Map(
    violated.map(({ requirement, operation, exchanges }) => [
      requirement,
      `the recorded service violates ${requirement} (${operation}, ${exchanges.slice(0, 3).join(' ')})`,
    ]),
  )
  const shown = [...rules.values()].slice(0, mostViolations)
  const more = rules.size - shown.length
  for (const line of [...recording.notes, ...shown, ...(more > 0 ? [`and ${more} more; acs judge ${file}`] : [])]) {
    terminal.err(`acs: ${file}: ${line}\n`)
  }
  return recording
}
