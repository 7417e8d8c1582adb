/**
 * Answers of one turn of the event loop, sent together at its end: a client that is woken once for many answers costs
 * the system half of what one wake-up for each does. Apart because all connections share it.
 */

import { warnOf } from '../warning.ts'

let outbox: (() => void)[] = []

/** Sends when every request that has arrived was dealt with, in the order of the calls. */
export function atEndOfTurn(send: () => void): void {
  if (outbox.length === 0) setImmediate(sendAll)
  outbox.push(send)
}

function sendAll(): void {
  const sends = outbox
  outbox = []
  for (const send of sends) {
    try {
      send()
    } catch (cause) {
      warnOf('an answer could not be sent', cause)
    }
  }
}
