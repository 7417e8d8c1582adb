/**
 * The kinds of requests that overlap or follow one that was broken off, each with the probe that provokes it. Data only, so
 * that a test can ask of a trace which of them were really seen.
 */
import type { OperationId } from '../../spec/index.ts'

/** When the caller of the first request leaves: before any answer, or inside the answer. */
type BrokenOff = 'before-head' | 'inside-answer'

export interface PairKind {
  /** Sent first; where it is broken off, the second follows it, otherwise both overlap. */
  readonly first: OperationId
  readonly second: OperationId
  /** `none`: at least one of the two is about no thread, or the two make their threads. */
  readonly thread: 'same' | 'other' | 'none'
  readonly tenant: 'same' | 'other'
  readonly broken: BrokenOff | null
  /** The probe that plays the pair. */
  readonly probe: string
}

type Relation = readonly [PairKind['thread'], PairKind['tenant'], probe: string]

const overlapping = (first: OperationId, second: OperationId, [thread, tenant, probe]: Relation): PairKind => ({
  first,
  second,
  thread,
  tenant,
  broken: null,
  probe,
})

const brokenOff = (broken: BrokenOff, operation: OperationId, [thread, tenant, probe]: Relation): PairKind => ({
  first: operation,
  second: operation,
  thread,
  tenant,
  broken,
  probe,
})

const records = 'assistants.read-of-second-tenant'
const walks = 'pagination.walks-at-once'
const runs = 'threads.runs-at-once'
const left = 'tenancy.left-before-answer'
const leftThread = 'threads.left-before-answer'

/** Every kind of pair that the gate tier plays where the profile has two tenants, threads, tools and streams. */
export const pairKinds: readonly PairKind[] = [
  overlapping('listMyApiKeys', 'listMyApiKeys', ['none', 'other', 'tenancy.two-tenants']),
  overlapping('listAssistants', 'listAssistants', ['none', 'other', records]),
  overlapping('getAssistant', 'getAssistant', ['none', 'other', records]),
  overlapping('createUploadGrant', 'createUploadGrant', ['none', 'other', 'files.user-ids']),
  overlapping('createUploadGrant', 'createUploadGrant', ['none', 'same', 'files.user-ids']),
  overlapping('listMessages', 'listMessages', ['other', 'other', walks]),
  overlapping('listMessages', 'listMessages', ['other', 'same', walks]),
  overlapping('createMessage', 'createMessage', ['same', 'same', 'pagination.burst']),
  overlapping('createMessage', 'createMessage', ['other', 'other', 'pagination.burst']),
  overlapping('createMessage', 'createMessage', ['other', 'same', walks]),
  overlapping('createMessage', 'createMessage', ['same', 'same', 'tools.results-at-once']),
  overlapping('createMessage', 'listMessages', ['same', 'same', 'pagination.burst']),
  overlapping('createChatCompletion', 'createChatCompletion', ['none', 'same', 'completions.continue']),
  overlapping('createChatCompletion', 'streamChatCompletionEvents', [
    'none',
    'same',
    'tenancy.second-tenant-completions',
  ]),
  overlapping('streamChatCompletion', 'streamChatCompletionEvents', ['none', 'same', 'streams.text']),
  overlapping('streamChatCompletion', 'listMessages', ['none', 'same', 'completions.continue-streamed']),
  overlapping('streamThreadRun', 'runThread', ['other', 'same', runs]),
  overlapping('runThread', 'runThread', ['other', 'other', runs]),
  overlapping('runThread', 'createMessage', ['same', 'same', runs]),
  overlapping('streamThreadRun', 'createMessage', ['same', 'same', 'threads.run-stream']),
  brokenOff('before-head', 'listMyApiKeys', ['none', 'other', left]),
  brokenOff('before-head', 'listAssistants', ['none', 'other', left]),
  brokenOff('before-head', 'getAssistant', ['none', 'other', left]),
  brokenOff('before-head', 'createUploadGrant', ['none', 'other', left]),
  brokenOff('before-head', 'listMessages', ['other', 'other', leftThread]),
  brokenOff('before-head', 'createMessage', ['other', 'other', leftThread]),
  brokenOff('inside-answer', 'streamThreadRun', ['other', 'other', 'tenancy.second-tenant-completions']),
]
