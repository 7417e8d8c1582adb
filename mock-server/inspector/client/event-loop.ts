/** Follows the events of the mock, and connects again when they end. */
import type { AdminClient } from './admin-client.ts'
import { ndjsonBatches } from './ndjson.ts'
import type { LiveEvent } from './wire.ts'

const againAfterMs = 1000

/** Passes on every batch of events; `connected` is called when they begin and end. */
export async function followEvents(
  admin: AdminClient,
  take: (events: readonly LiveEvent[]) => void,
  connected: (is: boolean) => void,
): Promise<void> {
  while (true) {
    try {
      const stream = await admin.open('/events', new AbortController().signal)
      connected(true)
      for await (const events of ndjsonBatches<LiveEvent>(stream)) take(events)
    } catch {
      // The mock has stopped, or is not there yet.
    }
    connected(false)
    await new Promise((resolve) => setTimeout(resolve, againAfterMs))
  }
}
