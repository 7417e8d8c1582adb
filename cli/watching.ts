/** The recording behind `acs watch`: a growing trace, judged again after each pause, with new violations told at once. */
import type { Exchange, Pseudonyms, TargetProfile, Trace } from '../conformance/index.ts'
import type { Terminal } from './terminal.ts'

export interface Recording {
  readonly pseudonyms: Pseudonyms
  readonly add: (exchange: Exchange) => void
  readonly trace: () => Trace
}

export const createRecording = async (upstream: string, profile: TargetProfile | undefined): Promise<Recording> => {
  const { contractDigest } = await import('../spec/index.ts')
  const conformance = await import('../conformance/index.ts')
  const known: TargetProfile = profile ?? passiveProfile(upstream)
  const pseudonyms = conformance.createPseudonyms({ secrets: conformance.secretsOf(known) })
  const exchanges: Exchange[] = []
  const startedAt = new Date()
  const header = {
    kind: 'header',
    format: 'acs-trace/1',
    suiteVersion: conformance.suiteVersion,
    contractDigest: contractDigest(),
    profileDigest: conformance.profileDigest(known),
    profile: conformance.redactProfile(known, pseudonyms),
    seed: 0,
    startedAt: startedAt.toISOString(),
    target: upstream,
    source: 'proxy',
  } as const
  return {
    pseudonyms,
    add: (exchange) => void exchanges.push(exchange),
    trace: () => ({
      header,
      exchanges: [...exchanges],
      notes: [],
      footer: {
        kind: 'footer',
        exchanges: exchanges.length,
        modelCalls: 0,
        durationMs: Date.now() - startedAt.getTime(),
        complete: true,
      },
    }),
  }
}

/** What is known of a target that is only watched: nothing is claimed, so nothing is owed. */
const passiveProfile = (baseUrl: string): TargetProfile => ({
  baseUrl,
  tenants: { primary: { key: '' } },
  claims: [],
  threads: null,
  runBody: {},
  assistants: {},
  tools: null,
  throttle: null,
  provoke: {},
  declares: {},
  budget: { timeoutMs: 10_000, maxBodyBytes: 33_554_432 },
})

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
