/** An exchange in flight as the events show it: without secrets, with the lines of its stream. */
import { timestampOf } from '../clock/timestamp.ts'
import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import type { WaitActions } from '../exchange/waits.ts'
import { redactionOf } from '../journal/redaction.ts'
import {
  type EndedExchange,
  type RunningExchange,
  type SentChunk,
  type StreamAction,
  streamActions,
} from './live-event.ts'

/** An exchange that waits. */
export function runningView({ id, exchange, held, actions }: WaitingExchange): RunningExchange {
  return { id, ...headOf(exchange), chunks: exchange.chunkCount, held, actions: allowedBy(actions) }
}

interface WaitingExchange {
  readonly id: number
  readonly exchange: InFlightRequest
  readonly held: boolean
  readonly actions: WaitActions
}

function allowedBy({ drop, say }: WaitActions): readonly StreamAction[] {
  return streamActions.filter((action) => {
    if (action === 'drop') return drop !== null
    return (action !== 'edit' && action !== 'inject') || say !== null
  })
}

/** An exchange that has ended. */
export function endedView(id: number | null, number: number, exchange: InFlightRequest): EndedExchange {
  const { startedAtUs, chunkTimesUs, world } = exchange
  const endedAtUs = Math.max(world.clock.nowUs(), chunkTimesUs.at(-1) ?? 0)
  return {
    id,
    number,
    ...headOf(exchange),
    status: exchange.status,
    reason: exchange.reason,
    outcome: exchange.outcome,
    duration_us: endedAtUs - startedAtUs,
    chunks: chunkTimesUs.length,
    faults: exchange.injected,
  }
}

/** The chunks from a position on, with the times at which they went out; none of an answer without chunks. */
export function chunksFrom(id: number, exchange: InFlightRequest, from: number): readonly SentChunk[] {
  const { chunkCount, responsePieces, chunkTimesUs, world } = exchange
  if (chunkCount === null) return []
  const redaction = redactionOf(world.machine.scenario.secrets)
  const lines = responsePieces.flatMap((piece, index) => {
    if (piece instanceof Uint8Array) return index < from ? [] : [piece]
    return piece.lines(from)
  })
  return lines.map((line, offset): SentChunk => {
    const at = chunkTimesUs[from + offset] ?? world.clock.nowUs()
    return { id, index: from + offset, at: timestampOf(at), text: Buffer.from(redaction.bytes(line)).toString() }
  })
}

function headOf({ world, request, operation, caller, startedAtUs }: InFlightRequest) {
  return {
    world: world.name,
    method: request.method,
    target: redactionOf(world.machine.scenario.secrets).text(request.target),
    operation,
    tenant: caller?.tenant.name ?? null,
    started_at: timestampOf(startedAtUs),
  }
}
