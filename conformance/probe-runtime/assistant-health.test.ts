/** When an assistant that never answered is asked the next question. */
import { expect, test } from 'vitest'
import { createAssistantHealth } from './assistant-health.ts'
import type { Answer } from './probe-response.ts'

test('the second question waits until the answer to the first begins, and the third until that to the second does', async () => {
  const { turn } = createAssistantHealth()
  const began: string[] = []
  const first = await turn('A')
  const second = turn('a')?.then((over) => {
    began.push('second')
    return over
  })
  const third = turn('a')?.then((over) => {
    began.push('third')
    return over
  })
  await Promise.resolve()
  expect(began).toEqual([])
  first?.()
  const over = await second
  first?.()
  await Promise.resolve()
  expect(began, 'the end of the first answer frees nobody else').toEqual(['second'])
  over?.()
  await third
  expect(began).toEqual(['second', 'third'])
})

const answered = (status: number): Answer =>
  ({
    exchange: { ending: 'complete', response: { status, pieces: [], headers: [] } },
    outcome: status < 400 ? 'accepted' : 'rejected',
    errorCode: status < 400 ? null : 'bad_request',
    json: {},
    lines: [],
  }) as unknown as Answer

test('what is refused behind a failed attempt is no sign of health, and two such failures retire an assistant', () => {
  const { count, isRetired } = createAssistantHealth()
  expect(count('A', answered(400), { hasOther: true, disturbed: true })).toBe(false)
  expect(count('A', answered(400), { hasOther: true, disturbed: true })).toBe(true)
  expect(isRetired('a')).toBe(true)
})

test('a refusal at the first attempt, or an answer behind a failed one, retires nobody', () => {
  const { count } = createAssistantHealth()
  expect([400, 400, 200, 400].map((status) => count('A', answered(status), { hasOther: true }))).not.toContain(true)
  expect([1, 2, 3].map(() => count('B', answered(200), { hasOther: true, disturbed: true }))).not.toContain(true)
})
