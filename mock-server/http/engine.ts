/**
 * The engine: request in, response out through a sink, the same for sockets and for `mock.fetch`.
 * It finds the world, the operation and the caller, has the request judged, takes the step and sends the reply.
 */

import { spendQuota } from '../machine/quota.ts'
import type { Rejection } from '../machine/rejection.ts'
import type { Run } from '../machine/run.ts'
import { draftChunks, wholeDurationMs } from '../streams/chunk.ts'
import { pumpChunks } from '../streams/pump.ts'
import type { WorldBook } from '../worlds/world-book.ts'
import { type Address, addressOf } from './address.ts'
import { authorize } from './authorize.ts'
import { parseCommand, type RequestInput } from './command-parser.ts'
import type { Exchange } from './exchange.ts'
import { parseJsonBody } from './json-body.ts'
import { isLimited } from './limited-operations.ts'
import { type EngineRequest, headerOf } from './request.ts'
import { sendRejection, sendReply, sendStreamHead } from './respond.ts'
import { routeOf } from './routes.ts'
import type { Sink } from './sink.ts'
import { receiveUpload } from './upload.ts'

export interface Engine {
  /** Answers a request; never throws. */
  handle(request: EngineRequest, sink: Sink): void
}

/** An engine over the worlds of a mock. */
export function createEngine(worlds: WorldBook): Engine {
  return {
    handle(request, sink) {
      const address = addressOf(request, worlds)
      const exchange = openExchange(address, request)
      try {
        if (address.rejection === null) route(exchange, address, sink)
        else sendRejection(exchange, sink, address.rejection)
      } catch (cause) {
        breakOff(exchange, sink, cause)
      }
    },
  }
}

function openExchange(address: Address, request: EngineRequest): Exchange {
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
    outcome: 'pending',
    response: null,
    responsePieces: [],
    fault: null,
  }
}

function route(exchange: Exchange, address: Address, sink: Sink): void {
  const found = routeOf(exchange.request.method, address.path)
  if (found.kind === 'unknown') {
    sendRejection(exchange, sink, { reason: 'http.unknown-route' })
    return
  }
  if (found.kind === 'wrong-method') {
    sendRejection(exchange, sink, { reason: 'http.wrong-method' }, { allow: found.allow })
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
  const caller = (exchange.world.seams.shell.authorize ?? authorize)(exchange.request, exchange)
  if ('reason' in caller) {
    sendRejection(exchange, sink, caller)
    return
  }
  exchange.caller = caller
  interfered(exchange, sink, (wrapped) => {
    const { headers } = exchange.request
    const rejection = limit(exchange)
    if (rejection !== null) {
      sendRejection(exchange, wrapped, rejection)
      return
    }
    const header = (name: string) => headerOf(headers, name)
    answer(exchange, wrapped, { operation, caller, pathId, query, header, ...noBody, baseUrl: address.baseUrl })
  })
}

const noBody = { body: undefined, bodyBytes: null } as const

/** Lets a fault act first, if there is one for this exchange. */
function interfered(exchange: Exchange, sink: Sink, proceed: (sink: Sink) => void): void {
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
  if (interference.delayMs === undefined) act()
  else clock.at(clock.nowUs() + interference.delayMs * 1000, act)
}

function limit(exchange: Exchange): Rejection | null {
  const { caller, operation, world } = exchange
  if (caller === null || operation === null || caller.apiKey.quota === null || !isLimited(operation)) return null
  const { state, retryAfterSeconds } = spendQuota(world.state, caller.apiKey, world.clock.nowUs())
  world.state = state
  return retryAfterSeconds === null ? null : { reason: 'limits.quota', retryAfterSeconds }
}

function answer(exchange: Exchange, sink: Sink, bare: RequestInput): void {
  const { body } = exchange.request
  let input = bare
  if (body.kind === 'too-large') {
    const message = `may have at most ${body.limitBytes} bytes`
    const faults = [{ loc: ['body'], message, type: 'too_long' }]
    sendRejection(exchange, sink, { reason: 'http.too-large', faults })
    return
  }
  if (body.kind === 'bytes' && body.bytes.length > 0 && exchange.request.method === 'POST') {
    const parsed = parseJsonBody(body.bytes)
    if (parsed.kind === 'rejected') {
      sendRejection(exchange, sink, parsed.rejection)
      return
    }
    input = { ...bare, body: parsed.value, bodyBytes: body.bytes }
  }
  const judged = (exchange.world.seams.shell.validate ?? parseCommand)(input, exchange)
  if (judged.kind === 'rejected') {
    sendRejection(exchange, sink, judged.rejection)
    return
  }
  exchange.command = judged.command
  const reply = exchange.world.apply(judged.command)
  if (reply.kind === 'rejected') {
    sendRejection(exchange, sink, reply.rejection)
    return
  }
  if (reply.kind !== 'run') {
    sendReply(exchange, sink, reply)
    return
  }
  const { run } = reply
  if (run.operation === 'runThread' || run.operation === 'createChatCompletion') answerWhole(exchange, sink, run)
  else answerStreamed(exchange, sink, run)
}

function answerWhole(exchange: Exchange, sink: Sink, run: Run): void {
  const { world } = exchange
  const durationMs = wholeDurationMs(run)
  const dueUs = run.startTickUs + Math.round(durationMs * 1000)
  const finish = () => {
    const reply = world.apply({ operation: 'finishRun', run }, world.clock.ready(dueUs) ?? dueUs)
    if (reply.kind === 'stored') sendReply(exchange, sink, reply)
  }
  if (durationMs === 0 || world.clock.ready(dueUs) !== null) {
    finish()
    return
  }
  const cancel = world.clock.at(dueUs, () => {
    try {
      finish()
    } catch (cause) {
      breakOff(exchange, sink, cause)
    }
  })
  sink.whenGone(() => {
    cancel()
    if (exchange.outcome !== 'pending') return
    exchange.outcome = 'left'
    world.journal.record(exchange)
  })
}

function answerStreamed(exchange: Exchange, sink: Sink, run: Run): void {
  const { world } = exchange
  const { chunks: bend } = world.seams.shell
  const drafts = draftChunks(run)
  sendStreamHead(exchange, sink)
  pumpChunks({
    exchange,
    run,
    drafts: bend === null ? drafts : bend(drafts, exchange),
    sink,
    finish: (tickUs) => world.apply({ operation: 'finishRun', run }, tickUs),
    done: () => world.journal.record(exchange),
    fail: (cause) => breakOff(exchange, sink, cause),
  })
}

/** What nobody foresaw: the contract's own error if nothing was sent yet, else the end of the connection. */
function breakOff(exchange: Exchange, sink: Sink, cause: unknown): void {
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
