/** Findings become tests that fail on the faulty server and pass on the sound one. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Subject, select, subjectOf } from '../../cli/prove/mutant.ts'
import { trialClient, trialProfile } from '../../cli/prove/trial.ts'
import { virtualClock } from '../../cli/prove/virtual-time.ts'
import { confirm, judge, replayFileOf, run, type Trace } from '../../conformance/index.ts'
import { createMock, type Mock } from '../../mock-server/index.ts'
import { createReport, type Report, renderFindingTests, withReplays } from '../../reports/index.ts'
import { pick, sampleCount, sampleOf, sampling } from '../support/samples.ts'
import { type FindingResult, findingRunners } from './finding-runners.ts'

interface Found {
  readonly id: string
  readonly report: Report
  readonly trace: Trace
  /** Base URL of the faulty server. */
  readonly url: string
}

const languages = ['vitest', 'pytest', 'junit5'] as const
const folder = mkdtempSync(join(tmpdir(), 'acs-findings-'))
const mocks: Mock[] = []
const found: Found[] = []
let soundUrl = ''
/** Whose tests once failed on a sound server, or passed on the faulty one; now they have none. */
const mistaken: readonly string[] = sampleOf('findings whose tests were once mistaken', [
  'assistants.get-cached',
  'assistants.get-first',
  'auth.key-of-any-case',
  'completions.other-field-first',
  'errors.loc-joined',
  'errors.timeout-detail-object',
  'errors.timeout-without-detail',
  'pagination.cursor-skips-at-limit-1',
  'pagination.cursor-skips-one',
  'pagination.cursor-skips-same-second',
  'pagination.page-of-4096-bytes',
  'pagination.walk-starts-over',
  'streams.delta-role-tool-at-the-end',
  'threads.created-thread-id-of-first',
  'threads.fifth-message-twice',
  'threads.list-shows-preview',
  'threads.listed-thread-id-of-copy',
])
/** Whether a test meets them depends on what was asked before: every third answer of the whole server, and a user that it knows. */
const remembering: readonly string[] = [
  'pagination.third-list-reversed',
  'http.my-keys-every-third-refused',
  'completions.required-user-data-remembered',
]
/** Of all deviations 95 % show again when their requests are sent once more; a few need bursts, sockets or the clock. */
const writtenShare = sampling.whole ? 0.75 : 0.5

beforeAll(async () => {
  const count = sampleCount('deviations whose findings become tests')
  const { deviations } = await select({})
  const shuffled = deviations
    .filter(({ id }) => !remembering.includes(id))
    .toSorted((left, right) => (digest(left.id) < digest(right.id) ? -1 : 1))
  for (const { id, requirement } of pick(shuffled, count)) found.push(await findingsOf(id, requirement))
  const known = deviations.filter(({ id }) => mistaken.includes(id))
  for (const { id, requirement } of known) found.push(await findingsOf(id, requirement))
  soundUrl = await listening(await createMock())
}, 3_600_000)

afterAll(async () => {
  for (const mock of mocks) await mock.close()
  rmSync(folder, { recursive: true, force: true })
})

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

const listening = async (mock: Mock): Promise<string> => {
  mocks.push(mock)
  return (await mock.listen({ port: 0, host: '127.0.0.1' })).url
}

/** The report of a run on one deviation with its replays, as `acs test` writes it, and a server that deviates so. */
async function findingsOf(id: string, requirement: string): Promise<Found> {
  const subject = await subjectOf('deviation', id)
  const own = await recorded(subject, requirement)
  const { trace, report } = own.report.verdicts.some(({ outcome }) => outcome === 'violated')
    ? own
    : await recorded(subject, '*')
  const of = { ...report, verdicts: report.verdicts.filter((one) => one.requirement === requirement) }
  return { id, trace, report: of, url: await listening(await createMock({ deviations: subject.overrides, seed: 1 })) }
}

async function recorded(subject: Subject, only: string): Promise<Pick<Found, 'report' | 'trace'>> {
  await using mock = await createMock({ deviations: subject.overrides, seed: 1, clock: virtualClock })
  const [profile, client] = [trialProfile(subject.profile), trialClient(mock)]
  for await (const event of run(profile, { tier: 'gate', seed: 1, only, client })) {
    if (event.type !== 'finished') continue
    const { trace } = event
    const judgement = judge(trace, { only })
    const replays = await confirm(judgement, trace, profile, { judge, maxExchanges: 200, maxModelCalls: 40, client })
    return { trace, report: withReplays(createReport(trace, judgement), replays, { disturbances: [] }) }
  }
  throw new Error('the run did not finish')
}

/** Writes the tests of all reports for one server, and returns how many there are in each file. */
function write(language: (typeof languages)[number], kind: 'faulty' | 'sound', into: string): readonly number[] {
  const { extension, nameOf } = findingRunners[language]
  mkdirSync(into, { recursive: true })
  return found.map(({ report, trace, url }, index) => {
    const name = nameOf(kind, index)
    const target = kind === 'faulty' ? url : soundUrl
    const { text, tests } = renderFindingTests(
      { ...report, run: { ...report.run, target } },
      {
        language,
        name,
        exchanges: trace.exchanges,
        replayOf: (verdict, history) => replayFileOf(verdict, trace, history),
      },
    )
    if (tests > 0) writeFileSync(join(into, `${name}${extension}`), text)
    return tests
  })
}

const environment = {
  ...process.env,
  ACS_API_KEY: 'acs-demo-primary',
  ACS_SECONDARY_API_KEY: 'acs-demo-secondary',
}

const wrongly = (results: readonly FindingResult[], isPassed: boolean): readonly string[] =>
  results
    .filter((one) => one.isPassed === isPassed)
    .map(
      ({ file, name, message }) =>
        `${found[Number(/\d+/.exec(file.replace(/^.*\//, ''))?.[0])]?.id}: ${name}\n${message}`,
    )

test.each(sampleOf('languages of findings', languages))(
  'a finding as a test of %s fails on the faulty server and passes on the sound one',
  async (language) => {
    const runner = findingRunners[language]
    const missing = runner.missing()
    if (missing !== null) return expect(process.stdout.write(`Not run: ${missing}.\n`)).toBeTypeOf('boolean')
    const into = join(folder, language)
    const counts = write(language, 'faulty', into)
    write(language, 'sound', into)
    const tests = counts.reduce((sum, count) => sum + count, 0)
    const results = await runner.run(into, environment)
    const isOfSound = ({ file }: FindingResult): boolean => /sound[-_]?\d+\D*$/.test(file)
    const [faulty, sound] = [results.filter((one) => !isOfSound(one)), results.filter(isOfSound)]
    expect([faulty.length, sound.length]).toEqual([tests, tests])
    expect({ failedOnSound: wrongly(sound, false), passedOnFaulty: wrongly(faulty, true) }).toEqual({
      failedOnSound: [],
      passedOnFaulty: [],
    })
    const drawn = counts.slice(0, counts.length - mistaken.length)
    expect(drawn.filter((count) => count > 0).length / drawn.length).toBeGreaterThanOrEqual(writtenShare)
  },
  3_600_000,
)
