/**
 * Changes threads of a world and their messages, as if other requests had made them. A change that no client could have
 * made by the rules of the contract is refused with the rule.
 */
import { canonicalJson } from '../../spec/index.ts'
import type { MessageDraft } from '../machine/command.ts'
import { appendMessage, bytesOf, messageFault } from '../machine/messages.ts'
import { emptyThread, type Role, type Thread, withThread } from '../machine/state.ts'
import type { MachineReasonId } from '../reasons/machine-reasons.ts'
import type { FieldFault } from '../reasons/reason.ts'
import type { Assistant, Tenant } from '../scenario/resolved-scenario.ts'
import { type FieldRules, holding, list, optional, recordFaults, text } from '../state-file/field-rules.ts'
import { callerOf, refusalOf, wholly } from './apply-seed.ts'
import { refuseDraft, refuseMetaData } from './draft-faults.ts'
import { metaDataFaults } from './meta-data-faults.ts'
import { SeedError } from './seed-error.ts'
import { assistantOf, type MessageSeed, messageRules, stored } from './seed-thread.ts'
import type { World } from './world.ts'

export interface ThreadEdit {
  /** Name or id of another assistant of its tenant. */
  readonly assistant?: string
  /** The messages that are added at its end. */
  readonly messages?: readonly MessageSeed[]
}

/** The fields that a message gets; its id, role and stamp stay. */
export type MessageEdit = Partial<Omit<MessageDraft, 'role'>>

interface StoredMessage extends MessageDraft {
  readonly id: string
  readonly role: Role
}

const threadEditRules: FieldRules = { assistant: optional(text), messages: optional(holding(list, messageRules)) }
const { role: _role, created_at: _stamp, files: _files, ...editableRules } = messageRules
const messageEditRules: FieldRules = { ...editableRules, content: optional(text) }

/** Binds a thread to another assistant and adds messages to it; `null` removes it. Throws a SeedError. */
export function editThread(world: World, id: string, edit: ThreadEdit | null): void {
  const thread = threadOf(world, id)
  const { state } = world
  if (edit === null) world.replace({ ...state, threads: state.threads.without(id) })
  else
    wholly(world, edit, threadEditRules, () => {
      const caller = callerOf(world.machine.scenario.tenants, thread.tenantId)
      if (edit.assistant !== undefined) {
        world.replace(withThread(state, { ...thread, assistantId: assistantOf(caller, edit.assistant).id }))
      }
      stored(world, caller, id, edit.messages ?? [], Math.min(thread.lastTickUs, world.clock.nowUs()))
    })
}

/** Changes a message of a thread where it stands; `null` takes it out. Throws a SeedError. */
export function editMessage(world: World, threadId: string, id: string, edit: MessageEdit | null): void {
  const faults = edit === null ? [] : recordFaults(edit, messageEditRules, [])
  if (faults.length > 0) throw new SeedError('seed-invalid-fields', faults)
  const thread = threadOf(world, threadId)
  let made = withoutMessages(thread)
  let found = false
  for (const bytes of thread.log) {
    const message = JSON.parse(Buffer.from(bytes).toString()) as StoredMessage
    const isIt = message.id === id
    found ||= isIt
    if (isIt && edit === null) continue
    const changed = isIt ? { ...message, ...edit } : message
    const refused = isIt ? refusedChange(world, made, { from: message, to: changed }) : found && orphaned(made, changed)
    if (refused) throw refused
    made = appendMessage(made, changed.role, isIt ? bytesOf(changed) : bytes, changed)
  }
  if (!found) throw new SeedError('seed-unknown-message', [fault(['message'], `is no message of the thread: "${id}"`)])
  if (made.origin === 'completion' && made.lastUserAt < 0) throw lastUserMessage()
  const { ordinal, lastTickUs } = thread
  world.replace(withThread(world.state, { ...made, ordinal, lastTickUs }))
}

function threadOf({ state }: World, id: string): Thread {
  const thread = state.threads.get(id)
  if (thread === undefined) throw refusalOf({ reason: 'unknown-thread' }, ['thread'])
  return thread
}

function withoutMessages({ id, tenantId, assistantId, origin, lastTickUs }: Thread): Thread {
  return emptyThread({ id, tenantId, assistantId, origin }, lastTickUs)
}

/** Why a message cannot follow the earlier messages. */
function refusedChange(
  world: World,
  before: Thread,
  { from, to }: { readonly from: StoredMessage; readonly to: StoredMessage },
): SeedError | null {
  const { machine, state } = world
  if (to.content === '') return refusalOf({ reason: 'empty-content' }, ['content'])
  refuseDraft(to, [])
  const caller = callerOf(machine.scenario.tenants, before.tenantId)
  const isKept = canonicalJson(to.meta_data) === canonicalJson(from.meta_data)
  if (!isKept) refuseMetaData(to.meta_data, speakerOf(caller.tenant, before, from), [])
  const command = { operation: 'createMessage', caller, threadId: before.id, message: to } as const
  const refused = messageFault(machine, to, { command, state, thread: before }, world.clock.nowUs())
  return refused === null ? null : refusalOf(refused, [])
}

/** The assistant of a message: that of the thread, unless its `meta_data` is by another one that a run has named. */
function speakerOf({ assistants }: Tenant, { assistantId }: Thread, message: StoredMessage): Assistant | undefined {
  const own = assistants.find(({ id }) => id === assistantId)
  const { meta_data: given = {} } = message
  const isEmpty = Object.keys(given ?? {}).length === 0
  return own === undefined || isEmpty || metaDataFaults(given, own.metaDataSchema).length === 0 ? own : undefined
}

/** Why a message that answers a tool call cannot stay when that call is gone. */
function orphaned({ calls }: Thread, { role, tool_call_id = '', id }: StoredMessage): SeedError | null {
  if (role !== 'tool' || calls.has(tool_call_id)) return null
  const reason: MachineReasonId = 'no-matching-tool-call'
  const why = refusalOf({ reason }, []).faults
  return new SeedError(reason, [fault([], `Message ${id} answers the call ${tool_call_id}.`), ...why])
}

/** Every completion brings a user message, so a thread that one made is never without. */
function lastUserMessage(): SeedError {
  const message = 'is the last user message of a thread that a completion made; remove the thread instead'
  return new SeedError('seed-no-user-message', [fault(['message'], message)])
}

function fault(loc: FieldFault['loc'], message: string): FieldFault {
  return { loc, message, type: 'value_error' }
}
