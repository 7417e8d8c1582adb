/** Closes the running exchanges of a world that is deleted or restored: they belong to the previous state. */
import type { RequestWorld } from '../exchange/in-flight-request.ts'
import type { Waits } from '../exchange/waits.ts'
import { stalledStreams } from '../streams/stalled-streams.ts'

/** Breaks off every request in flight in the world; each is in the journal when this returns. */
export function closeRunning(world: RequestWorld & { readonly waits: Waits }): void {
  stalledStreams.breakOff((key) => 'world' in key && key.world === world)
  for (const breakOff of [...world.held.values()]) breakOff()
  world.held.clear()
  world.waits.breakOff(world)
}
