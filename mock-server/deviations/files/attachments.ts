/** Deviations of chapter files in the status of a file, and in the messages that carry it. */

import type { HookOverride } from '../../exchange/hooks.ts'
import type { HookContext } from '../../machine/domain-hooks.ts'
import type { State } from '../../machine/state.ts'
import { overrideHead } from '../../overrides/heads.ts'
import { isObject } from '../../overrides/json-edit.ts'
import { overrideStep, overrideStoredMessages } from '../../overrides/records.ts'
import { overrideReplyWithMemory } from '../../overrides/replies.ts'
import { addRule, duringOperations } from '../../overrides/rules.ts'
import type { Json } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

/** The files that a message is to carry. */
const carriedBy = ({ command }: HookContext): readonly string[] =>
  command.operation === 'createMessage' ? (command.message.file_ids ?? []) : []

export const fileAttachments = {
  'files.status-polled': [
    deviation(
      'files.status-unknown',
      'Knows the status of no file.',
      addRule('unknown-file', duringOperations('getFileStatus')),
    ),
    deviation(
      'files.status-of-kept-file-unknown',
      'Looks for the status of files that are kept in the wrong place.',
      addRule(
        'unknown-file',
        ({ command, state }) =>
          command.operation === 'getFileStatus' && state.files.get(command.fileId.toLowerCase())?.persist === true,
      ),
      { trigger: 'persist=true' },
    ),
    deviation(
      'files.status-fails',
      'Fails when it is asked for the status of a file.',
      overrideHead('getFileStatus', (sent) => ({ ...sent, status: 500 })),
    ),
    deviation(
      'files.early-status-stays',
      'Keeps the status of a file that was asked for before the upload, and tells it ever after.',
      overrideReplyWithMemory(
        'getFileStatus',
        () => new Map<string, Json>(),
        (json, _exchange, early) => {
          if (!isObject(json) || typeof json.file_id !== 'string') return json
          if (json.status === 'awaiting_upload') early.set(json.file_id, json)
          return early.get(json.file_id) ?? json
        },
      ),
      { trigger: 'a read of the status before the upload' },
    ),
    deviation(
      'files.stays-in-processing',
      'Never completes the file whose status is asked for first; every other one is processed for a moment.',
      overrideReplyWithMemory(
        'getFileStatus',
        () => new Set<string>(),
        (json, _exchange, asked) => {
          if (!isObject(json) || typeof json.file_id !== 'string' || json.status === 'awaiting_upload') return json
          const isNew = !asked.has(json.file_id)
          asked.add(json.file_id)
          const [first] = asked
          return isNew || json.file_id === first ? { ...json, status: 'processing' } : json
        },
      ),
      { trigger: 'two files whose status is asked for' },
    ),
    deviation(
      'files.only-text-processed',
      'Does nothing with an upload whose type is no text.',
      overrideStep((next) => (state, command, tickUs) => {
        const outcome = next(state, command, tickUs)
        const isText = command.operation !== 'uploadFile' || command.mediaType.startsWith('text/')
        return isText ? outcome : { ...outcome, state }
      }),
      { trigger: 'a status of an upload that is no text' },
    ),
    deviation(
      'files.empty-file-stops-processing',
      'Does nothing with an upload that follows an empty one.',
      overrideStep((next) => (state, command, tickUs) => {
        const outcome = next(state, command, tickUs)
        const isStopped = state.files.some(({ upload }) => upload?.sizeBytes === 0)
        return isStopped && command.operation === 'uploadFile' ? { ...outcome, state } : outcome
      }),
      { trigger: 'an upload behind an empty file' },
    ),
    deviation(
      'files.upload-to-first-of-name',
      'Keeps an upload for the first file of that name.',
      overrideStep((next) => (state, command, tickUs) => {
        if (command.operation !== 'uploadFile') return next(state, command, tickUs)
        const name = state.files.get(command.fileId)?.filename
        const first = state.files.find(({ filename }) => filename === name)
        const kept = first === undefined ? command : { ...command, fileId: first.id }
        return { ...next(state, command, tickUs), state: next(state, kept, tickUs).state }
      }),
      { trigger: 'an upload for the second of two grants with one filename' },
    ),
    deviation(
      'files.upload-to-last-of-name',
      'Loses an upload when a later grant has the same filename.',
      overrideStep((next) => {
        const lastOfName = new Map<string, string>()
        return (state, command, tickUs) => {
          const outcome = next(state, command, tickUs)
          const { reply } = outcome
          if (command.operation === 'createUploadGrant' && reply.kind === 'document' && isObject(reply.json))
            lastOfName.set(command.filename, String(reply.json.file_id))
          if (command.operation !== 'uploadFile') return outcome
          const last = lastOfName.get(state.files.get(command.fileId)?.filename ?? '')
          return last === command.fileId ? outcome : { ...outcome, state }
        }
      }),
      { trigger: 'an upload for the first of two grants with one filename' },
    ),
    deviation(
      'files.overtaken-upload-lost',
      'Forgets an upload while which another one has ended.',
      {
        hook: 'head',
        wrap: (next) => {
          let lastEndUs = -1
          return (head, exchange) => {
            const { command, world, startedAtUs } = exchange
            if (command?.operation === 'uploadFile' && exchange.reason === null) {
              if (startedAtUs <= lastEndUs) world.state = withoutUpload(world.state, command.fileId)
              lastEndUs = world.clock.nowUs()
            }
            return next(head, exchange)
          }
        },
      },
      { trigger: 'two uploads in flight' },
    ),
  ],
  'files.kept-for-a-day': [
    deviation(
      'files.passing-file-gone-once-carried',
      'Removes a file that is not kept when a message has carried it.',
      {
        hook: 'checkRule',
        wrap: (next) => {
          const carried = new Set<string>()
          return (asked, broken, context) => {
            const faithful = next(asked, broken, context)
            const { command, state } = context
            if (asked === 'unknown-attachment' && !faithful)
              for (const id of carriedBy(context)) carried.add(id.toLowerCase())
            if (asked !== 'unknown-file' || command.operation !== 'getFileStatus') return faithful
            const id = command.fileId.toLowerCase()
            return faithful || (carried.has(id) && state.files.get(id)?.persist === false)
          }
        },
      },
      { trigger: 'a status read behind a message with a file that is not kept' },
    ),
    deviation(
      'files.passing-file-gone-within-seconds',
      'Removes a file that is not kept after 24 times 60 milliseconds.',
      overrideStep((next) => (state, command, tickUs) => {
        const file = command.operation === 'getFileStatus' ? state.files.get(command.fileId.toLowerCase()) : undefined
        const isOver = file?.persist === false && file.upload !== null && tickUs >= file.upload.atUs + 24 * 60 * 1_000
        return next(isOver ? { ...state, files: state.files.without(file.id) } : state, command, tickUs)
      }),
      { trigger: 'a status read seconds after the upload of a file that is not kept' },
    ),
  ],
  'files.attached-to-message': [
    deviation(
      'files.attachment-refused',
      'Refuses messages that carry a file.',
      addRule('unknown-attachment', (context) => carriedBy(context).length > 0),
    ),
    deviation(
      'files.attachment-of-complete-file-refused',
      'Refuses to attach a file once its status was asked for.',
      addRule('unknown-attachment', (context) =>
        carriedBy(context).some((id) => (context.state.files.get(id.toLowerCase())?.polls ?? 0) > 0),
      ),
      { trigger: 'a file whose status was read' },
    ),
    deviation(
      'files.attachment-of-passing-file-refused',
      'Removes a file that is not kept once it has said that it is complete.',
      addRule('unknown-attachment', (context) =>
        carriedBy(context).some((id) => {
          const file = context.state.files.get(id.toLowerCase())
          return file?.persist === false && file.polls > 0
        }),
      ),
      { trigger: 'persist=false, and the status was read' },
    ),
    deviation(
      'files.attachment-forgotten',
      'Takes messages that carry a file, and keeps them without it.',
      overrideStoredMessages((message) => (message.file_ids === undefined ? message : { ...message, file_ids: [] })),
    ),
  ],
  'files.kept-for-reuse': [
    deviation(
      'files.attached-once',
      'Removes a file when a message has carried it.',
      attachedAgain((before) => before !== undefined),
      { trigger: 'two messages with the same file' },
    ),
    deviation(
      'files.kept-in-one-thread',
      'Binds a file to the thread in which a message carried it first.',
      attachedAgain((before, thread) => before !== undefined && before !== thread),
      { trigger: 'messages of two threads with the same file' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'files'>>

function withoutUpload(state: State, fileId: string): State {
  const file = state.files.get(fileId)
  return file === undefined ? state : { ...state, files: state.files.set(fileId, { ...file, upload: null }) }
}

/** Refuses a message by the thread in which another one has carried its file before. */
function attachedAgain(isRefused: (before: string | undefined, thread: string | undefined) => boolean): HookOverride {
  return {
    hook: 'checkRule',
    wrap: (next) => {
      const threads = new Map<string, string>()
      return (asked, broken, context) => {
        const faithful = next(asked, broken, context)
        if (asked !== 'unknown-attachment' || faithful) return faithful
        const thread = context.thread?.id
        const files = carriedBy(context)
        if (files.some((id) => isRefused(threads.get(id), thread))) return true
        for (const id of files) if (thread !== undefined && !threads.has(id)) threads.set(id, thread)
        return false
      }
    },
  }
}
