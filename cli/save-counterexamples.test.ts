/** What replaying the failures of a run showed, in a sentence. */
import { expect, test } from 'vitest'
import { replaySentence } from './save-counterexamples.ts'

test.each([
  [1, 1, 1, 'The failure was reproduced by replay'],
  [1, 1, 0, 'The failure was not reproduced by replay'],
  [2, 2, 2, 'Both failures were replayed and reproduced'],
  [5, 5, 4, 'All 5 failures were replayed: 4 reproduced, 1 not'],
  [5, 1, 1, '1 of 5 failures was replayed and reproduced'],
])('of %i failures, %i replayed and %i reproduced: %s', (failures, tried, reproduced, sentence) => {
  expect(replaySentence(failures, tried, reproduced)).toBe(sentence)
})
