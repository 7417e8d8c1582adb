/** Judges a short recording after every pause of its traffic, and tells each broken rule once. */
import type { Terminal } from '../terminal.ts'
import type { Recording } from './recording.ts'

interface LiveVerdicts {
  readonly judgeSoon: () => void
  readonly stop: () => void
}

/** How long traffic has to pause before it is judged, milliseconds. */
const pauseMs = 300
/** Longer recordings are judged by the rolling report alone. */
const mostExchanges = 2_000

export const createLiveVerdicts = async (recording: Recording, terminal: Terminal): Promise<LiveVerdicts> => {
  const { judge } = await import('../../conformance/index.ts')
  const told = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const tell = (): void => {
    const trace = recording.trace()
    for (const { requirement, operation, outcome, actual, exchanges } of trace === null ||
    trace.exchanges.length > mostExchanges
      ? []
      : judge(trace, {}).verdicts) {
      const key = `${requirement} ${operation}`
      if (outcome !== 'violated' || told.has(key)) continue
      told.add(key)
      terminal.err(`× ${requirement}  ${operation}  ${exchanges.at(-1) ?? ''}  ${actual ?? ''}\n`)
    }
  }
  return {
    judgeSoon: () => {
      clearTimeout(timer)
      timer = setTimeout(tell, pauseMs)
    },
    stop: () => clearTimeout(timer),
  }
}
