/** JSON that is nested absurdly deep is legal. It ends no judgement and breaks no rule, and its reader is told. */
import { expect, test } from 'vitest'
import { type Fields, ndjsonText, violatedIn } from '../../test/trace-builder/sample-data.ts'
import { type Change, TraceBuilder } from '../../test/trace-builder/trace-builder.ts'
import type { Judgement } from './verdict.ts'

const nest = (levels: number): string => `${'{"a":'.repeat(levels)}0${'}'.repeat(levels)}`
const nested = nest(6000)
/** The document with a field that is nested deep. */
const deep = (document: unknown): Change => ({
  text: JSON.stringify({ ...(document as Fields), deep: 0 }).replace('"deep":0', `"deep":${nested}`),
})

const stories: Readonly<Record<string, (s: TraceBuilder) => unknown>> = {
  'a list of assistants': (s) => s.assistants([], { text: `[${nested}]` }),
  'a new thread': (s) => s.thread(deep({ id: s.id() })),
  'a new message': (s) => s.add(s.thread(), 'user', 'Hello', deep({ id: s.id(), role: 'user', content: 'Hello' })),
  'a completion': (s) => s.assistants().complete({}, deep(s.answer(s.id(), 'The answer.', { meta_data: {} }))),
  'a run': (s) => {
    const thread = s.assistants().thread()
    s.add(thread, 'user', 'A question, please.')
    s.run(thread, 'The answer.', deep(s.answer(thread, 'The answer.')))
    s.list(thread)
  },
  'a page': (s) => {
    const thread = s.assistants().thread()
    s.add(thread, 'user', 'A question, please.')
    s.list(thread, deep({ cursor: null, items: [] }))
  },
  'a chunk': (s) => {
    const chunks = s.assistants().chunks(s.answer(s.id(), 'one two'), ['one ', 'two'])
    s.completeStream({}, { text: ndjsonText(chunks).replace('"delta":', `"deep":${nested},"delta":`) })
  },
  'an error': (s) =>
    s.assistants().complete({ assistant_id: undefined }, { status: 422, ...deep({ error_code: 'validation_error' }) }),
}

const faultsIn = ({ verdicts }: Judgement): readonly unknown[] =>
  verdicts.filter(({ outcome }) => outcome === 'suite-fault')

for (const [what, tell] of Object.entries(stories))
  test(`${what} of 6000 levels decides nothing`, () => {
    const story = new TraceBuilder()
    tell(story)
    const judgement = story.judge()
    expect([violatedIn(judgement), faultsIn(judgement)]).toEqual([[], []])
    expect(judgement.notices.map(({ code }) => code)).toContain('answer-not-read')
  })

test('a request of 6000 levels may be accepted or rejected', () => {
  for (const change of [{}, { status: 400, text: '{"error_code":"bad_request","detail":"no"}' }]) {
    const story = new TraceBuilder({ source: 'har' }).assistants()
    const sends = JSON.stringify({ ...story.body(), deep: 0 }).replace('"deep":0', `"deep":${nested}`)
    story.complete({}, { sends, ...change })
    const judgement = story.judge()
    expect([violatedIn(judgement), faultsIn(judgement)]).toEqual([[], []])
  }
})

test('an answer of 400 levels is read like any other', () => {
  const story = new TraceBuilder()
  story.assistants().complete({}, { text: JSON.stringify({ meta: 0, role: 'user' }).replace(':0', `:${nest(400)}`) })
  expect(violatedIn(story.judge()).length).toBeGreaterThan(0)
  expect(faultsIn(story.judge())).toEqual([])
})

test('brackets that never close are no JSON, however many there are', () => {
  const story = new TraceBuilder()
  story.assistants().complete({}, { text: '['.repeat(6000) })
  expect(violatedIn(story.judge())).toContain('http.json-response')
})
