/** Judges a short recording after every pause of its traffic, and reports each broken rule once. */
import { judge } from '../judge/judge.ts'
import type { Recording } from './traffic-recording.ts'

interface LiveVerdicts {
  readonly judgeSoon: () => void
  readonly stop: () => void
}

/** The pause of traffic before it is judged, milliseconds. */
const pauseMs = 300
/** Longer recordings are judged by the rolling report alone. */
const mostExchanges = 2_000

/** Judges `recording` in pauses; `tell` gets a line for each rule that is first seen broken. */
export const createLiveVerdicts = (recording: Recording, tell: (line: string) => void): LiveVerdicts => {
  const told = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const judgeNow = (): void => {
    const trace = recording.trace()
    for (const { requirement, operation, outcome, actual, exchanges } of trace === null ||
    trace.exchanges.length > mostExchanges
      ? []
      : judge(trace, {}).verdicts) {
      const key = `${requirement} ${operation}`
      if (outcome !== 'violated' || told.has(key)) continue
      told.add(key)
      tell(`× ${requirement}  ${operation}  ${exchanges.at(-1) ?? ''}  ${actual ?? ''}\n`)
    }
  }
  return {
    judgeSoon: () => {
      clearTimeout(timer)
      timer = setTimeout(judgeNow, pauseMs)
    },
    stop: () => clearTimeout(timer),
  }
}
