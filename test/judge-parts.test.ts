/** A trace that is judged in parts gets the verdicts that it gets in one piece, however it is cut. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { repeated } from '../bench/suite/long-trace.ts'
import { trialClient, trialProfile } from '../cli/prove/trial.ts'
import { virtualClock } from '../cli/prove/virtual-time.ts'
import { type Exchange, encodeTrace, judge, run, type Trace } from '../conformance/index.ts'
import { oracles } from '../conformance/judge/oracles/oracles.ts'
import { judgeLongFile } from '../conformance/judge-file/judge-long-file.ts'
import { createMock, type Deviation, loadDeviations } from '../mock-server/index.ts'
import type { TestableId } from '../spec/index.ts'
import { sampleCount, sampling } from './support/samples.ts'
import { slowTest } from './support/slow-test.ts'
import { decided, judgedInParts } from './trace-builder/in-parts.ts'

const rounds = sampling.whole ? 4 : 2

/** A gate run on the mock in this process. */
const recorded = async (overrides: readonly Deviation[], seed: number): Promise<Trace> => {
  await using mock = await createMock({ deviations: overrides, seed, clock: virtualClock })
  for await (const event of run(trialProfile({}), { tier: 'gate', seed, client: trialClient(mock) }))
    if (event.type === 'finished') return event.trace
  throw new Error('the run ended without a trace')
}

/** Recordings one after another, as one trace. */
const joined = (traces: readonly (readonly Exchange[])[]): readonly Exchange[] => {
  const all: Exchange[] = []
  for (const exchanges of traces) {
    const byMs = (all.at(-1)?.endedAtMs ?? 0) + 1000 - (exchanges[0]?.sentAtMs ?? 0)
    for (const one of exchanges) all.push(later(one, all.length + 1, byMs))
  }
  return all
}

const later = (exchange: Exchange, number: number, byMs: number): Exchange => ({
  ...exchange,
  id: `E${number}`,
  sentAtMs: exchange.sentAtMs + byMs,
  endedAtMs: exchange.endedAtMs + byMs,
  response: exchange.response && {
    ...exchange.response,
    headAtMs: exchange.response.headAtMs + byMs,
    pieces: exchange.response.pieces.map((piece) => ({ ...piece, atMs: piece.atMs + byMs })),
  },
})

let once: Trace
let sound: Trace
let deviations: readonly Deviation[]

beforeAll(async () => {
  once = await recorded([], 7)
  sound = repeated(once, rounds)
  deviations = (await loadDeviations()).deviations
})

/** The sound recordings with a faulty one among them. */
const withFault = async (deviation: Deviation): Promise<Trace> => {
  const { exchanges } = await recorded([deviation], 11)
  const half = sound.exchanges.length / 2
  return traceOf(joined([sound.exchanges.slice(0, half), exchanges, sound.exchanges.slice(half)]), 'suite')
}

const traceOf = (exchanges: readonly Exchange[], source: 'suite' | 'proxy'): Trace => ({
  ...sound,
  header: { ...sound.header, source },
  exchanges,
  footer: sound.footer && { ...sound.footer, exchanges: exchanges.length },
})

/** Whole, and without its beginning and its end. */
const cutsOf = ({ exchanges }: Trace, salt: number): readonly (readonly Exchange[])[] => {
  const { length } = exchanges
  return [exchanges, exchanges.slice((salt * 389) % (length >> 1), length - ((salt * 97) % (length >> 2)))]
}

const salts = Array.from({ length: sampleCount('faulty recordings judged in parts') }, (_, at) => sampling.seed + at)

test.each(salts)('a faulty recording among sound ones is judged alike, whole and cut (%i)', async (salt) => {
  const deviation = deviations[(salt * 53) % deviations.length]
  if (deviation === undefined) throw new Error('there are no deviations')
  const trace = await withFault(deviation)
  for (const [at, exchanges] of cutsOf(trace, salt).entries()) {
    const cut = traceOf(exchanges, at === 0 ? 'suite' : 'proxy')
    const { judgement } = await judgedInParts(cut, [200_000, 1][(salt + at) % 2])
    expect({ deviation: deviation.id, ...decided(judgement) }).toEqual({
      deviation: deviation.id,
      ...decided(judge(cut)),
    })
  }
})

slowTest('the verdicts rest on a part of the exchanges, and on all of the witnesses', async () => {
  const trace = repeated(once, 12)
  const whole = judge(trace)
  const { evidence, judgement } = await judgedInParts(trace, 400_000)
  expect(decided(judgement)).toEqual(decided(whole))
  expect(evidence.exchanges.length).toBeLessThan(trace.exchanges.length / 2)
  // Of rules that rest on the whole trace, only those count alike that look for nothing in another conversation.
  const isCounted = (requirement: string): boolean =>
    oracles[requirement as TestableId].scope !== 'trace' ||
    (requirement.startsWith('resources.') && requirement !== 'resources.answer-to-own-question')
  const counts = (verdicts: typeof whole.verdicts) =>
    verdicts
      .filter(({ requirement }) => isCounted(requirement))
      .map(({ requirement, operation, witnesses }) => ({ requirement, operation, witnesses }))
  expect(counts(judgement.verdicts)).toEqual(counts(whole.verdicts))
})

slowTest('a file is judged by worker threads, whatever their number, and a broken line is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'acs-parts-'))
  try {
    const file = join(folder, 'trace.ndjson')
    const text = encodeTrace(sound)
    writeFileSync(file, text)
    const [one, two] = [1, 2].map((workers) => judgeLongFile([file], { workers, partBytes: 500_000 }))
    const judgements = [await one, await two]
    for (const judged of judgements) expect(decided(judged?.judgement ?? judge(sound))).toEqual(decided(judge(sound)))
    expect(judgements[0]).toEqual(judgements[1])
    writeFileSync(file, text.replace(/"ending":"complete"/, '"ending":"unknown"'))
    await expect(judgeLongFile([file], { workers: 2, partBytes: 500_000 })).rejects.toThrow(/line 2: \/ending/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
