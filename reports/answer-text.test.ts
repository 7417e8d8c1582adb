/** Answers to open questions are grouped by status where each is a status with a name, and untouched otherwise. */
import { expect, test } from 'vitest'
import { answerText } from './answer-text.ts'

test.each([
  ['200 runThread; 200 createMessage; 201 createThread', '200 runThread, createMessage; 201 createThread'],
  ['404 thread_not_found', '404 thread_not_found'],
  ['401; 401 unauthorized', '401; 401 unauthorized'],
  ['200 a; some of them', '200 a; some of them'],
  ['rejected', 'rejected'],
])('%s', (value, text) => {
  expect(answerText(value)).toBe(text)
})
