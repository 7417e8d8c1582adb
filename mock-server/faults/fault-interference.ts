/** Turns the faults chosen for an exchange into a refusal, a delay or damaged sinks. */
import type { OperationId } from '../../spec/index.ts'
import type { Interference } from '../exchange/fault-hook.ts'
import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import type { Sink } from '../exchange/sink.ts'
import { isErrorCode, isErrorFault, operationsOf } from '../fault-catalogue/fault-catalogue.ts'
import type { Fault } from '../fault-catalogue/fault-expression.ts'
import type { InjectionRecord } from '../fault-catalogue/injection-record.ts'
import type { FieldFault } from '../reasons/reason.ts'
import type { Rejection } from '../reasons/reasons.ts'
import { faultSink } from './fault-sink.ts'
import { recordSentBytes } from './sent-bytes.ts'

/** All chosen faults together; `other` comes from a hook of the mock's user. */
export function interferenceOf(
  marks: readonly InjectionRecord[],
  exchange: InFlightRequest,
  other: Interference | null,
): Interference | null {
  const rejection = other?.rejection ?? rejectionOf(marks, exchange.operation)
  const late = marks.filter(({ fault }) => fault.name === 'late-headers')
  for (const mark of late) mark.apply()
  const delayMs = late.reduce((sum, { fault }) => sum + (fault.numbers.ms ?? 0), other?.delayMs ?? 0)
  const damaging = marks.filter(({ fault }) => !isErrorFault(fault.name) && fault.name !== 'late-headers')
  return {
    ...(rejection === null ? null : { rejection }),
    ...(delayMs === 0 ? null : { delayMs }),
    wrapSink: (sink) => {
      const outer = other?.wrapSink === undefined ? sink : other.wrapSink(sink)
      const named = namesMissed(marks, outer)
      return damaging.length === 0 ? named : damaged(damaging, exchange, named)
    },
  }
}

/** The header that names each fault that could not apply, with the reason, as far as the head of the answer shows it. */
const missedFaultHeader = 'x-acs-fault-missed'

function namesMissed(marks: readonly InjectionRecord[], sink: Sink): Sink {
  return {
    ...sink,
    head(head) {
      const missed = marks.filter(({ view }) => view.state === 'missed')
      const value = missed.map(({ fault, view }) => `${fault.name}: ${view.why}`).join('; ')
      sink.head(value === '' ? head : { ...head, headers: { ...head.headers, [missedFaultHeader]: value } })
    },
  }
}

/** The first fault is nearest to the engine. */
function damaged(marks: readonly InjectionRecord[], exchange: InFlightRequest, client: Sink): Sink {
  return marks.reduceRight((sink, mark) => faultSink(mark, exchange, sink), recordSentBytes(exchange, client))
}

function rejectionOf(marks: readonly InjectionRecord[], operation: OperationId | null): Rejection | null {
  let rejection: Rejection | null = null
  for (const mark of marks) {
    if (!isErrorFault(mark.fault.name)) continue
    const made = injectedError(mark.fault, operation)
    if (typeof made === 'string') mark.miss(made)
    else if (rejection !== null) mark.miss('another error came first')
    else {
      mark.apply()
      rejection = made
    }
  }
  return rejection
}

/** The rejection that a fault makes, or why it makes none. */
function injectedError({ name, numbers }: Fault, operation: OperationId | null): Rejection | string {
  const reason = 'injected-fault'
  if (!isErrorCode(name)) return { reason, gatewayStatus: numbers.status ?? 502 }
  if (operation === null) return 'the request names no operation'
  if (!operationsOf(name).includes(operation)) return `the contract does not list ${name} for ${operation}`
  const retryAfterSeconds = numbers.retry_after
  return {
    reason,
    code: name,
    ...(name === 'validation_error' ? { faults: [sampleFault(operation)] } : null),
    ...(retryAfterSeconds === undefined ? null : { retryAfterSeconds }),
  }
}

/** `validation_error` names fields; an injected one names a field of the operation. */
function sampleFault(operation: OperationId): FieldFault {
  // A request for the keys has one field, the key; it was sent, or another error would have come first.
  if (operation === 'listMyApiKeys')
    return { loc: ['header', 'api-key'], message: 'must match the form of a key', type: 'string_pattern_mismatch' }
  return { loc: ['body', 'assistant_id'], message: 'is required', type: 'missing' }
}
