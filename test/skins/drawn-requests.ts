/** Draws a sequence of requests, legal ones and mutants, as plain data that any transport can send. */
import {
  encodeRequest,
  type GeneratedRequest,
  requestArbitrary,
  requestMutants,
  sampler,
  type TargetFacts,
} from '../../generators/index.ts'
import { createMock, type MockOptions, type WorldHandle } from '../../mock-server/index.ts'
import type { OperationId } from '../../spec/index.ts'

export interface DrawnRequest {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  /** In base64, since it travels into pages. */
  readonly body: string | null
}

/** Where all requests go, whoever answers. */
export const drawnOrigin = 'http://acs.test'
/** Every transport starts from this mock and this world. */
export const drawnMock: MockOptions = { seed: 11, clock: { mode: 'frozen' }, journal: { entries: 10 } }
/** The name of the first world that gets none, as skins make it. */
export const drawnWorld = 'world-1'

const operations: readonly OperationId[] = [
  'createThread',
  'createMessage',
  'streamThreadRun',
  'listMessages',
  'createChatCompletion',
  'streamChatCompletion',
  'createMessage',
  'runThread',
  'streamChatCompletionEvents',
  'createUploadGrant',
  'uploadFile',
  'getFileStatus',
  'getAssistant',
  'listAssistants',
  'listMyApiKeys',
]

/** Threads that are used on; an answer gets longer with its thread. */
const openThreads = 5

/** Every third request is a mutant, and each knows the ids that the answers before it gave. */
export async function drawRequests(seed: number, count: number): Promise<readonly DrawnRequest[]> {
  const mock = await createMock(drawnMock)
  const world = mock.world({ name: drawnWorld })
  const draws = sampler(seed)
  const assistant = mock.scenario.tenants[0]?.assistants.find(({ name }) => name === 'Echo')?.id ?? ''
  let facts: TargetFacts = { profile: 'reference', assistantIds: [assistant], runBody: {} }
  const drawn: DrawnRequest[] = []
  for (let index = 0; drawn.length < count; index += 1) {
    const operation = operations[index % operations.length] ?? 'listAssistants'
    const [parts] = draws.sample(requestArbitrary(operation, facts), 1, String(index))
    if (parts === undefined) continue
    const mutants = index % 3 === 2 ? requestMutants(parts, facts) : []
    const request = mutants[index % Math.max(1, mutants.length)]?.request ?? encodeRequest(parts)
    if (request.raw === true || !canBeSent(request)) continue
    const one = plain(request)
    drawn.push(one)
    facts = await learnt(facts, operation, await sendDrawn(world, one))
  }
  await mock.close()
  return drawn
}

/** Ordinary clients refuse some headers and targets. */
function canBeSent(request: GeneratedRequest): boolean {
  try {
    requestOf(plain(request))
    return true
  } catch {
    return false
  }
}

function plain({ method, target, headers, body, credential }: GeneratedRequest): DrawnRequest {
  const key = credential === 'omitted' ? {} : { 'api-key': credential === 'made-up' ? 'unknown' : 'acs-demo-primary' }
  return {
    method,
    target,
    headers: { ...key, ...Object.fromEntries(headers) },
    body: body === null ? null : Buffer.from(body).toString('base64'),
  }
}

/** The request as a fetch handler takes it. */
export function requestOf({ method, target, headers, body }: DrawnRequest): Request {
  return new Request(drawnOrigin + target, {
    method,
    headers,
    body: body === null ? null : Buffer.from(body, 'base64'),
  })
}

const sendDrawn = (world: WorldHandle, one: DrawnRequest): Promise<Response> => world.fetch(requestOf(one))

async function learnt(facts: TargetFacts, operation: OperationId, response: Response): Promise<TargetFacts> {
  const text = await response.text()
  if (!response.ok || text === '' || text.includes('\n')) return facts
  const json = JSON.parse(text)
  if (operation === 'createThread')
    return { ...facts, threadIds: [...(facts.threadIds ?? []), json.id].slice(-openThreads) }
  if (operation === 'listMessages' && json.cursor !== null) return { ...facts, cursors: [json.cursor] }
  if (operation !== 'createUploadGrant') return facts
  return { ...facts, fileIds: [json.file_id], uploadUrl: json.file_url.replace(drawnOrigin, '') }
}
