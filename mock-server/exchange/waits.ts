/**
 * Defines how an exchange waits for the world's clock. It lists the possible actions in the meantime, so that a watcher
 * can step, hold or end the exchange.
 */
import type { InFlightRequest, RequestWorld } from './in-flight-request.ts'

/** The actions on a waiting exchange. */
export interface WaitActions {
  /** Continues now, regardless of the clock. */
  proceed(): void
  /** Leaves the next chunk out; `null` for an answer without chunks. */
  readonly drop: (() => void) | null
  /** Changes the text of the next chunk, or sends one with this text before it; `null` for an answer without, or with recorded, chunks. */
  readonly say: ((text: string, how: 'edit' | 'inject') => void) | null
  /** Breaks the connection off. */
  breakOff(): void
}

export interface Waits {
  /** Calls `act` once the clock has reached `dueUs`, not before a hold is lifted; returns a function that cancels it. */
  until(exchange: InFlightRequest, dueUs: number, act: () => void, actions: WaitActions): () => void
  /** Breaks off every exchange of a world that waits for its moment. */
  breakOff(world: RequestWorld): void
  /** Called for every exchange that has ended, with its number in the journal. */
  ended(exchange: InFlightRequest, number: number): void
}
