/**
 * Tests the claims of the generators on three servers that share no code.
 * A server refuses every mutant that may fail it and accepts every valid request and edge case; otherwise our claim is wrong.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  boundaryCases,
  encodeRequest,
  type GeneratedRequest,
  type Mutant,
  oneForEachCell,
  requestArbitrary,
  requestMutants,
  sampler,
  type TargetFacts,
} from '../../generators/index.ts'
import { createMock } from '../../mock-server/index.ts'
import type { OperationId } from '../../spec/index.ts'
import { startAtrium } from '../servers/atrium/index.ts'
import { startBasalt } from '../servers/basalt/index.ts'
import { asJson, asList, isJson, type Json } from '../servers/wire.ts'

interface Subject {
  readonly baseUrl: string
  readonly keys: readonly [primary: string, secondary: string]
  readonly openThread: (assistantId: string) => {
    readonly path: string
    readonly body: string
    readonly pointer: string
  }
  readonly runBody: string
  readonly close: () => Promise<void>
}

const names = ['mock', 'atrium', 'basalt'] as const
type Name = (typeof names)[number]
const someone = '5d0c9a52-8f3e-4c1b-8a77-1f6d2f0b9c01'
const subjects = new Map<Name, Subject>()
const operations: readonly OperationId[] = [
  'createChatCompletion',
  'streamChatCompletion',
  'streamChatCompletionEvents',
  'runThread',
  'streamThreadRun',
  'listMessages',
  'createMessage',
  'getAssistant',
  'createUploadGrant',
]

beforeAll(async () => {
  subjects.set('mock', await mockSubject())
  for (const [name, start] of [
    ['atrium', startAtrium],
    ['basalt', startBasalt],
  ] as const) {
    const server = await start()
    const { baseUrl, tenants, threads } = server.profile
    if (threads?.kind !== 'http') throw new Error(`${name} opens threads by no request`)
    const openThread = (id: string) => ({
      path: threads.path,
      pointer: threads.pointer,
      body: JSON.stringify(threads.body ?? {})
        .replace('{{assistant_id}}', id)
        .replace('{{user_id}}', someone),
    })
    const keys = [tenants.primary.key, tenants.secondary?.key ?? ''] as const
    const runBody = JSON.stringify(server.profile.runBody)
    subjects.set(name, { baseUrl, keys, openThread, runBody, close: async () => server.close() })
  }
})

afterAll(async () => {
  for (const subject of subjects.values()) await subject.close()
})

test.each(names)(
  '%s refuses every mutant that may fail it, with the code and the place that are promised',
  async (name) => {
    const subject = subjectOf(name)
    const broken: string[] = []
    let sent = 0
    for (const operation of operations) {
      const facts = await factsOf(subject)
      const mutants = sampler(3)
        .sample(requestArbitrary(operation, facts), 3, operation)
        .flatMap((valid) => requestMutants(valid, facts))
      for (const mutant of chosen(mutants)) {
        sent += 1
        const body = await send(subject, mutant.request)
        const fault = breach(mutant, body)
        if (fault !== null)
          broken.push(
            `${operation} ${mutant.operator} ${mutant.location}${mutant.pointer} ${mutant.strength}: ${fault} ${String(mutant.request.body).slice(0, 90)} ${mutant.request.target}`,
          )
      }
    }
    expect(broken).toEqual([])
    expect(sent).toBeGreaterThan(300)
  },
)

test.each(names)('%s takes every valid request and every edge of what is legal', async (name) => {
  const subject = subjectOf(name)
  const refused: string[] = []
  for (const operation of [
    'createChatCompletion',
    'createMessage',
    'createUploadGrant',
    'listMessages',
    'getAssistant',
  ] as const) {
    const facts = await factsOf(subject)
    const valid = sampler(8).sample(requestArbitrary(operation, facts), 20, operation)
    const [base] = valid
    const edges = base === undefined ? [] : boundaryCases(base).filter(({ grey }) => !grey)
    const requests = [...valid.map((parts) => ({ name: 'drawn', request: encodeRequest(parts) })), ...edges]
    for (const { name: edge, request } of requests) {
      const body = await send(subject, request)
      if (isRejection(body))
        refused.push(`${operation} ${edge} ${JSON.stringify(body).slice(0, 200)} ${request.target}`)
    }
  }
  expect(refused).toEqual([])
})

/** A few of each cell: the first, and one more of every class. */
function chosen(mutants: readonly Mutant[]): readonly Mutant[] {
  const able = mutants.filter(({ strength, request }) => strength !== 'GREY' && request.raw !== true)
  return [...new Set([...oneForEachCell(able), ...able.filter((_, at) => at % 9 === 0)])]
}

function breach(mutant: Mutant, body: Answer): string | null {
  if (!isRejection(body)) return `accepted with ${JSON.stringify(body).slice(0, 80)}`
  const { status, json } = body
  if (status >= 500) return `answered ${status}`
  if (mutant.strength !== 'S' && mutant.strength !== 'M') return null
  if (!isJson(json) || json.error_code !== mutant.errorCode) return `answered ${JSON.stringify(json)}`
  if (mutant.strength === 'M') return null
  const places = asList(json.detail).map(({ loc }) => (Array.isArray(loc) ? loc.join('/') : ''))
  const wanted = `body${mutant.pointer}`
  return places.includes(wanted) ? null : `placed it at ${places.join(', ')}, not at ${wanted}`
}

interface Answer {
  readonly status: number
  readonly json: unknown
}

function isRejection({ status, json }: Answer): boolean {
  return status >= 400 || (isJson(json) && typeof json.error_code === 'string')
}

async function send({ baseUrl, keys }: Subject, request: GeneratedRequest): Promise<Answer> {
  const headers = new Headers(request.headers.map(([name, value]) => [name, value] as [string, string]))
  headers.set('api-key', keys[0])
  const body = request.body === null ? {} : { body: request.body as string }
  const response = await fetch(`${baseUrl}${request.target}`, { method: request.method, headers, ...body })
  const text = await response.text()
  return { status: response.status, json: parsed(text.split('\n')[0] ?? '') ?? parsed(text) }
}

async function factsOf(subject: Subject): Promise<TargetFacts> {
  const [own, foreign] = await Promise.all(subject.keys.map((key) => assistantsOf(subject, key)))
  const plain = own?.find(({ request_required_fields: fields }) => Object.values(asJson(fields)).flat().every(isGiven))
  const assistantId = String(plain?.id)
  const ownIds = new Set(own?.map(({ id }) => id))
  const foreignIds = (foreign ?? []).map(({ id }) => String(id)).filter((id) => !ownIds.has(id))
  return {
    assistantIds: [assistantId],
    runBody: JSON.parse(subject.runBody.replace('{{assistant_id}}', assistantId)),
    threadIds: [await openThread(subject, assistantId, subject.keys[0])],
    foreignAssistantIds: foreignIds.slice(0, 1),
    foreignThreadIds: [await openThread(subject, foreignIds[0] ?? assistantId, subject.keys[1])],
  }
}

/** Fields that every completion has anyway. */
function isGiven(name: unknown): boolean {
  return name === 'assistant_id' || name === 'messages'
}

async function assistantsOf({ baseUrl }: Subject, key: string): Promise<Json[]> {
  const response = await fetch(`${baseUrl}/v1/assistants`, { headers: { 'api-key': key } })
  return asList(await response.json())
}

async function openThread({ baseUrl, openThread: how }: Subject, assistantId: string, key: string): Promise<string> {
  const { path, body, pointer } = how(assistantId)
  const headers = { 'api-key': key, 'content-type': 'application/json' }
  const response = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body })
  const text = await response.text()
  let value: unknown = parsed(text)
  if (!response.ok) throw new Error(`no thread: ${response.status} ${text}`)
  for (const segment of pointer.split('/').slice(1)) value = asJson(value)[segment]
  return String(value)
}

async function mockSubject(): Promise<Subject> {
  const mock = await createMock()
  const { url } = await mock.listen({ port: 0, host: '127.0.0.1' })
  return {
    baseUrl: url,
    keys: ['acs-demo-primary', 'acs-demo-secondary'],
    openThread: (id) => ({ path: '/v1/threads', pointer: '/id', body: JSON.stringify({ assistant_id: id }) }),
    runBody: '{}',
    close: () => mock.close(),
  }
}

function subjectOf(name: Name): Subject {
  const subject = subjects.get(name)
  if (subject === undefined) throw new Error(`${name} did not start`)
  return subject
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
