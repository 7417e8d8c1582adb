/** What a person reads in a terminal, and that a target cannot write into it. */
import { expect, test } from 'vitest'
import { hostileText } from '../test/reports/hostile-text.ts'
import { sampleReport } from '../test/reports/sample-report.ts'
import { renderText } from './terminal-text.ts'

const controls = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

test('a green run is one line a chapter and a last line that counts', () => {
  expect(renderText(sampleReport({ green: true })).replace(/\d+/g, '9')).toMatchInlineSnapshot(`
    "http://9.9.9.9:9  seed 9  tier gate  contract 9f9a9c9d9b9e

    ✓ http          9 upheld
    ✓ auth          9 upheld
    ✓ resources     9 unexercised  9 upheld
    ✓ completions   9 unexercised  9 upheld
    ✓ streams       9 unexercised  9 upheld
    ✓ threads       9 upheld
    ✓ tools         9 upheld
    ✓ pagination    9 unexercised  9 upheld
    ✓ assistants    9 upheld
    ✓ files         9 upheld
    ✓ tenancy       9 upheld
    ✓ errors        9 unexercised  9 upheld

    gaps     9 answered, 9 not consistently, 9 not as declared
    not run  9 when-seen
    notice   errors.other-detail-text: detail differs from the table: Which tax applies?

    claimed  core streaming events threads tools files   granted  core streaming events threads tools files
    conformant  9 violated, 9 unexercised, 9 upheld; 9 exchanges, 9 of 9 model calls, 9.9 s
    "
  `)
})

test('a failing block has the rule, the section, both sides, the story, the next step and the replay', () => {
  const text = renderText(sampleReport(), { reportPath: 'out/report.json' })
  const start = text.indexOf('× threads.run-needs-user-message')
  expect(text.slice(start, text.indexOf('\n\n', start))).toMatchInlineSnapshot(`
    "× threads.run-needs-user-message  must  stated
      rule      A run on a thread without any user message is rejected.
      section   Endpoints / POST /v1/threads/{thread_id}/run
      at        runThread
      expected  a rejection, since the thread holds no user message
      actual    status 200 with an assistant message: Which tax applies?  at /role
      because   The run of E3 was accepted although nothing was said in the thread before: Which tax applies?
      E2        create thread  POST /v1/threads → 201  the thread is empty
                curl -i -X POST -H "api-key: $ACS_API_KEY" -H 'content-type: application/json' --data-raw '{}' http://127.0.0.1:4010/v1/threads
      E3        run  POST /v1/threads/0b8f5b1e…/run → 200  it answered: Which tax applies?
                curl -i -X POST -H "api-key: $ACS_API_KEY" -H 'content-type: application/json' --data-raw '{}' http://127.0.0.1:4010/v1/threads/0b8f5b1e-6b43-4a1c-9b1f-3f4f0f6c2a10/run
      also at   streamThreadRun
      fix       Check the thread before calling the model.
      again     acs replay out/report.json --only threads.run-needs-user-message"
  `)
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

test('what does not fit on a screen is one line each, not dropped', () => {
  const text = renderText(sampleReport(), { maxBlocks: 1 })
  expect(text.match(/^ {2}again/gm)).toHaveLength(1)
  expect(text).toMatch(/^× errors\.validation-detail {2}must {2}stated {2}The detail of validation_error/m)
})

test('an incomplete run names what it still owes with the reasons, ten of them at most', () => {
  const green = sampleReport({ green: true })
  const owed = (count: number) => {
    const open = green.verdicts
      .filter(({ outcome, level, basis }) => outcome === 'upheld' && level === 'must' && basis === 'stated')
      .slice(0, count)
    const verdicts = green.verdicts.map((verdict) =>
      open.includes(verdict)
        ? { ...verdict, outcome: 'unexercised' as const, reason: 'budget: It does not fit.' }
        : verdict,
    )
    const text = renderText({ ...green, run: { ...green.run, outcome: 'incomplete', exitCode: 2 }, verdicts })
    return text.split('\n').filter((line) => line.startsWith('open '))
  }
  expect(owed(1)).toEqual([expect.stringMatching(/^open {5}\S+ {2}\S.* {2}budget: It does not fit\.$/)])
  expect(owed(12)).toHaveLength(11)
  expect(owed(12).at(-1)).toBe('open     and 2 more in the report')
  expect(renderText(green)).not.toMatch(/^open /m)
})
