/**
 * How an exchange waits for its moment on the world's clock.
 * It says what else may happen to it in the meantime, so that somebody who watches can step, hold or end it.
 */
import type { InFlightRequest, RequestWorld } from './in-flight-request.ts'

/** What can be done to an exchange that waits. */
export interface WaitActions {
  /** Goes on now, whatever the clock says. */
  proceed(): void
  /** Leaves the next chunk out; `null` for an answer without chunks. */
  readonly drop: (() => void) | null
  /** Changes the text of the next chunk, or sends one with this text before it; `null` for an answer without, or with recorded, chunks. */
  readonly say: ((text: string, how: 'edit' | 'inject') => void) | null
  /** Breaks the connection off. */
  breakOff(): void
}

export interface Waits {
  /** Calls `act` once the clock has reached `dueUs`, not before a hold is lifted; returns what forgets it. */
  until(exchange: InFlightRequest, dueUs: number, act: () => void, actions: WaitActions): () => void
  /** Breaks off every exchange of a world that waits for its moment. */
  breakOff(world: RequestWorld): void
  /** Hears of every exchange that has ended, with its number in the journal. */
  ended(exchange: InFlightRequest, number: number): void
}
