/** Records conversations of the model with the mock as a trace, and tells how the judge classified each request. */
import { referenceProfile } from '../../cli/reference-profile.ts'
import {
  createMeter,
  createPseudonyms,
  type Exchange,
  fetchClient,
  secretsOf,
  type Trace,
  textOfPieces,
} from '../../conformance/index.ts'
import { analyzeTrace } from '../../conformance/judge/trace-analysis.ts'
import { traceHeader } from '../../conformance/profile/trace-header.ts'
import type { Mock } from '../../mock-server/index.ts'
import type { Command, State } from './commands.ts'
import { beginning, playerOf, type Send } from './mock-conversation.ts'
import type { Outcome } from './model.ts'

/** One request of a conversation, with what the model says of it. */
export interface Recorded {
  readonly exchange: Exchange
  readonly state: State
  readonly command: Command
  readonly outcome: Outcome
  /** The conversation up to and with this request. */
  readonly trace: readonly Exchange[]
}

export interface Recording {
  readonly header: Trace['header']
  /** What the judge has to know of both tenants before any conversation. */
  readonly opening: readonly Exchange[]
  readonly requests: readonly Recorded[]
}

/** Plays the conversations one after the other in the mock's main world. */
export async function record(mock: Mock, conversations: readonly (readonly Command[])[]): Promise<Recording> {
  const profile = referenceProfile('http://acs.mock')
  const pseudonyms = createPseudonyms({ secrets: secretsOf(profile), key: new Uint8Array(32) })
  let nowMs = 0
  const clock = (): number => {
    nowMs += 1
    return nowMs
  }
  const handler = (request: Request) => mock.fetch(request)
  const client = fetchClient(handler)({ profile, pseudonyms, meter: createMeter({}), clock, originMs: 0 })
  const plain = { intent: null, retry: 'none' } as const
  const opening: Exchange[] = []
  for (const credential of ['primary', 'secondary'] as const)
    opening.push(
      await client.send({ ...plain, method: 'GET', path: '/v1/assistants', credential, operation: 'listAssistants' }),
    )
  const sent: Exchange[] = []
  const send: Send = async ({ body, ...ask }) => {
    const exchange = await client.send({ ...plain, ...ask, body: body === undefined ? null : JSON.stringify(body) })
    sent.push(exchange)
    return { status: exchange.response?.status ?? 0, text: textOfPieces(exchange.response?.pieces ?? []) }
  }
  const play = playerOf(mock, send)
  const requests: Recorded[] = []
  for (const commands of conversations) {
    const start = sent.length
    let at = beginning
    for (const command of commands) {
      const { position, outcome } = await play(at, command)
      const exchange = sent.at(-1)
      if (exchange === undefined) throw new Error('nothing was sent')
      requests.push({ exchange, state: at.state, command, outcome, trace: sent.slice(start) })
      at = position
    }
  }
  return { header: traceHeader(profile, pseudonyms, 1), opening, requests }
}

/** A trace of these exchanges, whole. */
export function traceOf({ header, opening }: Recording, exchanges: readonly Exchange[]): Trace {
  const all = [...opening, ...exchanges]
  return {
    header,
    exchanges: all,
    notes: [],
    footer: { kind: 'footer', exchanges: all.length, modelCalls: 0, durationMs: 1, complete: true },
  }
}

export interface Classified {
  readonly validity: 'valid' | 'invalid' | 'unsure'
  /** The rules that are broken and the things that are open, in words. */
  readonly why: string
  readonly faults: number
}

/** How the judge classifies the exchanges of a trace, by their ids. */
export function classesIn(trace: Trace): ReadonlyMap<string, Classified> {
  const analysis = analyzeTrace(trace)
  return new Map(
    analysis.parsedExchanges.map((parsed) => {
      const { validity, faults, ambiguities } = analysis.requestOf(parsed)
      const why = [...faults.map(({ rule }) => rule), ...ambiguities.map(({ about }) => about)].join(' + ')
      return [parsed.id, { validity, why, faults: faults.length }]
    }),
  )
}
