/**
 * The engine: request in, response out through a sink, the same for sockets and for `mock.fetch`.
 * It finds the world, the operation and the caller, has the request judged, takes the step and sends the reply.
 */

import type { Rejection } from '../machine/rejection-reasons.ts'
import type { Caller } from '../scenario/resolved-scenario.ts'
import { durableSink } from '../store/durable-sink.ts'
import type { WorldLog } from '../store/world-log.ts'
import type { WorldRegistry } from '../worlds/world-registry.ts'
import { authorize } from './authorize.ts'
import { executeRequest } from './execute-request.ts'
import type { InFlightRequest } from './in-flight-request.ts'
import { readBody } from './json-body.ts'
import { isLimited } from './limited-operations.ts'
import { type EngineRequest, hasUnknownCoding, headerOf } from './request.ts'
import { type Address, addressOf } from './resolve-world.ts'
import { routeOf } from './routes.ts'
import { schedule } from './schedule.ts'
import type { Sink } from './sink.ts'
import { receiveUpload } from './upload.ts'
import type { RequestInput } from './validate-request.ts'
import { sendRejection } from './write-response.ts'

export interface Engine {
  /** Answers a request; never throws. */
  handle(request: EngineRequest, sink: Sink): void
}

/** An engine over the worlds of a mock. */
export function createEngine(worlds: WorldRegistry): Engine {
  return {
    handle(request, client) {
      const address = addressOf(request, worlds)
      const exchange = openExchange(address, request)
      const { log } = address.world
      if (log === null) begin(exchange, address, client)
      else if (log.isFailing()) whenWritten(exchange, address, client, log)
      else begin(exchange, address, durable(exchange, client, log))
    },
  }
}

function begin(exchange: InFlightRequest, address: Address, sink: Sink): void {
  try {
    if (address.rejection === null) route(exchange, address, sink)
    else refuse(exchange, sink, address.rejection)
  } catch (cause) {
    breakOff(exchange, sink, cause)
  }
}

function durable(exchange: InFlightRequest, client: Sink, log: WorldLog): Sink {
  return durableSink(client, log, () => sendRejection(exchange, client, { reason: 'state.unwritable' }))
}

/** Nothing is done while it could not be kept: the write that failed is tried again, and the request waits for that. */
function whenWritten(exchange: InFlightRequest, address: Address, client: Sink, log: WorldLog): void {
  const settled = log.settled() ?? Promise.resolve()
  settled
    .then(
      () => begin(exchange, address, durable(exchange, client, log)),
      () => sendRejection(exchange, client, { reason: 'state.unwritable' }),
    )
    .catch((cause: unknown) => breakOff(exchange, client, cause))
}

function openExchange(address: Address, request: EngineRequest): InFlightRequest {
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
    fault: null,
  }
}

const noFaults: InFlightRequest['injected'] = []

function route(exchange: InFlightRequest, address: Address, sink: Sink): void {
  if (hasUnknownCoding(exchange.request)) {
    refuse(exchange, sink, { reason: 'http.unknown-coding' })
    return
  }
  const found = routeOf(exchange.request.method, address.path)
  if (found.kind === 'unknown') {
    refuse(exchange, sink, { reason: 'http.unknown-route' })
    return
  }
  if (found.kind === 'wrong-method') {
    refuse(exchange, sink, { reason: 'http.wrong-method' }, { allow: found.allow })
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
  const caller = (exchange.world.hooks.http.authorize ?? authorize)(exchange.request, exchange)
  if ('reason' in caller) {
    refuse(exchange, sink, caller)
    return
  }
  exchange.caller = caller
  interfered(exchange, sink, (wrapped) => {
    const { reason, input } = inputOf(exchange, caller, operation, pathId, query, address.baseUrl)
    if (input === null) sendRejection(exchange, wrapped, reason)
    else executeRequest(exchange, wrapped, input, breakOff)
  })
}

type Input =
  | { readonly reason: null; readonly input: RequestInput }
  | { readonly reason: Rejection; readonly input: null }

/** Quota and body, in this order: a key that has spent its quota is not told what else is wrong. */
function inputOf(
  exchange: InFlightRequest,
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

/** Refuses at the door; faults of the transport act there too. */
function refuse(
  exchange: InFlightRequest,
  sink: Sink,
  rejection: Rejection,
  headers?: Readonly<Record<string, string>>,
): void {
  interfered(exchange, sink, (wrapped) => sendRejection(exchange, wrapped, rejection, headers))
}

/** Lets a fault act first, if there is one for this exchange. */
function interfered(exchange: InFlightRequest, sink: Sink, proceed: (sink: Sink) => void): void {
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

function limit(exchange: InFlightRequest): Rejection | null {
  const { caller, operation, world } = exchange
  if (caller === null || operation === null || caller.apiKey.quota === null || !isLimited(operation)) return null
  const retryAfterSeconds = world.spend(caller.apiKey)
  return retryAfterSeconds === null ? null : { reason: 'limits.quota', retryAfterSeconds }
}

/** What nobody foresaw: the contract's own error if nothing was sent yet, else the end of the connection. */
function breakOff(exchange: InFlightRequest, sink: Sink, cause: unknown): void {
  exchange.fault = cause
  if (exchange.status === 0) {
    try {
      sendRejection(exchange, sink, { reason: 'mock.fault' })
      return
    } catch (second) {
      exchange.fault = second
    }
  }
  exchange.outcome = 'broken-off'
  sink.reset()
  exchange.world.journal.record(exchange)
}
