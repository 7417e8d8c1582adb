/**
 * Sends the answers of one turn of the event loop together at its end. Waking a client once for many answers halves the
 * cost to the system. All connections share the batch.
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
