/** Closes what runs in a world that is deleted or set back: it belongs to the state before. */
import type { RequestWorld } from '../exchange/in-flight-request.ts'
import type { Waits } from '../exchange/waits.ts'
import { stalledStreams } from '../streams/stalled-streams.ts'

/** Breaks off every request of the world that is on its way; each is in the journal when this returns. */
export function closeRunning(world: RequestWorld & { readonly waits: Waits }): void {
  stalledStreams.breakOff((key) => 'world' in key && key.world === world)
  for (const breakOff of [...world.held.values()]) breakOff()
  world.held.clear()
  world.waits.breakOff(world)
}
