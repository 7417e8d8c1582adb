/** Admin paths of worlds: create, read, fork, snapshot, restore, reset, destroy, and seed threads. */
import type { FileSeed } from '../worlds/seed-file.ts'
import type { ThreadSeed } from '../worlds/seed-thread.ts'
import type { WorldHandle } from '../worlds/world-handle.ts'
import { refuseField, refuseMissing } from './admin-request.ts'
import { adminRoute, openWorldOf, worldOf } from './admin-route.ts'
import { clockFields, clockOptionsOf, clockView } from './clock-fields.ts'

/** Snapshots that are kept at once; the oldest go first. */
const mostSnapshots = 1000

export const worldRoutes = [
  adminRoute({
    method: 'GET',
    path: '/worlds',
    about: 'lists the worlds',
    fields: {},
    act: ({ context }) => context.mock.worlds().map(worldView),
  }),
  adminRoute({
    method: 'POST',
    path: '/worlds',
    about: 'creates a world; all fields are optional',
    fields: { name: 'text', seed: 'number', ...clockFields },
    act({ context, fields }) {
      const { name, seed } = fields
      const clock = clockOptionsOf(fields)
      const options = { ...(name === undefined ? null : { name }), ...(seed === undefined ? null : { seed }) }
      return worldView(context.mock.world(clock === null ? options : { ...options, clock }))
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/worlds/{world}',
    about: 'shows one world',
    fields: {},
    act: (call) => worldView(worldOf(call)),
  }),
  adminRoute({
    method: 'DELETE',
    path: '/worlds/{world}',
    about: 'deletes a world, except the default one, and closes the requests that run in it',
    fields: {},
    act(call) {
      const world = worldOf(call)
      if (world.name === call.context.mock.main.name)
        throw refuseField(['path', 'world'], 'the default world cannot be deleted')
      world.destroy()
      return { destroyed: world.name }
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/worlds/{world}/fork',
    about: 'creates a copy of this world',
    fields: { name: 'text' },
    act: (call) => worldView(worldOf(call).fork(call.fields.name)),
  }),
  adminRoute({
    method: 'POST',
    path: '/worlds/{world}/reset',
    about:
      'empties a world: threads, files, spent quotas, journal; closes the requests that run; fault rules and the examples of the document stay',
    fields: {},
    act(call) {
      const world = worldOf(call)
      world.reset()
      return worldView(world)
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/worlds/{world}/snapshots',
    about: 'saves the state of a world',
    fields: {},
    act(call) {
      const { snapshots } = call.context
      const id = `snapshot-${Number((lastKey(snapshots) ?? 'snapshot-0').slice(9)) + 1}`
      snapshots.set(id, worldOf(call).snapshot())
      for (const oldest of snapshots.keys()) {
        if (snapshots.size <= mostSnapshots) break
        snapshots.delete(oldest)
      }
      return { snapshot: id }
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/worlds/{world}/restore',
    about: 'restores a world to a snapshot of this world or another, and closes the requests that run',
    fields: { snapshot: 'text' },
    act(call) {
      const world = worldOf(call)
      const { snapshot: id } = call.fields
      if (id === undefined) throw refuseField(['body', 'snapshot'], 'is required', 'missing')
      const snapshot = call.context.snapshots.get(id)
      if (snapshot === undefined) throw refuseMissing('snapshot', id, [...call.context.snapshots.keys()])
      world.restore(snapshot)
      return worldView(world)
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/worlds/{world}/threads',
    about: 'adds a thread with messages, within the rules of the contract',
    fields: { tenant: 'text', assistant: 'text', created_at: 'text', messages: 'list' },
    act(call) {
      const { id, assistantId, messages } = openWorldOf(call).seedThread(call.fields as ThreadSeed)
      return { id, assistant_id: assistantId, messages }
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/worlds/{world}/files',
    about: 'adds an uploaded file',
    fields: {
      tenant: 'text',
      filename: 'text',
      media_type: 'text',
      content: 'text',
      uploaded: 'flag',
      persist: 'flag',
      user_id: 'text',
      created_at: 'text',
    },
    act: (call) => openWorldOf(call).seedFile(call.fields as FileSeed),
  }),
  adminRoute({
    method: 'GET',
    path: '/worlds/{world}/state',
    about: 'exports a world: threads with their timestamps, files, quotas, clock',
    fields: {},
    act: (call) => worldOf(call).export(),
  }),
  adminRoute({
    method: 'POST',
    path: '/worlds/{world}/state',
    about: 'replaces the contents of this world with an exported one, and closes the requests that run',
    fields: {
      name: 'text',
      seed: 'number',
      clock: 'object',
      threads: 'list',
      files: 'list',
      quotas: 'list',
      requests: 'list',
    },
    act(call) {
      const world = openWorldOf(call)
      world.import(call.fields)
      return worldView(world)
    },
  }),
]

function lastKey(snapshots: ReadonlyMap<string, unknown>): string | undefined {
  let last: string | undefined
  for (const key of snapshots.keys()) last = key
  return last
}

function worldView(world: WorldHandle) {
  const { threads, files } = world.snapshot().state
  return {
    name: world.name,
    seed: world.seed,
    path: world.path,
    clock: clockView(world.clock),
    threads: threads.size,
    files: files.size,
    exchanges: world.journal.total(),
    fault_rules: world.faults.rules().length,
  }
}
