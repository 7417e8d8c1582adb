/** Admin paths of a world's clock: read it, change its mode, move it. */
import type { WorldHandle } from '../worlds/world-handle.ts'
import { refuseField } from './admin-request.ts'
import { adminRoute, worldOf } from './admin-route.ts'
import { clockFields, clockOptionsOf, clockView } from './clock-fields.ts'

export const clockRoutes = [
  adminRoute({
    method: 'GET',
    path: '/worlds/{world}/clock',
    about: "returns a world's clock",
    fields: {},
    act: (call) => viewOf(worldOf(call)),
  }),
  adminRoute({
    method: 'POST',
    path: '/worlds/{world}/clock',
    about:
      'sets the mode (real, scaled with factor, frozen, stepped), then moves the clock: by advance_ms, or to the next waiting chunk with to_next',
    fields: { ...clockFields, advance_ms: 'number', to_next: 'flag' },
    act(call) {
      const world = worldOf(call)
      const options = clockOptionsOf(call.fields)
      if (options !== null) world.clock.adjust(options)
      if (call.fields.advance_ms !== undefined) advance(world, call.fields.advance_ms)
      if (call.fields.to_next !== true) return viewOf(world)
      const moved = world.clock.advanceToNext()
      return { ...viewOf(world), moved }
    },
  }),
]

function advance({ clock }: WorldHandle, durationMs: number): void {
  try {
    clock.advance(durationMs)
  } catch (cause) {
    if (cause instanceof RangeError) throw refuseField(['body', 'advance_ms'], cause.message)
    throw cause
  }
}

function viewOf({ name, clock }: WorldHandle) {
  return { world: name, ...clockView(clock) }
}
