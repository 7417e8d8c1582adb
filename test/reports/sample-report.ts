/**
 * Makes sample reports with every outcome, gaps, notices and streams.
 * Any string can be put in the places of a target's strings.
 */
import type { Exchange, Judgement, Observation, Trace, Verdict } from '../../conformance/index.ts'
import { createReport, type Report } from '../../reports/index.ts'
import { gaps, obligations, requirementOf } from '../../spec/index.ts'
import { manyExchanges, smallRun } from './sample-exchanges.ts'

interface SampleOptions {
  /** Put wherever a string of the target's ends up. */
  readonly text?: string
  readonly exchanges?: readonly Exchange[]
  readonly green?: boolean
}

/** A trace with a header, exchanges and a footer. */
export function sampleTrace({ text = 'Which tax applies?', exchanges = smallRun(text) }: SampleOptions = {}): Trace {
  return {
    header: {
      kind: 'header',
      format: 'acs-trace/1',
      suiteVersion: '0.1.0',
      contractDigest: 'sha256:3f2a9c0d4b5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8',
      profileDigest: 'sha256:aa11bb22cc33dd44ee55ff6600112233445566778899aabbccddeeff00112233',
      profile: {
        claims: ['core', 'streaming', 'events', 'threads', 'tools', 'files'],
        budget: { maxExchanges: 401, maxModelCalls: 20, timeoutMs: 30_000, maxBodyBytes: 10_000_000 },
      },
      seed: 42,
      startedAt: '2026-11-21T02:00:00.000Z',
      target: 'http://127.0.0.1:4010',
      source: 'suite',
    },
    exchanges,
    notes: [],
    footer: { kind: 'footer', exchanges: exchanges.length, modelCalls: 7, durationMs: 1_234, complete: true },
  }
}

/** A judgement over every obligation of the contract: mostly upheld, some of everything else. */
export function sampleJudgement({ text = 'Which tax applies?', green = false }: SampleOptions = {}): Judgement {
  const verdicts = obligations.map((obligation, index): Verdict => {
    const row = requirementOf(obligation.requirement)
    const plain: Verdict = {
      ...obligation,
      level: row?.level ?? 'must',
      basis: row?.basis ?? 'stated',
      owed: row?.level === 'must' && row.basis === 'stated' && row.owed !== 'when-seen',
      blocking: false,
      outcome: 'upheld',
      witnesses: 1 + (index % 7),
      exchanges: ['E1', 'E4'],
    }
    if (row?.owed === 'when-seen')
      return { ...plain, outcome: 'unexercised', witnesses: 0, exchanges: [], reason: 'when-seen: no such answer came' }
    return green ? plain : troubled(plain, index, text)
  })
  return {
    outcome: green ? 'conformant' : 'nonconformant',
    exitCode: green ? 0 : 1,
    verdicts,
    observations: observations(text),
    notices: [{ code: 'unknown-code', text: `a code of its own: ${text}`, exchanges: ['E7'] }],
  }
}

function troubled(plain: Verdict, index: number, text: string): Verdict {
  if (isBroken(plain)) return violatedVerdict(plain, text)
  if (index % 41 === 40)
    return { ...plain, outcome: 'inconclusive', witnesses: 1, reason: `the write timed out: ${text}` }
  if (index % 29 === 28)
    return {
      ...plain,
      outcome: 'unexercised',
      witnesses: 0,
      exchanges: [],
      reason: 'budget: the cap of model calls was reached',
    }
  if (index === 3) return { ...plain, outcome: 'inapplicable', witnesses: 0, exchanges: [], reason: 'not claimed' }
  if (index === 4)
    return { ...plain, outcome: 'suite-fault', exchanges: ['E7'], reason: `sent what was not intended: ${text}` }
  return plain
}

function isBroken({ requirement, operation }: Verdict): boolean {
  return (
    requirement.startsWith('threads.run') || (requirement.startsWith('errors.') && operation === 'createChatCompletion')
  )
}

function violatedVerdict(plain: Verdict, text: string): Verdict {
  return {
    ...plain,
    outcome: 'violated',
    blocking: plain.level === 'must' && plain.basis === 'stated',
    exchanges: ['E2', 'E3'],
    expected: 'a rejection, since the thread holds no user message',
    actual: `status 200 with an assistant message: ${text}`,
    pointer: '/role',
    headline: `the run was accepted although nothing was said in the thread before: ${text}`,
    witness: {
      steps: [
        { exchange: 'E2', name: 'create thread', shows: 'the thread is empty' },
        { exchange: 'E3', name: 'run', shows: `it answered: ${text}` },
      ],
      contradiction: `The run of E3 was accepted although nothing was said in the thread before: ${text}`,
      confirmed: true,
    },
  }
}

function observations(text: string): readonly Observation[] {
  return gaps.map(
    (gap, index): Observation => ({
      gap: gap.id,
      value: index % 11 === 10 ? text : gap.mockAnswer,
      consistent: index % 13 !== 12,
      exchanges: ['E1'],
      ...(index % 5 === 4 ? { declared: { value: gap.mockAnswer, met: index % 10 === 4 } } : {}),
      ...(index % 3 === 0 ? { proposal: `The service answers as follows: ${gap.mockAnswer}.` } : {}),
    }),
  )
}

/** The report of the sample. */
export function sampleReport(options: SampleOptions = {}): Report {
  return createReport(sampleTrace(options), sampleJudgement(options), { tier: 'gate' })
}

/** A report with as many exchanges as asked for. */
export function bigReport(count: number): Report {
  return sampleReport({ exchanges: manyExchanges(count) })
}

/** The green report in which the first obligation of each of these requirements fails. */
export function withFailures(requirements: ReadonlySet<string>, text = 'Which tax applies?'): Report {
  const report = sampleReport({ green: true })
  const failing = new Set([...requirements].map((id) => report.verdicts.find((one) => one.requirement === id)))
  const verdicts = report.verdicts.map((one) => (failing.has(one) ? violatedVerdict(one, text) : one))
  return { ...report, run: { ...report.run, outcome: 'nonconformant', exitCode: 1 }, verdicts }
}

/** The report with the verdicts of some chapters only, for what is slow. */
export function fewChapters(report: Report, chapters: readonly string[]): Report {
  const within = (id: string): boolean => chapters.some((chapter) => id.startsWith(`${chapter}.`))
  return {
    ...report,
    verdicts: report.verdicts.filter(({ requirement }) => within(requirement)),
    observations: report.observations.filter(({ gap }) => within(gap)),
  }
}
