/** Tests that a replay file is looked at field by field before anything is sent. */
import { expect, test } from 'vitest'
import { readReplayFile } from './read-replay-file.ts'

const step = {
  exchange: 'E1',
  method: 'GET',
  path: '/v1/assistants',
  credential: 'primary',
  operation: 'listAssistants',
  headers: [],
  body: null,
  raw: false,
  together: false,
  gives: [],
}
const file = {
  format: 'acs-replay/1',
  requirement: 'http.x',
  operation: 'listAssistants',
  facet: null,
  seed: 1,
  steps: [step],
}

test('a whole file is read', () => {
  expect(readReplayFile(file)).toEqual(file)
})

test.each([
  ['no replay file', null, 'it is no replay file'],
  ['another format', { ...file, format: 'x' }, 'it is no replay file'],
  ['no steps', { ...file, steps: [] }, 'steps'],
  ['more steps than any witness needs', { ...file, steps: Array.from({ length: 1_001 }, () => step) }, 'steps'],
  ['a step that is none', { ...file, steps: [null] }, 'steps[0]'],
  ['a method with a line break', { ...file, steps: [{ ...step, method: 'GET\r\nx' }] }, 'steps[0].method'],
  ['an operation from the prototype', { ...file, operation: 'constructor' }, 'operation'],
  ['a body that is none', { ...file, steps: [{ ...step, body: { text: 'x' } }] }, 'steps[0].body'],
  [
    'an answer to wait for without a value',
    { ...file, steps: [{ ...step, until: { pointer: '/s' } }] },
    'steps[0].until',
  ],
  ['headers that are none', { ...file, steps: [{ ...step, headers: [['a']] }] }, 'steps[0].headers'],
])('%s is refused by the name of the field', (_, value, named) => {
  expect(() => readReplayFile(value)).toThrow(named)
})
