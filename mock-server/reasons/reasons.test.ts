/** Tests the ids of the reason table, and the statuses of codes against the reference document. */
import { expect, test } from 'vitest'
import { documentOf, gaps, requirements } from '../../spec/index.ts'
import { isObject } from '../overrides/json-edit.ts'
import type { Json, JsonObject } from '../scenario/scenario.ts'
import { type ErrorCode, errorCodes } from './reason.ts'
import { reasons } from './reasons.ts'

test('the id of a reason looks like no id of a requirement or a gap', () => {
  const specified = [...requirements, ...gaps].map(({ id }) => id)
  expect(specified.filter((id) => !id.includes('.'))).toEqual([])
  expect(Object.keys(reasons).filter((id) => !/^[a-z]+(-[a-z]+)+$/.test(id))).toEqual([])
})

test('every code that the reference document lists for an operation has its status among the responses', () => {
  const document = documentOf('reference') as JsonObject
  const listed = operationsOf(document).flatMap(({ operationId, responses, 'x-error-codes': codes }) =>
    (codes as readonly ErrorCode[]).map((code) => ({ code, place: `${operationId} ${code}`, responses })),
  )
  expect(listed.length).toBeGreaterThanOrEqual(30)
  for (const { code, place, responses } of listed) {
    const reference = at(responses, String(errorCodes[code].status), '$ref')
    const name = String(reference).replace('#/components/responses/', '')
    const examples = at(document, 'components', 'responses', name, 'content', 'application/json', 'examples')
    expect(examples, place).toHaveProperty(code)
  }
})

/** The operations that list their codes. */
const operationsOf = (document: JsonObject): readonly JsonObject[] =>
  Object.values(at(document, 'paths') as JsonObject)
    .flatMap((item) => Object.values(item as JsonObject))
    .filter((operation): operation is JsonObject => isObject(operation) && 'x-error-codes' in operation)

const at = (json: Json | undefined, ...path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((node, key) => (isObject(node) ? node[key] : undefined), json)
