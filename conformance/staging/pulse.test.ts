/** When a target counts as gone. */
import { expect, test } from 'vitest'
import type { Exchange } from '../exchange.ts'
import { createPulse } from './pulse.ts'

const silent = { response: null, ending: 'timed-out' } as Exchange
const answered = { response: {}, ending: 'complete' } as Exchange

test('a target that never answered is given up after its first silence', () => {
  const pulse = createPulse()
  pulse.check('listAssistants')
  pulse.feel(silent, 'listAssistants')
  expect(() => pulse.check('getAssistant')).toThrow(expect.objectContaining({ code: 'unreachable' }))
})

test('three silences in a row block one operation, and only that', () => {
  const pulse = createPulse()
  pulse.feel(answered, 'listAssistants')
  for (let count = 0; count < 3; count += 1) pulse.feel(silent, 'runThread')
  expect(() => pulse.check('runThread')).toThrow(expect.objectContaining({ code: 'blocked' }))
  expect(() => pulse.check('listAssistants')).not.toThrow()
})

test('an answer in between starts the count again', () => {
  const pulse = createPulse()
  for (let count = 0; count < 10; count += 1) {
    pulse.feel(count % 2 === 0 ? answered : silent, 'runThread')
  }
  expect(() => pulse.check('runThread')).not.toThrow()
})

test('five silences in a row on any operations end the run', () => {
  const pulse = createPulse()
  pulse.feel(answered, 'listAssistants')
  for (const operation of ['a', 'b', 'c', 'd', 'e']) pulse.feel(silent, operation)
  expect(() => pulse.check('listAssistants')).toThrow(expect.objectContaining({ code: 'unreachable' }))
})

test('an answer that is cut or never ends counts as silence of its operation', () => {
  const pulse = createPulse()
  for (const ending of ['cut', 'capped', 'timed-out']) pulse.feel({ response: {}, ending } as Exchange, 'runThread')
  expect(() => pulse.check('runThread')).toThrow(expect.objectContaining({ code: 'blocked' }))
})

test('an exchange that the suite itself left is no silence', () => {
  const pulse = createPulse()
  pulse.feel({ response: null, ending: 'aborted' } as Exchange, 'runThread')
  expect(() => pulse.check('runThread')).not.toThrow()
})
