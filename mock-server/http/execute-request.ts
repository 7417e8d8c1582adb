/**
 * Validates a request, runs its command and sends the reply: at once, later or in chunks. The caller is handle-request.ts,
 * which first determines the caller and the operation.
 */

import type { RequestInput } from '../exchange/request-input.ts'
import type { ServedRequest } from '../exchange/served-request.ts'
import type { Sink } from '../exchange/sink.ts'
import { allDrafts, draftChunks, wholeDurationMs } from '../machine/chunk.ts'
import type { Run } from '../machine/run.ts'
import { pumpChunks } from '../streams/pump.ts'
import { schedule } from './schedule.ts'
import { sendRejection, sendReply, sendStreamHead } from './write-response.ts'

/** Ends an exchange after an exception. */
export type BreakOff = (exchange: ServedRequest, sink: Sink, cause: unknown) => void

/** Answers a routed and authorised request. */
export function executeRequest(exchange: ServedRequest, sink: Sink, input: RequestInput, breakOff: BreakOff): void {
  const judged = exchange.world.hooks.validate(input, exchange)
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
  exchange.answeredBy = { assistant: run.assistant, turn: run.answer.turn }
  if (run.operation === 'runThread' || run.operation === 'createChatCompletion')
    answerWhole(exchange, sink, run, breakOff)
  else answerStreamed(exchange, sink, run, breakOff)
}

function answerWhole(exchange: ServedRequest, sink: Sink, run: Run, breakOff: BreakOff): void {
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

function answerStreamed(exchange: ServedRequest, sink: Sink, run: Run, breakOff: BreakOff): void {
  const { world } = exchange
  const { hooks } = world
  const faithful = draftChunks(run)
  const drafts = hooks.isOverridden.chunks ? hooks.chunks(allDrafts(faithful), exchange) : faithful
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
