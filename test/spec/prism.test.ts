/** Tests that stock `prism mock` serves every operation from our documents. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  loadDocument,
  type OperationId,
  operationIds,
  operations,
  renderDocument,
  schemaOf,
  type ValidatorName,
  validatorFor,
} from '../../spec/index.ts'
import { type PrismProcess, startPrism } from '../support/prism.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-prism-'))
const profiles = ['contract', 'reference'] as const
type BuiltIn = (typeof profiles)[number]
const prisms = new Map<BuiltIn, PrismProcess>()

beforeAll(async () => {
  await Promise.all(
    profiles.map(async (profile) => {
      const file = join(folder, `${profile}.yaml`)
      writeFileSync(file, renderDocument(await loadDocument({ profile }), 'yaml'))
      prisms.set(profile, await startPrism('mock', file))
    }),
  )
})

afterAll(async () => {
  for (const prism of prisms.values()) await prism[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const id = '5d0c9a52-8f3e-4c1b-8a77-1f6d2f0b9c01'
const completion = { assistant_id: id, messages: [{ role: 'user', content: 'Hello' }] }
const bodies: Readonly<Partial<Record<OperationId, unknown>>> = {
  createChatCompletion: completion,
  streamChatCompletion: completion,
  streamChatCompletionEvents: completion,
  runThread: {},
  streamThreadRun: {},
  createMessage: { role: 'user', content: 'Hello' },
  createThread: {},
}

const send = async (profile: BuiltIn, operation: OperationId, headers: Record<string, string> = {}) => {
  const { method, path } = operations[operation]
  const query = operation === 'createUploadGrant' ? '?filename=a.pdf' : ''
  const body = bodies[operation]
  return fetch(`${prisms.get(profile)?.url}${path?.replace(/\{\w+\}/, id)}${query}`, {
    method,
    headers: { 'api-key': 'k', 'user-id': 'u', 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

const served = profiles.flatMap((profile) =>
  operationIds
    .filter((each) => operations[each].path !== null)
    .filter((each) => profile === 'reference' || operations[each].profile === 'contract')
    .map((operation) => [profile, operation] as const),
)

test.for(served)('prism mock serves the %s %s, and what it serves is valid', async ([profile, operation]) => {
  const response = await send(profile, operation)
  const text = await response.text()
  expect(response.status, text).toBe(profile === 'reference' && /^create(Message|Thread)$/.test(operation) ? 201 : 200)
  const isStream = schemaOf(operation, 'chunk', profile) !== null
  expect(response.headers.get('content-type')).toBe(isStream ? 'application/x-ndjson' : 'application/json')
  const name = `${operation}.${isStream ? 'chunk' : 'response'}` as ValidatorName<'reference'>
  const documents = isStream ? text.trimEnd().split('\n') : [text]
  for (const each of documents) {
    expect(validatorFor(name as 'Id', profile as 'contract')(JSON.parse(each))).toEqual([])
  }
})

const limited = operationIds.filter((operation) => schemaOf(operation, 'error') !== null)

test.for(limited)('prism mock can be asked for an error of %s', async (operation) => {
  const response = await send('contract', operation, { prefer: 'code=429, example=rate_limit_gateway' })
  expect(response.status).toBe(429)
  expect(await response.json()).toEqual({ error_code: 'rate_limit_gateway', detail: 'Rate limit exceeded' })
})

test('prism mock refuses a header that breaks its schema', async () => {
  const response = await send('contract', 'createUploadGrant', { 'user-id': 'no/slash' })
  expect(response.status).toBeGreaterThanOrEqual(400)
})
