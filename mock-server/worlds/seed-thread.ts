/**
 * Puts a thread with its messages into a world, through the machine. A thread that no client could have made by the rules
 * of the contract cannot be seeded either.
 */
import type { MessageDraft } from '../machine/command.ts'
import type { ToolCall } from '../machine/run.ts'
import { derive } from '../randomness/key.ts'
import type { FieldFault } from '../reasons/reason.ts'
import { type Assistant, type Caller, namedIn } from '../scenario/resolved-scenario.ts'
import {
  type FieldRules,
  holding,
  list,
  object,
  objects,
  oneOf,
  optional,
  stamp,
  text,
  texts,
} from '../state-file/field-rules.ts'
import { applied, callerOf, pastTick, wholly } from './apply-seed.ts'
import { refuseDraft, refuseMetaData } from './draft-faults.ts'
import { SeedError } from './seed-error.ts'
import { type FileSeed, fileSeedRules, uploaded } from './seed-file.ts'
import { completedCalls, type ToolCallSeed } from './tool-call-seed.ts'
import type { World } from './world.ts'

export interface ThreadSeed {
  /** Name or id of the tenant; default: the first one. */
  readonly tenant?: string
  /** Name or id of the assistant; default: the tenant's first. */
  readonly assistant?: string
  /** When it was made; default: when its first message was. */
  readonly created_at?: string
  readonly messages?: readonly MessageSeed[]
}

export interface MessageSeed extends Omit<MessageDraft, 'tool_calls'> {
  /** In the form of the API or of a scenario. */
  readonly tool_calls?: readonly (ToolCall | ToolCallSeed)[]
  /** Not after the world's clock; default: now. Stamps of a thread rise, if only by a microsecond. */
  readonly created_at?: string
  /** Files that are uploaded for it and attached to it, beside those in `file_ids`. */
  readonly files?: readonly FileSeed[]
}

export interface SeededThread {
  readonly id: string
  readonly assistantId: string
  /** The stored messages, oldest first. */
  readonly messages: readonly unknown[]
}

/** The fields of a message in a seed. */
export const messageRules: FieldRules = {
  role: oneOf('user', 'system', 'tool', 'assistant'),
  content: text,
  tool_call_id: optional(text),
  tool_calls: optional(list),
  file_ids: optional(texts),
  meta_data: optional(object),
  sources: optional(objects),
  created_at: optional(stamp),
  files: optional(holding(list, fileSeedRules)),
}

const threadRules: FieldRules = {
  tenant: optional(text),
  assistant: optional(text),
  created_at: optional(stamp),
  messages: optional(holding(list, messageRules)),
}

/** Makes the thread and its messages, now or when their stamps say. Throws a SeedError. */
export function seedThread(world: World, seed: ThreadSeed): SeededThread {
  return wholly(world, seed, threadRules, () => {
    const caller = callerOf(world.machine.scenario.tenants, seed.tenant)
    const assistant = assistantOf(caller, seed.assistant)
    const { messages = [] } = seed
    const place: FieldFault['loc'] = seed.created_at === undefined ? ['messages', 0] : []
    const bornUs = pastTick(world, seed.created_at ?? messages[0]?.created_at, place)
    const digest = `seed ${world.state.threads.size}`
    const create = { operation: 'createThread', caller, assistantId: assistant.id, digest } as const
    const { id } = applied(world, create, [], bornUs) as { readonly id: string }
    return { id, assistantId: assistant.id, messages: stored(world, caller, id, messages, bornUs) }
  })
}

/** Adds messages to a thread, oldest first, none before `bornUs`. */
export function stored(
  world: World,
  caller: Caller,
  threadId: string,
  messages: readonly MessageSeed[],
  bornUs: number,
): readonly unknown[] {
  let latestUs = bornUs
  const assistant = caller.tenant.assistants.find(({ id }) => id === world.state.threads.get(threadId)?.assistantId)
  return messages.map(({ created_at, files = [], ...seed }, index) => {
    const place: FieldFault['loc'] = ['messages', index]
    const draft = draftOf(world, threadId, seed, place)
    refuseDraft(draft, place)
    // One without fields is none: so is that of an assistant message which a client adds.
    if (Object.keys(draft.meta_data ?? {}).length > 0) refuseMetaData(draft.meta_data, assistant, place)
    const tickUs = pastTick(world, created_at, place)
    if (tickUs < latestUs) throw outOfOrder(place)
    latestUs = tickUs
    const ids = files.map((file, at) => uploaded(world, caller, file, [...place, 'files', at], tickUs))
    const message = ids.length === 0 ? draft : { ...draft, file_ids: [...(draft.file_ids ?? []), ...ids] }
    return applied(world, { operation: 'createMessage', caller, threadId, message }, place, tickUs)
  })
}

/** The message as a client gives it. */
function draftOf(
  { machine, state }: World,
  threadId: string,
  { tool_calls, ...others }: MessageSeed,
  place: FieldFault['loc'],
): MessageDraft {
  if (tool_calls === undefined) return others
  const position = state.threads.get(threadId)?.log.size ?? 0
  const key = derive(derive(machine.root, `seeded calls of ${threadId}`), 'message', position)
  return { ...others, tool_calls: completedCalls(tool_calls, key, place) }
}

function outOfOrder(place: FieldFault['loc']): SeedError {
  const message = 'is earlier than what comes before it; write the messages oldest first'
  return new SeedError('seed-out-of-order', [{ loc: [...place, 'created_at'], message, type: 'value_error' }])
}

/** An assistant of the caller's tenant by name or id; default: the first one. */
export function assistantOf({ tenant }: Caller, wanted: string | undefined): Assistant {
  const { assistants } = tenant
  const found = wanted === undefined ? assistants[0] : namedIn(assistants, wanted)
  if (found !== undefined) return found
  const message = `names no assistant "${wanted ?? ''}" of the tenant; there are ${assistants.map(({ name }) => name).join(', ')}`
  throw new SeedError('seed-unknown-assistant', [{ loc: ['assistant'], message, type: 'value_error' }])
}
