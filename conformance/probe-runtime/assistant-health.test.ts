/** When an assistant that never answered is asked the next question. */
import { expect, test } from 'vitest'
import { createAssistantHealth } from './assistant-health.ts'

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
