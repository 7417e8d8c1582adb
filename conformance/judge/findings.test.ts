/** Laws of findings: one cause is told once, and no violation is left unexplained. */
import { expect, test } from 'vitest'
import { rejectedWith } from '../../test/trace-builder/sample-data.ts'
import { TraceBuilder } from '../../test/trace-builder/trace-builder.ts'

const nameOf = ({
  requirement,
  operation,
  facet,
}: {
  requirement: string
  operation: string
  facet: string | null
}): string => [requirement, operation, facet ?? ''].join(' ').trimEnd()

test('an operation that refuses everything is one finding, however many rules it breaks', () => {
  const trace = new TraceBuilder().assistants()
  for (let count = 0; count < 20; count += 1) {
    trace.send('createUploadGrant', {}, null, {
      query: '?filename=a.csv',
      headers: [['user-id', `ann${count}`]],
      ...rejectedWith('no_such_route', 404),
    })
  }
  const judgement = trace.judge()
  expect(judgement.verdicts.filter(({ outcome }) => outcome === 'violated').length).toBeGreaterThan(1)
  expect(judgement.findings).toHaveLength(1)
  expect(judgement.findings[0]?.title).toMatch(/^createUploadGrant serves no request that meets the rules/)
})

test('a field that is missing everywhere is one finding', () => {
  const trace = new TraceBuilder().assistants()
  const thread = trace.thread()
  trace.add(thread, 'user', 'Hello there', { with: { created_at: undefined } })
  trace.run(thread, 'The answer.', { with: { created_at: undefined } })
  trace.complete({}, { with: { created_at: undefined } })
  expect(trace.judge().findings).toHaveLength(1)
})

test('two causes are two findings, and each violation is explained by exactly one', () => {
  const trace = new TraceBuilder().assistants()
  trace.add(trace.thread(), 'user', 'Hello there', { with: { content: 'Other' } })
  trace.send('createUploadGrant', {}, { file_id: 'x' }, { query: '?filename=a.csv', headers: [['user-id', 'ann']] })
  const judgement = trace.judge()
  const violated = judgement.verdicts.filter(({ outcome }) => outcome === 'violated').map(nameOf)
  expect(judgement.findings.length).toBeGreaterThan(1)
  expect(judgement.findings.flatMap(({ verdicts }) => verdicts).sort()).toEqual([...violated].sort())
})
