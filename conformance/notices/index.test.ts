/** What is told beside the verdicts, and what is not told twice. */
import { expect, test } from 'vitest'
import { refused } from '../trace-notation/material.ts'
import { Story } from '../trace-notation.ts'

const codesOf = (tell: (story: Story, thread: string) => unknown): readonly string[] => {
  const story = new Story()
  tell(story, story.assistants().thread())
  return story.judge().notices.map(({ code }) => code)
}

test('a code where the table does not list it is a notice', () => {
  expect(codesOf((s, thread) => s.add(thread, 'user', '', refused('bad_request')))).toContain('unlisted-code')
})

test('a code that answers a gap is told there, and is no notice', () => {
  expect(codesOf((s, thread) => s.run(thread, '', refused('bad_request')))).not.toContain('unlisted-code')
  expect(codesOf((s, thread) => s.add(thread, 'moderator', 'Hello', refused('bad_request')))).not.toContain(
    'unlisted-code',
  )
})

test('a code for a request of which the contract leaves open whether it is right is no notice', () => {
  const odd = { query: '?limit=0', ...refused('validation_error') }
  expect(codesOf((s, thread) => s.list(thread, odd))).not.toContain('unlisted-code')
})

test('a code that the table does not know is a notice', () => {
  expect(codesOf((s, thread) => s.run(thread, '', refused('engine_on_fire')))).toContain('unknown-code')
})
