/** What a person reads in a terminal, and that a target cannot write into it. */
import { expect, test } from 'vitest'
import { obligationKey } from '../spec/index.ts'
import { hostileText } from '../test/reports/hostile-text.ts'
import { sampleReport, withFailures } from '../test/reports/sample-report.ts'
import { renderText } from './terminal-text.ts'

const controls = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

test('a green run is one line a chapter and a last line that counts', () => {
  expect(renderText(sampleReport({ green: true })).replace(/\d+/g, '9')).toMatchInlineSnapshot(`
    "http://9.9.9.9:9  seed 9  tier gate  contract 9f9a9c9d9b9e

    rules by chapter
    ✓ http          9 passed
    ✓ auth          9 passed
    ✓ resources     9 passed  9 not tested
    ✓ completions   9 passed  9 not tested
    ✓ streams       9 passed  9 not tested
    ✓ threads       9 passed  9 not tested
    ✓ tools         9 passed  9 not tested
    ✓ pagination    9 passed  9 not tested
    ✓ assistants    9 passed  9 not tested
    ✓ files         9 passed
    ✓ tenancy       9 passed  9 not tested
    ✓ errors        9 passed  9 not tested

    gaps        9 answered, 9 of them inconsistently, 9 not as declared
                in several ways: http.repeated-header, completions.null-thread-id, streams.final-newline, threads.run-required-fields, threads.null-character, pagination.limit-below-one and 9 more
    not tested  9 when-seen
    notice      unknown-code: a code of its own: Which tax applies?

    levels granted: all 9 claimed
    ✓ conformant  9 failures, 9 not tested, 9 passed; 9 exchanges, 9 of 9 model calls, 9.9 s
    "
  `)
})

test('a failing block has the rule, the section, both sides, the story, the next step and the replay', () => {
  const text = renderText(sampleReport(), { reportPath: 'out/report.json' })
  const start = text.lastIndexOf('× ', text.indexOf('failure     threads.run-needs-user-message'))
  expect(text.slice(start, text.indexOf('\n\n', start))).toMatchInlineSnapshot(`
    "× POST /v1/threads/{thread_id}/run: the run was accepted although nothing was said in the thread before: Which tax applies?
      failure     threads.run-needs-user-message  must  stated  blocking
      rule        A run on a thread without any user message is rejected.
      section     Endpoints / POST /v1/threads/{thread_id}/run
      at          runThread
      expected    a rejection, since the thread holds no user message
      actual      status 200 with an assistant message: Which tax applies?  at /role
      because     The run of E3 was accepted although nothing was said in the thread before: Which tax applies?
      E2          create thread  POST /v1/threads → 201  the thread is empty
      E3          run  POST /v1/threads/0b8f5b1e…/run → 200  it answered: Which tax applies?
      also at     POST /v1/threads/{thread_id}/run/stream
      how to fix  Check the thread before calling the model.
      reproduce   acs replay out/report.json --only threads.run-needs-user-message"
  `)
})

test('requests that only prepare are numbers, and what follows from a cause says so', () => {
  const report = sampleReport()
  const verdicts = report.verdicts.map((verdict) =>
    verdict.requirement === 'threads.run-needs-user-message' ? { ...verdict, exchanges: ['E3'] } : verdict,
  )
  const text = renderText({ ...report, verdicts })
  expect(text).toMatch(/^ {2}setup {7}1 request, E2 \(-v shows them\)\n {2}E3 /m)
  expect(renderText({ ...report, verdicts }, { verbose: true })).not.toMatch(/^ {2}setup /m)
})

test('what follows from a cause says so, and where to start', () => {
  const green = sampleReport({ green: true })
  const broken: readonly string[] = ['tools.matched-accepted', 'http.operation-served']
  const verdicts = green.verdicts.map((verdict) =>
    broken.includes(verdict.requirement) ? { ...verdict, outcome: 'violated' as const } : verdict,
  )
  const text = renderText({ ...green, verdicts })
  const [first, second] = broken.map((id) => text.indexOf(`\n  failure     ${id}  `))
  expect(first).toBeGreaterThan(0)
  expect(second).toBeGreaterThan(first ?? 0)
  expect(text).toContain(`probably the same as of ${broken[0]}; fix that first`)
})

test('notices of one kind are one line', () => {
  const notice = { code: 'unknown-code', text: 'a is not in the table', exchanges: [] }
  const text = renderText({ ...sampleReport({ green: true }), notices: [notice, notice, notice] })
  expect(text.match(/^notice .*$/gm)).toEqual(['notice      unknown-code: a is not in the table (2 more of this kind)'])
})

test('nothing from a target reaches the terminal as control, colour or link', () => {
  const text = renderText(sampleReport({ text: hostileText }))
  expect(text.split('\n').filter((line) => controls.test(line))).toEqual([])
  expect(text).toContain('\\u001b]8;;https://evil.example/')
})

test('colours are only there when they are asked for', () => {
  expect(renderText(sampleReport())).not.toContain('\u001b')
  expect(renderText(sampleReport(), { color: true })).toContain('\u001b[31m')
})

test('what does not fit on a screen is named by chapter, not dropped', () => {
  const text = renderText(sampleReport(), { maxBlocks: 1 })
  expect(text.match(/^ {2}reproduce {3}/gm)).toHaveLength(1)
  expect(text).toMatch(/^× errors .* failed: validation-detail/m)
  expect(text).toContain('each with its evidence: acs report acs-report/report.json --verbose')
})

/** The sample report with a failure of every rule that passed. */
function failingEverywhere() {
  const report = sampleReport()
  const seen = new Set<string>()
  const verdicts = report.verdicts.map((verdict) => {
    if (verdict.outcome !== 'upheld' || seen.has(verdict.requirement) || seen.size === 40) return verdict
    seen.add(verdict.requirement)
    return { ...verdict, outcome: 'violated' as const, expected: 'a rejection', actual: 'an acceptance' }
  })
  return { ...report, verdicts }
}

test.each([80, 120])(
  'forty failures take at most 67 lines of 80 columns (here %i), with what to fix first above all',
  (columns) => {
    const text = renderText(failingEverywhere(), { columns })
    const lines = text.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(columns === 80 ? 67 : 54)
    // A command stays whole, so that it can be copied.
    expect(lines.filter((line) => line.length > columns && !/^ +acs replay /.test(line))).toEqual([])
    expect(lines.indexOf('fix first')).toBe(2)
    expect(text).toMatch(/^ {3}(?:reproduce: )?acs replay acs-report\/report.json --only [a-z.-]+$/m)
    const named = new Set(text.match(/[a-z0-9-]+/g))
    const failed = failingEverywhere().verdicts.filter(({ outcome }) => outcome === 'violated')
    expect(failed.filter(({ requirement }) => !named.has(requirement.split('.')[1] ?? ''))).toEqual([])
  },
)

test('a quiet text has what failed and the outcome, and nothing of what passed', () => {
  const text = renderText(sampleReport(), { quiet: true })
  expect(text).toMatch(/^fix first\n/)
  expect(text).toMatch(/^ {2}errors .*validation-detail/m)
  expect(text).toMatch(/^× not conformant/m)
  expect(text).toMatch(/^ {3}reproduce: acs replay/m)
  expect(text).not.toMatch(/^✓|^ {2}reproduce |^gaps/m)
  expect(
    renderText(sampleReport({ green: true }), { quiet: true })
      .trim()
      .split('\n'),
  ).toHaveLength(2)
})

test('the last line says how many failures block, where not all do', () => {
  const report = sampleReport()
  const mild = { ...report, verdicts: report.verdicts.map((verdict) => ({ ...verdict, blocking: false })) }
  expect(renderText(mild)).toMatch(/\d+ failures \(none blocking\), /)
})

test('a quiet text says what the baseline knows, and why its entries fail', () => {
  const report = sampleReport({ green: true })
  const entry = { obligation: 'threads.roles-accepted createMessage', reason: 'r', expires: '2020-01-31' }
  const baseline = { file: 'b.yaml', known: [], unexpected: [], stale: [], expired: [entry], unproven: [] }
  const text = renderText({ ...report, run: { ...report.run, baseline } }, { quiet: true })
  expect(text).toMatch(
    /^Baseline b\.yaml: .*1 expired\n {2}entry {7}threads\.roles-accepted createMessage {2}expired on/m,
  )
})

test('a run of some rules alone says so at its head and beside what it grants', () => {
  const report = sampleReport({ green: true })
  const text = renderText({ ...report, run: { ...report.run, granted: [], only: 'threads.*' } })
  expect(text).toMatch(/^.*only threads\.\*.*\n/)
  expect(text).toContain('levels not granted: all 6 claimed (only threads.* was judged)')
})

test('an incomplete run names each rule with open obligations once, where and why, ten rules at most', () => {
  const green = sampleReport({ green: true })
  const openLines = (isOpen: (requirement: string) => boolean) => {
    const verdicts = green.verdicts.map((verdict) =>
      verdict.owed && isOpen(verdict.requirement)
        ? { ...verdict, outcome: 'unexercised' as const, reason: 'budget: It does not fit.' }
        : verdict,
    )
    const text = renderText({ ...green, run: { ...green.run, outcome: 'incomplete', exitCode: 2 }, verdicts })
    return text.split('\n').filter((line) => line.startsWith('open '))
  }
  const ids = [...new Set(green.verdicts.filter(({ owed }) => owed).map(({ requirement }) => requirement))]
  expect(openLines((id) => id === 'auth.key-required')).toEqual([
    expect.stringMatching(
      /^open {8}auth\.key-required {2}\S.* and \d+ more {2}left out by cap or tier: It does not fit\.$/,
    ),
  ])
  expect(openLines((id) => ids.slice(0, 12).includes(id))).toHaveLength(11)
  expect(openLines((id) => ids.slice(0, 12).includes(id)).at(-1)).toBe('open        and 2 more rules in the report')
  expect(renderText(green)).not.toMatch(/^open /m)
})

test('curl commands are printed only when they are asked for', () => {
  expect(renderText(sampleReport())).not.toContain('curl ')
  expect(renderText(sampleReport(), { verbose: true })).toContain('curl ')
})

test('recorded traffic is not shown with a seed and a tier that it never had', () => {
  const report = sampleReport()
  const text = renderText({ ...report, run: { ...report.run, source: 'proxy' } })
  expect(text).toContain('traffic through acs watch')
  expect(text).not.toMatch(/seed |tier gate/)
})

test('a chapter that was mostly not tested is not shown as passed', () => {
  const green = sampleReport({ green: true })
  const verdicts = green.verdicts.map((verdict, index) =>
    verdict.requirement.startsWith('auth.') && index > 2
      ? { ...verdict, outcome: 'unexercised' as const, reason: 'budget: It does not fit.' }
      : verdict,
  )
  expect(renderText({ ...green, verdicts })).toMatch(/^[◐○] auth/m)
})

test('two long texts that differ far behind are cut around the difference', () => {
  const shared = 'the same words '.repeat(60)
  const report = withFailures(new Set(['threads.create-echoes']))
  const verdicts = report.verdicts.map((one) =>
    one.outcome === 'violated' ? { ...one, expected: `${shared}sent`, actual: `${shared}stored` } : one,
  )
  const text = renderText({ ...report, verdicts })
  expect(text).toMatch(/ {2}expected +….*words sent$/m)
  expect(text).toMatch(/ {2}actual +….*words stored/m)
})

test('a text that is longer than a screen ends with what to fix first, a shorter one does not repeat it', () => {
  const long = renderText(sampleReport(), { columns: 80 }).trimEnd().split('\n')
  expect(long.slice(-8).join('\n')).toMatch(
    /^fix first: POST \/v1\/[\s\S]*^ {2}fix: [\s\S]*^ {2}(?:reproduce: )?acs replay /m,
  )
  const short = renderText(sampleReport(), { quiet: true })
  expect(short.match(/^fix first/gm)).toHaveLength(1)
  expect(renderText(sampleReport({ green: true }))).not.toContain('fix first')
})

const withReplay = (outcome: 'reproduced' | 'not-reproduced') => {
  const report = sampleReport()
  const failed = report.verdicts.filter((one) => one.outcome === 'violated')
  return { ...report, replays: failed.map((one) => ({ obligation: obligationKey(one), outcome, flaky: false })) }
}

test('what was seen once and not again says so in the titles', () => {
  const text = renderText(withReplay('not-reproduced'))
  expect(text).toMatch(/^1 {2}.* \(seen once, not reproduced\)/m)
  expect(text.match(/^× .*\(seen once, not reproduced\)$/gm)?.length).toBeGreaterThan(1)
  expect(text).not.toMatch(/reproduce: .*not reproduced/)
  expect(renderText(withReplay('reproduced'))).not.toContain('seen once')
})

test('a single cause is not repeated at the end', () => {
  const text = renderText(withFailures(new Set(['threads.create-echoes'])), { columns: 40 })
  expect(text.split('\n').length).toBeGreaterThan(24)
  expect(text).not.toContain('fix first:')
})

test('a quiet text has both sides of each cause', () => {
  expect(renderText(sampleReport(), { quiet: true })).toMatch(/^ {3}expected \S.*, got \S.* \(E\d+\)$/m)
  expect(renderText(sampleReport())).not.toMatch(/^ {3}expected \S.*, got /m)
})

test('a smoke run with nothing broken is one line that says what decides the rest', () => {
  const green = sampleReport({ green: true })
  const verdicts = green.verdicts.map((one) =>
    one.requirement === 'auth.key-required' ? { ...one, outcome: 'unexercised' as const, reason: 'budget: x' } : one,
  )
  const text = renderText({
    ...green,
    run: { ...green.run, outcome: 'incomplete', exitCode: 2, tier: 'smoke' },
    verdicts,
  })
  expect(text.match(/^open .*$/gm)).toEqual([
    expect.stringMatching(/^open {8}nothing broken; \d+ required obligations need --tier gate$/),
  ])
})

test('inconclusive, inconsistent and missing are named with rule, gap and setting', () => {
  const green = sampleReport({ green: true })
  const reasons = ['Undecided: the chunks were too close.', 'no-fixture: The profile has no tenant throttled.']
  const seen = new Map<string, number>()
  const verdicts = green.verdicts.map((one) => {
    if (one.requirement !== 'http.operation-served') return one
    const at = (seen.get(one.requirement) ?? 0) % 2
    seen.set(one.requirement, at + 1)
    const outcome = at === 0 ? ('inconclusive' as const) : ('unexercised' as const)
    return { ...one, outcome, reason: reasons[at] ?? '' }
  })
  const text = renderText({ ...green, verdicts })
  expect(text).toMatch(/^inconclusive {2}http\.operation-served ×\d+: the chunks were too close\.$/m)
  expect(text).toMatch(/^ {2}missing {5}The profile has no tenant throttled\. ×\d+$/m)
  const odd = green.observations.filter(({ consistent }) => !consistent).map(({ gap }) => gap)
  expect(text).toContain(`in several ways: ${odd.slice(0, 6).join(', ')}`)
})

test('one of a kind is in the singular', () => {
  const green = sampleReport({ green: true })
  const cost = { ...green.cost, exchanges: 1, modelCalls: 1, maxModelCalls: null }
  const run = {
    ...green.run,
    outcome: 'incomplete' as const,
    incompleteReason: '1 required obligation was not decided',
  }
  const text = renderText({ ...green, run, cost })
  expect(text).toContain('; 1 exchange, 1 model call, ')
  expect(text).toContain('(1 required obligation was not decided)')
})
