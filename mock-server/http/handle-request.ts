/**
 * The engine: request in, response out through a sink, the same for sockets and for `mock.fetch`.
 * It finds the world, the operation and the caller, has the request judged, takes the step and sends the reply.
 */

import { type EngineRequest, hasUnknownCoding, headerOf } from '../exchange/request.ts'
import type { RequestInput } from '../exchange/request-input.ts'
import type { ServedRequest } from '../exchange/served-request.ts'
import type { Engine, Sink } from '../exchange/sink.ts'
import type { Rejection } from '../reasons/reasons.ts'
import type { Caller } from '../scenario/resolved-scenario.ts'
import { ScenarioFailure } from '../scenario/scenario-failure.ts'
import { executeRequest } from './execute-request.ts'
import { readBody } from './json-body.ts'
import { isLimited } from './limited-operations.ts'
import { type Address, addressOf, type WorldDirectory } from './resolve-world.ts'
import { routeOf } from './routes.ts'
import { schedule } from './schedule.ts'
import { receiveUpload } from './upload.ts'
import { sendRejection } from './write-response.ts'

/** An engine over the worlds of a mock. */
export function createEngine(worlds: WorldDirectory): Engine {
  return {
    handle(request, client) {
      const address = addressOf(request, worlds)
      const exchange = openExchange(address, request)
      const { admit } = address.world
      if (admit === null) begin(exchange, address, client)
      else
        admit(
          client,
          (sink) => begin(exchange, address, sink),
          () => refuseUnwritable(exchange, client),
        )
    },
  }
}

function begin(exchange: ServedRequest, address: Address, sink: Sink): void {
  try {
    if (address.rejection === null) route(exchange, address, sink)
    else refuse(exchange, sink, address.rejection)
  } catch (cause) {
    breakOff(exchange, sink, cause)
  }
}

function refuseUnwritable(exchange: ServedRequest, client: Sink): void {
  try {
    sendRejection(exchange, client, { reason: 'state-unwritable' })
  } catch (cause) {
    breakOff(exchange, client, cause)
  }
}

function openExchange(address: Address, request: EngineRequest): ServedRequest {
  return {
    world: address.world,
    request,
    startedAtUs: address.world.clock.nowUs(),
    operation: null,
    caller: null,
    command: null,
    reason: null,
    status: 0,
    chunkTimesUs: [],
    chunkCount: null,
    injected: noFaults,
    outcome: 'pending',
    response: null,
    responsePieces: [],
    answeredBy: null,
    fault: null,
  }
}

const noFaults: ServedRequest['injected'] = []

function route(exchange: ServedRequest, address: Address, sink: Sink): void {
  if (hasUnknownCoding(exchange.request)) {
    refuse(exchange, sink, { reason: 'unknown-coding' })
    return
  }
  const found = routeOf(exchange.request.method, address.path)
  if (found.kind === 'unknown') {
    refuse(exchange, sink, { reason: 'unknown-route' })
    return
  }
  if (found.kind === 'wrong-method') {
    refuse(exchange, sink, { reason: 'wrong-method' }, { allow: found.allow })
    return
  }
  const { operation } = found
  exchange.operation = operation
  const pathId = found.parameter ?? ''
  const query = address.query === null ? null : new URLSearchParams(address.query)
  if (operation === 'uploadFile') {
    interfered(exchange, sink, (wrapped) => receiveUpload(exchange, wrapped, { fileId: pathId, query }, breakOff))
    return
  }
  const caller = exchange.world.hooks.authorize(exchange.request, exchange)
  if ('reason' in caller) {
    refuse(exchange, sink, caller)
    return
  }
  exchange.caller = caller
  interfered(exchange, sink, (wrapped) => {
    const { reason, input } = inputOf(exchange, caller, operation, pathId, query, address.baseUrl)
    if (input === null) {
      sendRejection(exchange, wrapped, reason)
      return
    }
    const { playback } = exchange.world
    const goOn = playback === null ? wrapped : playback.play(exchange, wrapped, input)
    if (goOn !== null) executeRequest(exchange, goOn, input, breakOff)
  })
}

type Input =
  | { readonly reason: null; readonly input: RequestInput }
  | { readonly reason: Rejection; readonly input: null }

/** Quota and body, in this order: a key that has spent its quota gets no other error. */
function inputOf(
  exchange: ServedRequest,
  caller: Caller,
  operation: RequestInput['operation'],
  pathId: string,
  query: URLSearchParams | null,
  baseUrl: string,
): Input {
  const spent = limit(exchange)
  if (spent !== null) return { reason: spent, input: null }
  const { request } = exchange
  const body = readBody(request)
  if (body.kind === 'rejected') return { reason: body.rejection, input: null }
  const header = (name: string) => headerOf(request.headers, name)
  const { value, bytes } = body
  return { reason: null, input: { operation, caller, pathId, query, header, body: value, bodyBytes: bytes, baseUrl } }
}

/** Refuses before the machine is called; faults of the transport act there too. */
function refuse(
  exchange: ServedRequest,
  sink: Sink,
  rejection: Rejection,
  headers?: Readonly<Record<string, string>>,
): void {
  interfered(exchange, sink, (wrapped) => sendRejection(exchange, wrapped, rejection, headers))
}

/** Lets a fault act first, if there is one for this exchange. */
function interfered(exchange: ServedRequest, sink: Sink, proceed: (sink: Sink) => void): void {
  const { interfere, clock } = exchange.world
  const interference = interfere === null ? null : interfere(exchange)
  if (interference === null) {
    proceed(sink)
    return
  }
  const wrapped = interference.wrapSink === undefined ? sink : interference.wrapSink(sink)
  const act = () => {
    try {
      if (interference.rejection === undefined) proceed(wrapped)
      else sendRejection(exchange, wrapped, interference.rejection)
    } catch (cause) {
      breakOff(exchange, wrapped, cause)
    }
  }
  if (interference.delayMs === undefined) {
    act()
    return
  }
  const dueUs = clock.nowUs() + interference.delayMs * 1000
  schedule(exchange, wrapped, dueUs, act, (cause) => breakOff(exchange, wrapped, cause))
}

function limit(exchange: ServedRequest): Rejection | null {
  const { caller, operation, world } = exchange
  if (caller === null || operation === null || caller.apiKey.quota === null || !isLimited(operation)) return null
  const retryAfterSeconds = world.spend(caller.apiKey)
  return retryAfterSeconds === null ? null : { reason: 'quota-spent', retryAfterSeconds }
}

/** A mistake of the scenario, or an unexpected error: the contract's own error, or the end of a connection in use. */
function breakOff(exchange: ServedRequest, sink: Sink, cause: unknown): void {
  exchange.fault = cause
  const isOfScenario = cause instanceof ScenarioFailure
  if (isOfScenario) exchange.world.tell(`the scenario failed: ${cause.message}`)
  if (exchange.status === 0) {
    try {
      sendRejection(exchange, sink, { reason: isOfScenario ? 'scenario-failure' : 'mock-failure' })
      return
    } catch (second) {
      exchange.fault = second
    }
  }
  exchange.outcome = 'broken-off'
  sink.reset()
  exchange.world.journal.record(exchange)
}
