/** Laws of findings: one cause is told once, and no violation is left unexplained. */
import { expect, test } from 'vitest'
import { refused } from '../trace-notation/material.ts'
import { Story } from '../trace-notation.ts'

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
  const story = new Story().assistants()
  for (let count = 0; count < 20; count += 1) {
    story.send('createUploadGrant', {}, null, {
      query: '?filename=a.csv',
      headers: [['user-id', `ann${count}`]],
      ...refused('no_such_route', 404),
    })
  }
  const judgement = story.judge()
  expect(judgement.verdicts.filter(({ outcome }) => outcome === 'violated').length).toBeGreaterThan(1)
  expect(judgement.findings).toHaveLength(1)
  expect(judgement.findings[0]?.title).toMatch(/^createUploadGrant serves no request that meets the rules/)
})

test('a field that is missing everywhere is one finding', () => {
  const story = new Story().assistants()
  const thread = story.thread()
  story.add(thread, 'user', 'Hello there', { with: { created_at: undefined } })
  story.run(thread, 'The answer.', { with: { created_at: undefined } })
  story.complete({}, { with: { created_at: undefined } })
  expect(story.judge().findings).toHaveLength(1)
})

test('two causes are two findings, and each violation is explained by exactly one', () => {
  const story = new Story().assistants()
  story.add(story.thread(), 'user', 'Hello there', { with: { content: 'Other' } })
  story.send('createUploadGrant', {}, { file_id: 'x' }, { query: '?filename=a.csv', headers: [['user-id', 'ann']] })
  const judgement = story.judge()
  const violated = judgement.verdicts.filter(({ outcome }) => outcome === 'violated').map(nameOf)
  expect(judgement.findings.length).toBeGreaterThan(1)
  expect(judgement.findings.flatMap(({ verdicts }) => verdicts).sort()).toEqual([...violated].sort())
})
