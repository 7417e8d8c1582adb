/** Tests the mutants of whole requests over every operation. */

import { expect, test } from 'vitest'
import { type Json, operationIds } from '../../spec/index.ts'
import { sampler } from '../random/sampler.ts'
import { inputsOf } from '../requests/operation-inputs.ts'
import { requestArbitrary } from '../requests/request-arbitrary.ts'
import { validatorOf } from '../schema/schema-validator.ts'
import { cellKey, cellOf, oneForEachCell } from './coverage.ts'
import type { Mutant } from './mutant.ts'
import { requestMutants } from './request-mutants.ts'

const facts = {
  assistantIds: ['11111111-2222-4333-8444-555555555555'],
  foreignAssistantIds: ['99999999-2222-4333-8444-555555555555'],
  foreignThreadIds: ['88888888-2222-4333-8444-555555555555'],
}
const soak = operationIds.flatMap((operation) =>
  sampler(5)
    .sample(requestArbitrary(operation, facts), 25, operation)
    .flatMap((valid) => requestMutants(valid, facts)),
)

const of = (operation: string, operator: string): readonly Mutant[] =>
  soak.filter((mutant) => mutant.operation === operation && mutant.operator === operator)

test('a body mutant that may fail a server is invalid exactly at its place', () => {
  const strict = soak.filter(
    ({ location, strength, class: kind }) => location === 'body' && strength !== 'GREY' && kind !== 'state',
  )
  expect(strict.length).toBeGreaterThan(10_000)
  const judges = new Map(operationIds.map((id) => [id, id === 'uploadFile' ? null : judgeFor(id)]))
  for (const { operation, request, pointer, keyword } of strict) {
    const faults = judges.get(operation)?.faults(JSON.parse(String(request.body)) as Json)
    expect(faults).toContainEqual({ pointer, keyword })
    expect(faults?.every((fault) => fault.pointer === pointer)).toBe(true)
  }
})

test('no mutant has the bytes of a valid request of its operation', () => {
  const valid = new Set(soak.map(({ operation }) => operation))
  expect(valid.size).toBe(operationIds.length - 1)
  const plain = soak.filter(
    ({ request }) =>
      request.method === 'GET' && request.target === '/v1/assistants' && request.credential === undefined,
  )
  expect(plain).toEqual([])
})

test('completions promise code, place and class for a field fault, but only the code for a body that is not an object', () => {
  expect(
    new Set(of('createChatCompletion', 'N-DROP').map(({ strength, errorCode }) => `${strength} ${errorCode}`)),
  ).toEqual(new Set(['S validation_error']))
  expect(of('createChatCompletion', 'N-ROOT')[0]?.strength).toBe('M')
})

test('an empty content on a thread promises message_content_empty', () => {
  const empty = of('createMessage', 'N-LENGTH')
  expect(empty[0]).toMatchObject({ pointer: '/content', strength: 'M', errorCode: 'message_content_empty' })
})

test('operations that do not list validation_error promise only a well-formed rejection of a schema fault', () => {
  const silent = ['streamChatCompletionEvents', 'runThread', 'streamThreadRun', 'getAssistant', 'createUploadGrant']
  const strong = soak.filter(
    ({ operation, class: kind, strength }) => silent.includes(operation) && kind !== 'state' && /[SM]/.test(strength),
  )
  expect(strong).toEqual([])
})

test('a fault that real servers accept is grey', () => {
  expect(
    soak.filter(
      ({ operator, strength }) => /^L-|N-PDUP|N-KEY|N-CURSOR|N-LIMIT|N-CT/.test(operator) && strength !== 'GREY',
    ),
  ).toEqual([])
})

test('null in an optional field is grey, in a required one it is not', () => {
  const nulls = of('createChatCompletion', 'N-NULL')
  expect(nulls.filter(({ pointer }) => pointer === '/user_id').map(({ strength }) => strength)).toContain('GREY')
  expect(nulls.filter(({ pointer, strength }) => pointer === '/user_id' && strength !== 'GREY')).toEqual([])
  expect(nulls.filter(({ pointer, strength }) => pointer === '/assistant_id' && strength === 'S')).not.toEqual([])
})

test('a foreign assistant and an unknown thread promise the code that the contract gives them', () => {
  expect(
    of('createChatCompletion', 'N-ASSIST').some(
      (mutant) => mutant.strength === 'M' && mutant.errorCode === 'assistant_not_available',
    ),
  ).toBe(true)
  expect(
    of('listMessages', 'N-THREAD').every(
      ({ strength, errorCode }) => strength === 'M' && errorCode === 'thread_not_found',
    ),
  ).toBe(true)
})

test('one mutant for each cell covers every cell with a few hundred requests', () => {
  const deck = oneForEachCell(soak)
  const keys = (mutants: readonly Mutant[]) => new Set(mutants.map((mutant) => cellKey(cellOf(mutant))))
  expect(keys(deck)).toEqual(keys(soak))
  expect(deck.length).toBeLessThanOrEqual(400)
  expect(cellOf({ ...(deck[0] as Mutant), pointer: '/messages/3/role' }).pointer).toBe('/messages/*/role')
})

function judgeFor(operation: (typeof operationIds)[number]) {
  const { body } = inputsOf(operation)
  return body === null ? null : validatorOf(body.schema)
}
