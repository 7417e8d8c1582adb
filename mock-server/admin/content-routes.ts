/** Admin paths of what a world holds: they show threads and files, and change them by the rules. */
import { timestampOf } from '../clock/timestamp.ts'
import { statusOf } from '../machine/files.ts'
import type { State, Thread } from '../machine/state.ts'
import type { ResolvedScenario } from '../scenario/resolved-scenario.ts'
import type { FileEdit } from '../worlds/edit-file.ts'
import type { MessageEdit, ThreadEdit } from '../worlds/edit-thread.ts'
import type { WorldHandle } from '../worlds/world-handle.ts'
import { refuseMissing } from './admin-request.ts'
import { adminRoute, worldOf } from './admin-route.ts'

/** Threads of one answer, and messages of a thread: the latest ones. */
const mostShown = 500

export const contentRoutes = [
  adminRoute({
    method: 'GET',
    path: '/worlds/{world}/contents',
    about: `lists the threads and files of a world, the latest ${mostShown} first; thread selects one and shows its messages`,
    fields: { thread: 'text' },
    act(call) {
      const world = worldOf(call)
      const { state } = world.snapshot()
      const { scenario } = call.context.mock
      if (call.fields.thread === undefined) return stateView(world, scenario, state)
      const thread = state.threads.get(call.fields.thread)
      if (thread === undefined) throw refuseMissing('thread', call.fields.thread, threadIds(state))
      const from = Math.max(0, thread.log.size - mostShown)
      const messages = [...thread.log].slice(from).map(jsonOf)
      return { ...threadView(scenario, thread), messages }
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/worlds/{world}/threads/{thread}',
    about: 'binds a thread to another assistant and adds messages, within the rules of the contract',
    fields: { assistant: 'text', messages: 'list' },
    act: (call) =>
      edited(worldOf(call), (world) => world.editThread(call.path.thread ?? '', call.fields as ThreadEdit)),
  }),
  adminRoute({
    method: 'DELETE',
    path: '/worlds/{world}/threads/{thread}',
    about: 'removes a thread with its messages',
    fields: {},
    act: (call) => edited(worldOf(call), (world) => world.editThread(call.path.thread ?? '', null)),
  }),
  adminRoute({
    method: 'POST',
    path: '/worlds/{world}/threads/{thread}/messages/{message}',
    about: 'changes a message in place, within the rules of the contract; id, role and timestamp stay',
    fields: {
      content: 'text',
      tool_call_id: 'text',
      tool_calls: 'list',
      file_ids: 'list',
      meta_data: 'object',
      sources: 'list',
    },
    act: (call) =>
      edited(worldOf(call), (world) => world.editMessage(...messageOf(call.path), call.fields as MessageEdit)),
  }),
  adminRoute({
    method: 'DELETE',
    path: '/worlds/{world}/threads/{thread}/messages/{message}',
    about: 'removes a message from its thread, unless its tool calls are answered',
    fields: {},
    act: (call) => edited(worldOf(call), (world) => world.editMessage(...messageOf(call.path), null)),
  }),
  adminRoute({
    method: 'POST',
    path: '/worlds/{world}/files/{file}',
    about: 'changes the name, retention or status of a file, as far as the scenario allows',
    fields: { filename: 'text', persist: 'flag', status: 'text', content: 'text' },
    act: (call) => edited(worldOf(call), (world) => world.editFile(call.path.file ?? '', call.fields as FileEdit)),
  }),
  adminRoute({
    method: 'DELETE',
    path: '/worlds/{world}/files/{file}',
    about: 'removes a file that is attached to no message',
    fields: {},
    act: (call) => edited(worldOf(call), (world) => world.editFile(call.path.file ?? '', null)),
  }),
]

function edited(world: WorldHandle, edit: (world: WorldHandle) => void) {
  edit(world)
  return { edited: world.name }
}

function messageOf({ thread = '', message = '' }: Readonly<Record<string, string>>) {
  return [thread, message] as const
}

function stateView({ clock }: WorldHandle, scenario: ResolvedScenario, { threads, files }: State) {
  const latest = [...threads.values()].sort((left, right) => right.lastTickUs - left.lastTickUs)
  return {
    threads: latest.slice(0, mostShown).map((thread) => threadView(scenario, thread)),
    files: [...files.values()].slice(-mostShown).map((file) => ({
      id: file.id,
      tenant: nameOf(scenario, file.tenantId),
      filename: file.filename,
      status: statusOf(scenario.files, file, clock.nowUs()),
      persist: file.persist,
      upload: file.upload === null ? null : { media_type: file.upload.mediaType, size: file.upload.sizeBytes },
    })),
  }
}

const threadIds = ({ threads }: State): readonly string[] => [...threads.values()].map(({ id }) => id)

function threadView(scenario: ResolvedScenario, thread: Thread) {
  const last = thread.log.last()
  return {
    id: thread.id,
    tenant: nameOf(scenario, thread.tenantId),
    assistant: assistantName(scenario, thread.assistantId),
    origin: thread.origin,
    last_at: timestampOf(thread.lastTickUs),
    messages_total: thread.log.size,
    open_tool_calls: thread.openCalls,
    last_message: last === undefined ? null : jsonOf(last),
  }
}

function jsonOf(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString())
}

/** A scenario that was played later may not know the tenant of a thread. */
function nameOf({ tenants }: ResolvedScenario, id: string): string {
  return tenants.find((tenant) => tenant.id === id)?.name ?? id
}

function assistantName({ tenants }: ResolvedScenario, id: string): string {
  return tenants.flatMap(({ assistants }) => assistants).find((assistant) => assistant.id === id)?.name ?? id
}
