/** The recording behind `acs watch`: a growing trace, judged again after each pause, with new violations told at once. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Exchange, Pseudonyms, TargetProfile, Trace } from '../conformance/index.ts'
import { conformanceLevels } from '../spec/index.ts'
import type { Terminal } from './terminal.ts'

export interface Recording {
  readonly pseudonyms: Pseudonyms
  /** Takes an exchange in, and writes it to the disk at once, so that nothing is lost when the process is ended. */
  readonly add: (exchange: Exchange) => void
  readonly trace: () => Trace
}

export interface RecordingOptions {
  readonly upstream: string
  readonly profile: TargetProfile | undefined
  /** The trace that grows while the proxy runs. */
  readonly file: string
}

export const createRecording = async ({ upstream, profile, file }: RecordingOptions): Promise<Recording> => {
  const { minimalProfile, createPseudonyms, encodeRecord, observedTrace, secretsOf } = await import(
    '../conformance/index.ts'
  )
  const pseudonyms = createPseudonyms({ secrets: profile === undefined ? [] : secretsOf(profile) })
  const exchanges: Exchange[] = []
  const startedAt = new Date()
  const known = profile ?? { ...minimalProfile(upstream, { primary: { key: '' } }), claims: conformanceLevels }
  const { header } = observedTrace({ source: 'proxy', exchanges, pseudonyms, startedAt, profile: known })
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, encodeRecord(header))
  return {
    pseudonyms,
    add: (exchange) => {
      exchanges.push(exchange)
      appendFileSync(file, encodeRecord(exchange))
    },
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
