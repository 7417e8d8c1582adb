/**
 * The second half of an exchange: judge the request, take the step, and send what it gives, at once, later or in chunks.
 * Apart from engine.ts, which finds out who wants what.
 */
import type { Run } from '../machine/run.ts'
import { allDrafts, draftChunks, wholeDurationMs } from '../streams/chunk.ts'
import { pumpChunks } from '../streams/pump.ts'
import type { InFlightRequest } from './in-flight-request.ts'
import { schedule } from './schedule.ts'
import type { Sink } from './sink.ts'
import { parseCommand, type RequestInput } from './validate-request.ts'
import { sendRejection, sendReply, sendStreamHead } from './write-response.ts'

/** Ends an exchange after an exception. */
export type BreakOff = (exchange: InFlightRequest, sink: Sink, cause: unknown) => void

/** Answers a routed and authorised request. */
export function executeRequest(exchange: InFlightRequest, sink: Sink, input: RequestInput, breakOff: BreakOff): void {
  const judged = (exchange.world.hooks.http.validate ?? parseCommand)(input, exchange)
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
  if (run.operation === 'runThread' || run.operation === 'createChatCompletion')
    answerWhole(exchange, sink, run, breakOff)
  else answerStreamed(exchange, sink, run, breakOff)
}

function answerWhole(exchange: InFlightRequest, sink: Sink, run: Run, breakOff: BreakOff): void {
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
  schedule(exchange, sink, dueUs, finish, (cause) => breakOff(exchange, sink, cause))
}

function answerStreamed(exchange: InFlightRequest, sink: Sink, run: Run, breakOff: BreakOff): void {
  const { world } = exchange
  const { chunks: override } = world.hooks.http
  const faithful = draftChunks(run)
  const drafts = override === null ? faithful : override(allDrafts(faithful), exchange)
  exchange.chunkCount = drafts.length
  sendStreamHead(exchange, sink)
  pumpChunks({
    exchange,
    run,
    drafts,
    sink,
    finish: (tickUs) => world.apply({ operation: 'finishRun', run }, tickUs),
    done: () => world.journal.record(exchange),
    fail: (cause) => breakOff(exchange, sink, cause),
  })
}
