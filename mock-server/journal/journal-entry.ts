/**
 * One exchange in the journal, complete enough to render it later as a trace, HAR or curl command.
 * It refers to the buffers that were sent, so an entry costs little more than its references.
 */
import type { OperationId } from '../../spec/index.ts'
import type { ClientOutcome, InFlightRequest } from '../exchange/in-flight-request.ts'
import { bodyText, type RequestBody, type RequestHeaders } from '../exchange/request.ts'
import type { ResponseHead } from '../exchange/sink.ts'
import type { InjectedFault } from '../fault-catalogue/injection-record.ts'
import type { StoredUpload } from '../machine/state.ts'
import type { ReasonId } from '../reasons/reasons.ts'
import { ScenarioFailure } from '../scenario/scenario-failure.ts'
import { answerValue, jsonOf } from './body-value.ts'

/** An exchange that has ended. */
export class JournalEntry {
  /** Number of the exchange in its world, from 1. */
  readonly number: number
  readonly world: string
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  /** `http://host:port` by which the client reached the mock. */
  readonly origin: string
  readonly headers: RequestHeaders
  readonly body: RequestBody
  readonly operation: OperationId | null
  /** Name of the tenant whose key was used. */
  readonly tenant: string | null
  /** The tenant, or that of the file for an upload, which sends no key. */
  readonly owner: string | null
  readonly status: number
  readonly reason: ReasonId | null
  readonly startedAtUs: number
  readonly endedAtUs: number
  /** Ticks at which the chunks of a stream were written. */
  readonly chunkTimesUs: readonly number[]
  /** `left` after as many chunks as there are chunk times. */
  readonly outcome: ClientOutcome
  /** `null` when nothing was sent. */
  readonly response: ResponseHead | null
  /** Deliberate faults that were chosen for the exchange, with their outcomes. */
  readonly injected: readonly InjectedFault[]
  /** Size, type and digest of an uploaded file. */
  readonly upload: Pick<StoredUpload, 'sizeBytes' | 'mediaType' | 'sha256'> | null
  readonly answeredBy: InFlightRequest['answeredBy']
  /** The mistake of the scenario that failed the request: assistant, turn and reason. */
  readonly scenarioFault: string | null
  /** The exception of the mock itself, `null` without one. */
  readonly mockFault: unknown
  /** Bytes that the entry holds, about: bodies, headers, target, times. */
  readonly bytes: number
  readonly #sent: InFlightRequest['responsePieces']

  /** The entry of this number in its world. */
  constructor(exchange: InFlightRequest, number: number) {
    const { world, request, command } = exchange
    this.number = number
    this.world = world.name
    this.method = request.method
    this.target = request.target
    this.origin = request.origin
    this.headers = request.headers
    this.body = request.body
    this.operation = exchange.operation
    this.tenant = exchange.caller === null ? null : exchange.caller.tenant.name
    this.owner = this.tenant ?? uploaderOf(exchange)
    this.status = exchange.status
    this.reason = exchange.reason
    this.startedAtUs = exchange.startedAtUs
    this.endedAtUs = world.clock.nowUs()
    this.chunkTimesUs = exchange.chunkTimesUs
    this.outcome = exchange.outcome
    this.response = exchange.response
    this.upload = command !== null && command.operation === 'uploadFile' ? command : null
    this.injected = exchange.injected
    this.answeredBy = exchange.answeredBy
    const { fault } = exchange
    this.scenarioFault = fault instanceof ScenarioFailure ? fault.message : null
    this.mockFault = fault instanceof ScenarioFailure ? null : fault
    this.bytes = sizeOf(exchange)
    this.#sent = exchange.responsePieces
  }

  /** The sent pieces: one for a document, one for each line of a stream. */
  get responsePieces(): readonly Uint8Array[] {
    return this.#sent.flatMap((piece) => (piece instanceof Uint8Array ? [piece] : piece.lines()))
  }

  /** The request's body as text; empty when there was none, or when it was not kept. */
  text(): string {
    return bodyText(this.body)
  }

  /** The request's body as JSON, `undefined` when it is none. */
  json(): unknown {
    return jsonOf(this.text())
  }

  /** The answer as text. */
  responseText(): string {
    return Buffer.concat(this.responsePieces).toString()
  }

  /** The answer as JSON: a document, or the list of the whole chunks of a stream; `undefined` when it is none. */
  responseJson(): unknown {
    return answerValue(this.response, this.responseText())
  }
}

/** The approximate size of an entry beside bodies and headers. */
const entryBytes = 512

function sizeOf({ request, responsePieces, chunkTimesUs }: InFlightRequest): number {
  let bytes = entryBytes + request.target.length + 8 * chunkTimesUs.length
  if (request.body.kind === 'bytes') bytes += request.body.bytes.length
  for (const name in request.headers) bytes += name.length + (request.headers[name]?.length ?? 0)
  for (const piece of responsePieces) bytes += piece instanceof Uint8Array ? piece.length : piece.byteLength
  return bytes
}

function uploaderOf({ world, command }: InFlightRequest): string | null {
  if (command?.operation !== 'uploadFile') return null
  const tenantId = world.state.files.get(command.fileId)?.tenantId
  return world.machine.scenario.tenants.find(({ id }) => id === tenantId)?.name ?? null
}
