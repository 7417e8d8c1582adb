/**
 * Requests out of the generators, operation by operation: one mutant for every way to be wrong, every edge of what is legal,
 * random legal requests. Deep and soak only; gate has its own hand-picked ones for every obligation.
 */
import {
  boundaryCases,
  type GeneratedRequest,
  type Mutant,
  oneForEachCell,
  type RequestFacts,
  type RequestParts,
  requestArbitrary,
  requestMutants,
  sample,
} from '../../generators/index.ts'
import { type OperationId, operations } from '../../spec/index.ts'
import type { Answer } from '../staging/answer.ts'
import type { Ask } from '../staging/ask.ts'
import type { Stage } from '../staging/stage.ts'
import { on, type Probe, refused } from './probe.ts'

const generated = [
  'createChatCompletion',
  'streamChatCompletion',
  'streamChatCompletionEvents',
  'runThread',
  'streamThreadRun',
  'listMessages',
  'createMessage',
  'listAssistants',
  'getAssistant',
  'createUploadGrant',
  'listMyApiKeys',
] as const
/** Random legal requests for each free operation in soak. */
const soakRequests = 2000

export const generatedRequests = [
  {
    id: 'http.mutants',
    chapter: 'http',
    from: 'deep',
    exercises: [on(['createChatCompletion', 'createMessage'], ...refused)],
    needs: { claims: ['threads'], threads: true },
    cost: { exchanges: 260, modelCalls: 0 },
    play: (stage) => forEachOperation(stage, playMutants),
  },
  {
    id: 'http.edges',
    chapter: 'http',
    from: 'deep',
    exercises: [on(['createMessage', 'createUploadGrant'], 'http.operation-served')],
    needs: { claims: ['threads'], threads: true },
    cost: { exchanges: 180, modelCalls: 0 },
    play: (stage) => forEachOperation(stage, playEdges),
  },
  {
    id: 'http.random',
    chapter: 'http',
    from: 'soak',
    exercises: [on(['createMessage', 'createUploadGrant'], 'http.operation-served')],
    needs: { claims: ['threads'], threads: true },
    cost: { exchanges: generated.length * soakRequests, modelCalls: 0 },
    play: (stage) => forEachOperation(stage, playRandom),
  },
] as const satisfies readonly Probe[]

type Play = (stage: Stage, operation: OperationId, facts: RequestFacts) => Promise<void>

async function forEachOperation(stage: Stage, play: Play): Promise<void> {
  const facts = await factsOf(stage)
  if (facts === null) return
  const claimed = generated.filter((operation) =>
    operations[operation].levels.every((level) => stage.profile.claims.includes(level)),
  )
  for (const operation of claimed) await play(stage, operation, facts)
}

/** One mutant for each cell; where acceptance is paid for, grey ones are left out and a class ends with the first accepted. */
async function playMutants(stage: Stage, operation: OperationId, facts: RequestFacts): Promise<void> {
  const [valid] = drawn(stage, operation, facts, 1)
  if (valid === undefined) return
  const { callsModel } = operations[operation]
  const ended = new Set<string>()
  for (const mutant of oneForEachCell(requestMutants(valid, facts))) {
    const grey = mutant.strength === 'GREY'
    if (callsModel && (grey || ended.has(mutant.class))) continue
    const purpose = `${mutant.operator}:${mutant.location}${mutant.pointer}`
    const { outcome } = await sendGenerated(stage, mutant.request, { purpose, expects: grey ? 'either' : 'rejected' })
    if (outcome === 'accepted') ended.add((mutant satisfies Mutant).class)
  }
}

async function playEdges(stage: Stage, operation: OperationId, facts: RequestFacts): Promise<void> {
  const [base] = drawn(stage, operation, facts, 1)
  if (base === undefined || operations[operation].callsModel) return
  for (const { operator, name, grey, request } of boundaryCases(base)) {
    await sendGenerated(stage, request, { purpose: `${operator}:${name}`, expects: grey ? 'either' : 'accepted' })
  }
}

/** State decides whether a legal request is accepted (a tool message, for one), so nothing is expected here. */
async function playRandom(stage: Stage, operation: OperationId, facts: RequestFacts): Promise<void> {
  if (operations[operation].callsModel) return
  for (const parts of drawn(stage, operation, facts, soakRequests)) {
    await stage.send(operation, { ...partsAsk(parts), purpose: 'random', expects: 'either' })
  }
}

async function factsOf(stage: Stage): Promise<RequestFacts | null> {
  const card = await stage.assistant('plain')
  const thread = await stage.shared('workshop')
  if (card === null || thread === null) return null
  const { assistant_id: _id, messages: _messages, ...required } = stage.shortCompletion(card)
  return {
    assistantIds: [card.id],
    assistantBodies: JSON.parse(JSON.stringify({ '*': required })),
    threadIds: [thread.id],
    runBody: JSON.parse(JSON.stringify(stage.runBody(card))),
  }
}

function drawn(stage: Stage, operation: OperationId, facts: RequestFacts, count: number): readonly RequestParts[] {
  return sample(requestArbitrary(operation, facts), { seed: stage.draw.seed(), count })
}

function sendGenerated(stage: Stage, request: GeneratedRequest, ask: Ask): Promise<Answer> {
  const { operation, method, target, headers, body, credential } = request
  const whole: Ask = {
    ...ask,
    method,
    path: target,
    headers,
    leaveOut: ['content-type'],
    ...(body === null ? {} : { body }),
    ...(credential === undefined ? {} : { as: credential === 'omitted' ? null : { raw: stage.draw.uuid() } }),
  }
  return request.raw ? stage.sendRaw(operation, whole) : stage.send(operation, whole)
}

function partsAsk({ path, query, headers, body }: RequestParts): Ask {
  return { in: path, query, headers, ...(body === undefined ? {} : { json: body }) }
}
