/** Plays commands of the model against the mock, in process, and says where the two disagree. */
import { createMock, type Mock, type WorldHandle } from '../../mock-server/index.ts'
import { type Command, START, type State } from './commands.ts'
import { askFor, type Ids, idsAfter, noIds, type RequestSpec, scenarioOf, twoFullTenants } from './conversation.ts'
import { expected, type Outcome } from './model.ts'

export interface Position {
  readonly state: State
  readonly ids: Ids
}

export const beginning: Position = { state: START, ids: noIds }

export interface Played {
  readonly position: Position
  readonly accepted: boolean
  /** What the model forbids about the answer, or null. */
  readonly disagreement: string | null
  readonly outcome: Outcome
}

export const modelMock = (): Promise<Mock> => createMock({ scenario: twoFullTenants, clock: { mode: 'frozen' } })

/** How a request gets to the mock, and what comes back. */
export type Send = (ask: RequestSpec) => Promise<{ readonly status: number; readonly text: string }>

/** Sends straight into a world. */
export const sendInto =
  (world: WorldHandle): Send =>
  async ({ method, path, credential, body }) => {
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (credential !== null) headers['api-key'] = `acs-demo-${credential}`
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
    const response = await world.fetch(path, init)
    return { status: response.status, text: await response.text() }
  }

/** A player of single commands. */
export function playerOf(mock: Mock, send: Send): (at: Position, command: Command) => Promise<Played> {
  const scenario = scenarioOf(mock)
  return async ({ state, ids }, command) => {
    const { status, text } = await send(askFor(command, ids, scenario))
    const document: unknown = JSON.parse(text.split('\n', 1)[0] ?? '')
    const code = (document as { readonly error_code?: string }).error_code ?? null
    const { outcome, next } = expected(state, command)
    const accepted = status < 300
    const position = accepted ? { state: next, ids: idsAfter(command, state, ids, document) } : { state, ids }
    return { position, accepted, outcome, disagreement: disagreementOf(outcome, accepted, code) }
  }
}

function disagreementOf(outcome: Outcome, accepted: boolean, code: string | null): string | null {
  if (outcome === 'accepted') return accepted ? null : `refused with ${code}, the model accepts`
  if ('open' in outcome) return null
  if (accepted) return `accepted, the model refuses with ${outcome.refused}`
  return outcome.refused === 'open' || outcome.refused === code
    ? null
    : `refused with ${code}, the model with ${outcome.refused}`
}
