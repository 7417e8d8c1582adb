/** The recording behind `acs watch`: a growing trace, judged again after each pause, with new violations told at once. */
import type { Exchange, Pseudonyms, TargetProfile, Trace } from '../conformance/index.ts'
import type { Terminal } from './terminal.ts'

export interface Recording {
  readonly pseudonyms: Pseudonyms
  readonly add: (exchange: Exchange) => void
  readonly trace: () => Trace
}

export const createRecording = async (upstream: string, profile: TargetProfile | undefined): Promise<Recording> => {
  const { createPseudonyms, observedTrace, secretsOf } = await import('../conformance/index.ts')
  const pseudonyms = createPseudonyms({ secrets: profile === undefined ? [] : secretsOf(profile) })
  const exchanges: Exchange[] = []
  const startedAt = new Date()
  return {
    pseudonyms,
    add: (exchange) => void exchanges.push(exchange),
    trace: () =>
      observedTrace({ source: 'proxy', exchanges: [...exchanges], pseudonyms, startedAt, profile, baseUrl: upstream }),
  }
}

export interface LiveVerdicts {
  readonly judgeSoon: () => void
  readonly stop: () => void
}

/** How long traffic has to pause before it is judged, milliseconds. */
const pauseMs = 300

/** Tells each rule once, when it is first seen broken. */
export const createLiveVerdicts = async (recording: Recording, terminal: Terminal): Promise<LiveVerdicts> => {
  const { judge } = await import('../conformance/index.ts')
  const told = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const tell = (): void => {
    for (const { requirement, operation, outcome, actual, exchanges } of judge(recording.trace(), {}).verdicts) {
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
