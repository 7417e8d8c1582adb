/** Laws of the gap report: what was seen is told, inconsistency is told, and a declared answer is held to. */
import { expect, test } from 'vitest'
import { type GapId, gaps } from '../../spec/index.ts'
import { assistant, assistantIds, error, lines, refused, uuid } from '../trace-notation/material.ts'
import { Story, type StoryOptions } from '../trace-notation.ts'
import { gapObservers } from './observers.ts'

const observed = (tell: (story: Story) => unknown, gap: GapId, options: StoryOptions = {}) => {
  const story = new Story(options)
  tell(story)
  return story.judge().observations.find((observation) => observation.gap === gap)
}
const asked = (s: Story): string => {
  const thread = s.assistants().thread()
  s.add(thread, 'user', 'A question, please.')
  return thread
}

test('every gap has an observer, or the reason why no trace tells', () => {
  expect(Object.keys(gapObservers).sort()).toEqual(gaps.map(({ id }) => id).sort())
  for (const observer of Object.values(gapObservers)) if (typeof observer === 'string') expect(observer).toMatch(/\.$/)
})

test('what was never seen is not told', () => {
  expect(observed((s) => s.assistants(), 'streams.media-type')).toBeUndefined()
})

test.each<[GapId, string, (s: Story) => unknown]>([
  ['http.success-status', '201 createThread; 200 listAssistants', (s) => s.assistants().thread()],
  ['errors.status-of-code', '404 thread_not_found', (s) => s.list(uuid(99), refused('thread_not_found', 404))],
  ['auth.missing-key', '401 unauthorized', (s) => s.assistants([], { as: null, ...refused('unauthorized', 401) })],
  [
    'streams.line-end',
    'CRLF',
    (s) =>
      s.stream(asked(s), [], { text: lines(s.chunks(s.answer(uuid(1), 'ab'), ['a', 'b'])).replaceAll('\n', '\r\n') }),
  ],
  ['streams.final-newline', 'yes', (s) => s.stream(asked(s))],
  ['streams.media-type', 'application/json', (s) => s.stream(asked(s))],
  [
    'threads.run-after-answer',
    'rejected',
    (s) => {
      const thread = asked(s)
      s.run(thread)
      s.run(thread, '', refused('bad_request'))
    },
  ],
  [
    'threads.closed-thread-code',
    'thread_is_closed',
    (s) => s.assistants().add(String(s.complete().thread_id), 'user', 'x', refused('thread_is_closed')),
  ],
  ['threads.blank-content', 'accepted', (s) => s.add(asked(s), 'user', '  ')],
  ['pagination.end-signal', 'null', (s) => s.list(asked(s))],
  ['pagination.limit-below-one', 'rejected', (s) => s.list(asked(s), { query: '?limit=0', ...refused('bad_request') })],
  [
    'pagination.invalid-cursor',
    'rejected',
    (s) => s.list(asked(s), { query: '?cursor=zzz', ...refused('bad_request') }),
  ],
  [
    'completions.user-id-required',
    'required',
    (s) => s.assistants().complete({ user_id: undefined }, refused('bad_request')),
  ],
  [
    'completions.unknown-thread',
    'resource_not_found',
    (s) => s.assistants().complete({}, { query: `?thread_id=${uuid(99)}`, ...refused('resource_not_found', 404) }),
  ],
  [
    'assistants.unknown-error',
    'resource_not_found',
    (s) =>
      s.assistants().send('getAssistant', { in: { assistant_id: uuid(77) } }, null, refused('resource_not_found', 404)),
  ],
  [
    'resources.uuid-spelling',
    'without hyphens accepted',
    (s) => s.assistants().complete({ user_id: uuid(9).replaceAll('-', '') }),
  ],
])('%s is seen: %s', (gap, value, tell) => {
  const found = observed(tell, gap)
  expect(found?.value.split('; ').sort()).toEqual(value.split('; ').sort())
  expect(found?.consistent).toBe(true)
  expect(found?.proposal).toContain(found?.value ?? 'nothing')
})

test('one code under two statuses is inconsistent, and proposes nothing', () => {
  const found = observed((s) => {
    s.list(uuid(98), refused('thread_not_found', 404))
    s.list(uuid(99), refused('thread_not_found', 400))
  }, 'errors.status-of-code')
  expect(found).toMatchObject({
    consistent: false,
    value: '400 thread_not_found; 404 thread_not_found',
    exchanges: ['E1', 'E2'],
  })
  expect(found).not.toHaveProperty('proposal')
})

test('two codes with a status each are consistent', () => {
  const found = observed((s) => {
    s.list(uuid(98), refused('thread_not_found', 404))
    s.assistants([], refused('bad_request', 400))
  }, 'errors.status-of-code')
  expect(found?.consistent).toBe(true)
})

test('a declared answer that is met is an obligation upheld', () => {
  const story = new Story({
    profile: { declares: { 'errors.status-of-code': '404 thread_not_found; 422 validation_error' } },
  })
  story.list(uuid(99), refused('thread_not_found', 404))
  expect(story.judge().verdicts.at(-1)).toMatchObject({
    requirement: 'gap.errors.status-of-code',
    outcome: 'upheld',
    level: 'must',
    basis: 'stated',
  })
})

test('a declared answer that is not met makes the target nonconformant', () => {
  const story = new Story({ profile: { declares: { 'pagination.end-signal': 'absent' } } })
  story.list(asked(story))
  const judgement = story.judge()
  expect(judgement.exitCode).toBe(1)
  expect(judgement.verdicts.at(-1)).toMatchObject({
    requirement: 'gap.pagination.end-signal',
    outcome: 'violated',
    expected: 'absent',
    actual: 'null',
  })
})

test('no gap fails a target that declared nothing', () => {
  const story = new Story().assistants([assistant(assistantIds.plain)])
  story.complete({}, { status: 418, body: error('odd_code') })
  story.assistants([], { as: null, status: 402, text: 'Pay first.' })
  expect(story.judge().verdicts.filter(({ requirement }) => requirement.startsWith('gap.'))).toEqual([])
})
