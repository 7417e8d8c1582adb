/**
 * Sends generated requests, operation by operation. There is one mutant for every way to be wrong, every edge of what
 * is legal, and random legal requests. They run in deep and soak only; gate has its own hand-picked ones for every
 * obligation.
 */
import {
  boundaryCases,
  type GeneratedRequest,
  type Mutant,
  oneForEachCell,
  type RequestParts,
  requestArbitrary,
  requestMutants,
  sample,
  type TargetFacts,
} from '../../../generators/index.ts'
import { everyOperation, type OperationId, operations } from '../../../spec/index.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { exercised, type Probe, rejectionRules } from '../probe.ts'

/** Random legal requests for each free operation in soak. */
const soakRequests = 2000

export const generatedRequestProbes = [
  {
    id: 'http.mutants',
    chapter: 'http',
    alone: true,
    from: 'deep',
    exercises: [exercised(['createChatCompletion', 'createMessage'], ...rejectionRules)],
    needs: { claims: ['threads'], threads: true },
    cost: { exchanges: 260, modelCalls: 0 },
    play: (context) => forEachOperation(context, playMutants),
  },
  {
    id: 'http.edges',
    chapter: 'http',
    alone: true,
    from: 'deep',
    exercises: [exercised(['createMessage', 'createUploadGrant'], 'http.operation-served')],
    needs: { claims: ['threads'], threads: true },
    cost: { exchanges: 180, modelCalls: 0 },
    play: playAllEdges,
  },
  {
    id: 'http.random',
    chapter: 'http',
    alone: true,
    from: 'soak',
    exercises: [exercised(['createMessage', 'createUploadGrant'], 'http.operation-served')],
    needs: { claims: ['threads'], threads: true },
    cost: { exchanges: everyOperation.length * soakRequests, modelCalls: 0 },
    play: (context) => forEachOperation(context, playRandom),
  },
] as const satisfies readonly Probe[]

type Play = (context: ProbeContext, operation: OperationId, facts: TargetFacts) => Promise<void>

async function forEachOperation(context: ProbeContext, play: Play): Promise<void> {
  const facts = await factsOf(context)
  if (facts === null) return
  const claimed = everyOperation.filter((operation) =>
    operations[operation].levels.every((level) => context.profile.claims.includes(level)),
  )
  for (const operation of claimed) await play(context, operation, facts)
}

/** One mutant for each cell; where acceptance is paid for, grey ones are left out and a class ends with the first accepted. */
async function playMutants(context: ProbeContext, operation: OperationId, facts: TargetFacts): Promise<void> {
  const [valid] = drawn(context, operation, facts, 1)
  if (valid === undefined) return
  const { callsModel } = operations[operation]
  const ended = new Set<string>()
  for (const mutant of oneForEachCell(requestMutants(valid, facts))) {
    const grey = mutant.strength === 'GREY'
    if (callsModel && (grey || ended.has(mutant.class))) continue
    const purpose = `${mutant.operator}:${mutant.location}${mutant.pointer}`
    const { outcome } = await sendGenerated(context, mutant.request, { purpose, expects: grey ? 'either' : 'rejected' })
    if (outcome === 'accepted') ended.add((mutant satisfies Mutant).class)
  }
}

/** The edges of what is legal, and then those that are open: they may leave a thread that cannot be listed any more. */
async function playAllEdges(context: ProbeContext): Promise<void> {
  await forEachOperation(context, (_, operation, facts) => playEdges(context, operation, facts, false))
  const apart = await context.thread()
  const threadIds = apart === null ? {} : { threadIds: [apart] }
  await forEachOperation(context, (_, operation, facts) =>
    playEdges(context, operation, { ...facts, ...threadIds }, true),
  )
}

async function playEdges(
  context: ProbeContext,
  operation: OperationId,
  facts: TargetFacts,
  isOpen: boolean,
): Promise<void> {
  const [base] = drawn(context, operation, facts, 1)
  if (base === undefined || operations[operation].callsModel) return
  for (const { operator, name, grey, request } of boundaryCases(base).filter((edge) => edge.grey === isOpen)) {
    await sendGenerated(context, request, { purpose: `${operator}:${name}`, expects: grey ? 'either' : 'accepted' })
  }
}

/** State decides whether a legal request is accepted (a tool message, for one), so nothing is expected here. */
async function playRandom(context: ProbeContext, operation: OperationId, facts: TargetFacts): Promise<void> {
  if (operations[operation].callsModel) return
  for (const parts of drawn(context, operation, facts, soakRequests)) {
    await context.send(operation, { ...partsAsk(parts), purpose: 'random', expects: 'either' })
  }
}

async function factsOf(context: ProbeContext): Promise<TargetFacts | null> {
  const assistant = await context.assistant('plain')
  const thread = await context.shared('workshop')
  if (assistant === null || thread === null) return null
  const { assistant_id: _id, messages: _messages, ...required } = context.shortCompletion(assistant)
  return {
    assistantIds: [assistant.id],
    assistantBodies: JSON.parse(JSON.stringify({ '*': required })),
    threadIds: [thread.id],
    runBody: JSON.parse(JSON.stringify(context.runBody(assistant))),
  }
}

function drawn(
  context: ProbeContext,
  operation: OperationId,
  facts: TargetFacts,
  count: number,
): readonly RequestParts[] {
  return sample(requestArbitrary(operation, facts), { seed: context.random.seed(), count })
}

function sendGenerated(context: ProbeContext, request: GeneratedRequest, ask: RequestSpec): Promise<Answer> {
  const { operation, method, target, headers, body, credential } = request
  const whole: RequestSpec = {
    ...ask,
    method,
    path: target,
    headers,
    leaveOut: ['content-type'],
    ...(body === null ? {} : { body }),
    ...(credential === undefined ? {} : { as: credential === 'omitted' ? null : { raw: context.random.uuid() } }),
  }
  return request.raw ? context.sendRaw(operation, whole) : context.send(operation, whole)
}

function partsAsk({ path, query, headers, body }: RequestParts): RequestSpec {
  return { in: path, query, headers, ...(body === undefined ? {} : { json: body }) }
}
