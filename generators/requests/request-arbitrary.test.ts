/** Tests valid requests and boundary cases: they fit the document and are reproducible. */

import { expect, test } from 'vitest'
import { type Json, operationIds } from '../../spec/index.ts'
import { sampler } from '../random/sampler.ts'
import { validatorOf } from '../schema/schema-validator.ts'
import { boundaryCases, userIdAlphabet } from './boundary-cases.ts'
import { encodeRequest } from './encode-request.ts'
import { inputsOf } from './operation-inputs.ts'
import { requestArbitrary } from './request-arbitrary.ts'
import { respellings } from './respell-json.ts'
import { trickyUnicode } from './tricky-unicode.ts'

const assistantId = '11111111-2222-4333-8444-555555555555'

test('every drawn request fits the document, and the guard rejects none', () => {
  for (const operation of operationIds.filter((id) => id !== 'uploadFile')) {
    const { body, parameters } = inputsOf(operation)
    const judge = body === null ? null : validatorOf(body.schema)
    for (const parts of sampler(11).sample(requestArbitrary(operation), 60, operation)) {
      if (judge !== null) expect(judge.faults(parts.body ?? null)).toEqual([])
      for (const { name, in: place, required } of parameters) {
        const sent =
          place === 'path'
            ? Object.keys(parts.path)
            : place === 'query'
              ? parts.query.map(([key]) => key)
              : parts.headers.map(([key]) => key)
        if (required) expect(sent).toContain(name)
      }
    }
    expect(body?.compiled.guard.rejected ?? 0).toBe(0)
  }
})

test('facts about a target replace invented ids', () => {
  const facts = {
    assistantIds: [assistantId],
    assistantBodies: { '*': { user_data: { licence: 'A-1' } } },
    completionThreadIds: ['t'],
  }
  for (const { body, query } of sampler(3).sample(requestArbitrary('createChatCompletion', facts), 20)) {
    expect(body).toMatchObject({ assistant_id: assistantId, user_data: { licence: 'A-1' } })
    expect(query.every(([name, value]) => name === 'thread_id' && value === 't')).toBe(true)
  }
})

test('the same seed gives the same requests, whatever other operations draw', () => {
  const first = sampler(9).sample(requestArbitrary('createMessage'), 3, 'createMessage', 'V-BND')
  sampler(9).sample(requestArbitrary('runThread'), 5, 'runThread', 'V-BND')
  expect(sampler(9).sample(requestArbitrary('createMessage'), 3, 'createMessage', 'V-BND')).toEqual(first)
  expect(first).toMatchSnapshot()
})

test('every character of a user-id is used first, in the middle and last, and both extreme lengths appear', () => {
  const base = {
    operation: 'createUploadGrant',
    path: {},
    query: [['filename', 'a.pdf']],
    headers: [['user-id', 'u']],
    body: undefined,
  } as const
  const ids = boundaryCases(base)
    .filter(({ operator }) => operator === 'V-ALPH' || operator === 'V-BND')
    .map(({ request }) => request.headers.find(([name]) => name === 'user-id')?.[1] ?? '')
  expect(new Set(ids.map((id) => id[0])).size).toBe(67)
  expect(new Set(ids.map((id) => id.at(-1))).size).toBe(67)
  expect([1, 2, 254, 255].every((length) => ids.some((id) => id.length === length))).toBe(true)
  expect(userIdAlphabet).toHaveLength(67)
  expect(ids.every((id) => /^[A-Za-z0-9._\-@:]+$/u.test(id) && id.length <= 255)).toBe(true)
})

test('contents reach 64 KiB, and lone surrogates are escaped and grey', () => {
  const base = {
    operation: 'createMessage',
    path: { thread_id: 't' },
    query: [],
    headers: [],
    body: { role: 'user', content: 'a' },
  } as const
  const cases = boundaryCases(base)
  const contents = cases.map(({ request }) => (JSON.parse(String(request.body)) as { content: string }).content)
  expect(contents.some((content) => content.length === 65_536)).toBe(true)
  const lone = cases.find(({ name }) => name === 'lone high surrogate')
  expect(lone?.grey).toBe(true)
  expect(String(lone?.request.body)).toContain('\\ud800')
})

test('every tricky text survives JSON and UTF-8, except lone surrogates', () => {
  for (const { text, json, grey } of trickyUnicode) {
    expect(JSON.parse(json ?? JSON.stringify(text))).toBe(text)
    const bytes = new TextEncoder().encode(json ?? JSON.stringify(text))
    expect(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))).toBe(text)
    if (/\p{Surrogate}/u.test(text)) expect(grey).toBe(true)
  }
})

test('a respelling is another text of the same value', () => {
  const value = { role: 'user', content: 'é/"\\\u2028\u{1f600}\n', list: [1, { b: null, a: true }] }
  const spelled = respellings(value)
  expect(spelled).toHaveLength(10)
  for (const { text } of spelled) {
    expect(text).not.toBe(JSON.stringify(value))
    expect(JSON.parse(text) as Json).toEqual(value)
  }
})

test('path and query are percent-encoded', () => {
  const parts = {
    operation: 'createUploadGrant',
    path: {},
    query: [['filename', 'a+b & 100%.pdf']],
    headers: [],
    body: undefined,
  } as const
  expect(encodeRequest(parts).target).toBe('/v1/files/signed-url?filename=a%2Bb%20%26%20100%25.pdf')
})
