/**
 * Draws valid requests for every operation from the OpenAPI document and the facts about a target.
 * Where the document is wider than what makes sense (any integer as `limit`), this file narrows the choice.
 */

import fc from 'fast-check'
import { isJsonObject, type Json, type OperationId } from '../../spec/index.ts'
import { parameterText } from './encode-request.ts'
import type { RequestParts } from './generated-request.ts'
import { inputsOf, type ParameterInput } from './operation-inputs.ts'
import { bodyFor, type TargetFacts } from './target-facts.ts'

/** Media types that may be uploaded. */
const uploadTypes = [
  'text/csv',
  'text/plain',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
] as const

/** Valid requests of an operation, before encoding. */
export function requestArbitrary(operation: OperationId, facts: TargetFacts = {}): fc.Arbitrary<RequestParts> {
  if (operation === 'uploadFile') return uploads(facts)
  const { parameters, body } = inputsOf(operation, facts.profile)
  const values = parameters.map((parameter) => parameterArbitrary(parameter, facts))
  const bodies: fc.Arbitrary<Json | undefined> =
    body === null ? fc.constant(undefined) : withFacts(operation, body.compiled.arbitrary, facts)
  return fc.tuple(bodies, ...values).map(([made, ...texts]) => {
    const present = parameters.flatMap(({ name, in: place }, index) => {
      const text = texts[index]
      return typeof text === 'string' ? [{ name, place, text }] : []
    })
    const inPlace = (place: ParameterInput['in']) =>
      present.filter((one) => one.place === place).map(({ name, text }) => [name, text] as const)
    return {
      operation,
      path: Object.fromEntries(inPlace('path')),
      query: inPlace('query'),
      headers: inPlace('header'),
      body: made as Json | undefined,
    }
  })
}

/** The text of a parameter, `null` if it is left out. */
function parameterArbitrary(parameter: ParameterInput, facts: TargetFacts): fc.Arbitrary<string | null> {
  const chosen = knownValues(parameter, facts)
  const texts = chosen ?? parameter.values.map((value) => (value === null ? null : parameterText(value)))
  return parameter.required ? texts : fc.option(texts, { freq: 2 })
}

function knownValues({ name, in: place }: ParameterInput, facts: TargetFacts): fc.Arbitrary<string | null> | null {
  switch (name) {
    case 'limit':
      return fc.oneof(fc.constantFrom(1, 2, 99, 100), fc.integer({ min: 1, max: 100 })).map(String)
    case 'cursor':
      return oneOf(facts.cursors) ?? fc.constant(null)
    case 'thread_id':
      return place === 'path' ? oneOf(facts.threadIds) : (oneOf(facts.completionThreadIds) ?? fc.constant(null))
    case 'assistant_id':
      return oneOf(facts.assistantIds)
    case 'file_id':
      return oneOf(facts.fileIds)
    case 'filename':
      return filenames
    default:
      return null
  }
}

const filenames = fc
  .tuple(
    fc.oneof(
      fc.string({ unit: fc.constantFrom(...'abcXYZ019-_'), minLength: 1, maxLength: 12 }),
      fc.constantFrom('my lease', 'v1.2.final', 'Verträge', '契約', 'a+b&c=d', '100%', 'e\u0301tat', 'x'.repeat(240)),
    ),
    fc.constantFrom('csv', 'txt', 'pdf', 'docx', 'xlsx'),
  )
  .map(([base, extension]) => `${base}.${extension}`)

function withFacts(operation: OperationId, bodies: fc.Arbitrary<Json>, facts: TargetFacts): fc.Arbitrary<Json> {
  const { runBody } = facts
  if (operation === 'runThread' || operation === 'streamThreadRun') {
    return runBody === undefined ? bodies : fc.constant(runBody)
  }
  const ids = facts.assistantIds
  if (ids === undefined || ids.length === 0) return bodies
  return fc.tuple(bodies, fc.constantFrom(...ids)).map(([body, id]) => {
    if (!isJsonObject(body) || !('assistant_id' in body)) return body
    return { ...body, assistant_id: id, ...bodyFor(facts, id) }
  })
}

function uploads(facts: TargetFacts): fc.Arbitrary<RequestParts> {
  const contents = fc.string({ unit: fc.constantFrom(...'abc,;1 \n'), minLength: 1, maxLength: 64 })
  return fc.tuple(fc.constantFrom(...uploadTypes), contents).map(([type, text]) => ({
    operation: 'uploadFile',
    path: { url: facts.uploadUrl ?? '/' },
    query: [],
    headers: [['content-type', type]],
    body: text,
  }))
}

function oneOf(values: readonly string[] | undefined): fc.Arbitrary<string> | null {
  return values === undefined || values.length === 0 ? null : fc.constantFrom(...values)
}
