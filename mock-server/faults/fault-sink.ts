/**
 * A sink that damages the data passing through it, as its fault demands. It settles the record of the fault: applied, or
 * missed because the answer had no such place.
 */

import { createGate } from '../exchange/backpressure-gate.ts'
import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import type { Sink } from '../exchange/sink.ts'
import { faultRow } from '../fault-catalogue/fault-catalogue.ts'
import type { InjectionRecord } from '../fault-catalogue/injection-record.ts'
import { warnOf } from '../warning.ts'
import { type DamageStep, type LineDamage, lineDamage } from './line-damage.ts'

/** The sink of a transport fault before another sink. */
export function faultSink(mark: InjectionRecord, exchange: InFlightRequest, inner: Sink): Sink {
  const { name } = mark.fault
  const wire = createWire(mark, exchange, inner)
  const damage = (lineDamage as Readonly<Record<string, LineDamage>>)[name]
  if (damage !== undefined) return damagedLines(mark, exchange, wire, damage)
  if (name === 'reset-before-headers') return { ...wire.sink, head: () => wire.perform([{ kind: 'reset' }]) }
  return damagedDocument(mark, exchange, wire)
}

/** A sink with the means to carry out steps of damage. */
interface Wire {
  readonly sink: Sink
  /** Settles the mark as applied and carries out the steps; `false` asks the writer to wait. */
  perform(steps: readonly DamageStep[]): boolean
}

function createWire(mark: InjectionRecord, exchange: InFlightRequest, inner: Sink): Wire {
  const gate = createGate(inner)
  const { clock, held } = exchange.world
  let over = false
  let stop: (() => void) | null = null
  /** Reported at once, and not only on request: a pause without a reader would keep all held data in memory. */
  inner.whenGone(() => {
    over = true
    forget()
    mark.miss('the client left before that place')
    stop?.()
  })
  /** The exchange has ended although the engine has more data to send. */
  const finish = (last: () => void) => {
    over = true
    exchange.outcome = 'broken-off'
    last()
    stop?.()
  }
  /** Discards the held data, and stops waiting. */
  const forget = () => {
    held.delete(gate)
    pause.clear()
    gate.drop()
  }
  const resume = () => {
    held.delete(gate)
    try {
      gate.release()
    } catch (cause) {
      // A timer is the caller, so no caller can end the exchange.
      gate.drop()
      exchange.fault = cause
      warnOf('a fault could not go on', cause)
      finish(() => inner.reset())
    }
  }
  const pause = clock.alarm(resume)
  const carryOut = (step: DamageStep): boolean => {
    switch (step.kind) {
      case 'send':
        return gate.sink.write(step.bytes)
      case 'pause':
        gate.hold()
        held.set(gate, () => {
          forget()
          finish(() => inner.reset())
        })
        pause.set(clock.nowUs() + step.ms * 1000)
        return false
      case 'end':
        gate.inTurn(() => finish(() => inner.end()))
        return true
      case 'close':
      case 'reset':
        gate.inTurn(() => finish(() => inner.reset(step.kind)))
        return true
    }
  }
  const sink: Sink = {
    head: (head) => (over ? undefined : gate.sink.head(head)),
    write: (bytes) => over || gate.sink.write(bytes),
    end(bytes) {
      mark.miss('the answer ended before that place')
      if (!over) gate.sink.end(bytes)
    },
    reset(how) {
      if (!over) gate.sink.reset(how)
    },
    whenWritable: (resume) => gate.sink.whenWritable(resume),
    whenGone(told) {
      stop = told
    },
  }
  const perform = (steps: readonly DamageStep[]) => {
    mark.apply()
    return steps.reduce((writable, step) => carryOut(step) && writable, true)
  }
  return { sink, perform }
}

function damagedLines(mark: InjectionRecord, exchange: InFlightRequest, wire: Wire, damage: LineDamage): Sink {
  const { numbers } = mark.fault
  const anyAnswer = faultRow(mark.fault.name)?.scope === 'any'
  let written = 0
  let acted = false
  const act = (bytes: Uint8Array) => {
    acted = true
    return wire.perform(damage.steps(bytes, numbers))
  }
  return {
    ...wire.sink,
    head(head) {
      const count = exchange.chunkCount
      const position = damage.position(numbers, count ?? 0)
      const atOnce = position === 0 && (count !== null || anyAnswer)
      if (count === null && !atOnce) mark.miss('the answer is no stream')
      else if (count !== null && position !== null && position > count) mark.miss(`the stream has ${count} chunks`)
      wire.sink.head(head)
      if (atOnce) act(noBytes)
    },
    write(bytes) {
      written += 1
      const line = { bytes, number: written, count: exchange.chunkCount ?? 0 }
      return !acted && damage.acts(line, numbers) ? act(bytes) : wire.sink.write(bytes)
    },
  }
}

const noBytes = new Uint8Array(0)

function damagedDocument(mark: InjectionRecord, exchange: InFlightRequest, wire: Wire): Sink {
  const { name, numbers } = mark.fault
  return {
    ...wire.sink,
    head(head) {
      const length = head.headers['content-length']
      if (exchange.chunkCount !== null || length === undefined) {
        mark.miss('the answer is no document')
        wire.sink.head(head)
      } else if (exchange.request.method === 'HEAD') {
        mark.miss('the answer to HEAD has no body')
        wire.sink.head(head)
      } else if (name === 'wrong-content-length') {
        const told = String(Math.max(0, Number(length) + (numbers.by ?? 0)))
        wire.sink.head({ ...head, headers: { ...head.headers, 'content-length': told } })
      } else {
        const bodyBytes = Number(length)
        if (name === 'cut-in-body' && (numbers.at ?? 0) >= bodyBytes) mark.miss(`the body has ${bodyBytes} bytes`)
        wire.sink.head(head)
      }
    },
    end(bytes = noBytes) {
      if (mark.view.state !== 'pending') wire.sink.end(bytes)
      else if (name === 'wrong-content-length') wire.perform([{ kind: 'send', bytes }, { kind: 'close' }])
      else cutBody(mark, wire, bytes)
    },
  }
}

function cutBody(mark: InjectionRecord, wire: Wire, bytes: Uint8Array): void {
  const wanted = mark.fault.numbers.at ?? 0
  const border = wanted === 0 ? bytes.length >> 1 : wanted
  wire.perform([{ kind: 'send', bytes: bytes.subarray(0, border) }, { kind: 'close' }])
}
