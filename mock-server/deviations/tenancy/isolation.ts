/** Deviations of chapter tenancy in the isolation of one tenant's data from another. */

import type { OperationId } from '../../../spec/index.ts'
import type { HookOverride } from '../../exchange/hooks.ts'
import { overrideRejection } from '../../overrides/errors.ts'
import { type Edit, editAt, replaceWith } from '../../overrides/json-edit.ts'
import { duringOperations, skipRule } from '../../overrides/rules.ts'
import { type DeviationRow, type DeviationTable, deviation } from '../deviation-row.ts'

const completions = ['createChatCompletion', 'streamChatCompletion'] as const satisfies readonly OperationId[]

const threads = [
  'runThread',
  'streamThreadRun',
  'listMessages',
  'createMessage',
] as const satisfies readonly OperationId[]

const secondTenant = 'a key of the second tenant'

/** Overrides the refusal of resources of another tenant, not of unknown ones. */
const foreignThread = (edit: Edit): HookOverride =>
  overrideRejection(threads, 'thread_not_found', (json, { reason }) =>
    reason === 'foreign-thread' ? edit(json) : json,
  )

const foreignAssistant = (code: string): HookOverride =>
  overrideRejection(completions, 'assistant_not_available', (json, { world, command }) => {
    const id = command !== null && 'assistantId' in command ? command.assistantId : null
    const exists = world.machine.scenario.tenants.some(({ assistants }) =>
      assistants.some((assistant) => assistant.id === id),
    )
    return exists ? editAt('error_code', replaceWith(code))(json) : json
  })

/** Lets one operation serve the threads of other tenants. */
const letsIn = (id: `tenancy.${string}`, description: string, operation: OperationId): DeviationRow =>
  deviation(id, description, skipRule('foreign-thread', duringOperations(operation)))

export const isolation = {
  'tenancy.foreign-assistant-refused': [
    deviation(
      'tenancy.foreign-assistant-answers',
      'Answers completions with assistants of other tenants.',
      skipRule('assistant-not-available', duringOperations('createChatCompletion')),
    ),
    deviation(
      'tenancy.foreign-assistant-streams',
      'Streams completions with assistants of other tenants.',
      skipRule('assistant-not-available', duringOperations('streamChatCompletion')),
    ),
    deviation(
      'tenancy.foreign-assistant-not-found',
      'Refuses assistants of other tenants as resource_not_found.',
      foreignAssistant('resource_not_found'),
      { trigger: 'an assistant of another tenant' },
    ),
    deviation(
      'tenancy.foreign-assistant-forbidden',
      'Refuses assistants of other tenants as forbidden.',
      foreignAssistant('forbidden'),
      { trigger: 'an assistant of another tenant' },
    ),
  ],
  'tenancy.foreign-assistant-hidden': [
    deviation(
      'tenancy.foreign-assistant-readable',
      'Reads assistants of other tenants.',
      skipRule('unknown-assistant'),
    ),
    deviation(
      'tenancy.foreign-assistant-readable-by-second',
      'Reads every assistant to all tenants but the first.',
      {
        hook: 'checkRule',
        wrap: (next) => (reason, broken, context) => {
          const { command } = context
          const letIn =
            reason === 'unknown-assistant' &&
            command.operation === 'getAssistant' &&
            command.caller.tenant.name !== 'primary'
          return next(reason, broken, context) && !letIn
        },
      },
      { trigger: secondTenant },
    ),
    deviation(
      'tenancy.foreign-assistant-readable-once-read',
      'Reads an assistant to every tenant once its own has read it.',
      readableOnceRead(),
      { trigger: secondTenant },
    ),
  ],
  'tenancy.foreign-thread-refused': [
    letsIn('tenancy.foreign-thread-listed', 'Lists threads of other tenants.', 'listMessages'),
    deviation(
      'tenancy.foreign-thread-listed-by-cursor',
      'Reads further pages of threads of other tenants.',
      skipRule('foreign-thread', ({ command }) => command.operation === 'listMessages' && command.cursor !== null),
      { trigger: 'a thread of another tenant with a cursor of its own' },
    ),
    letsIn('tenancy.foreign-thread-changed', 'Adds messages to threads of other tenants.', 'createMessage'),
    letsIn('tenancy.foreign-thread-run', 'Runs threads of other tenants.', 'runThread'),
    letsIn('tenancy.foreign-thread-streamed', 'Streams runs of threads of other tenants.', 'streamThreadRun'),
    deviation(
      'tenancy.foreign-thread-with-answer-listed',
      'Lists threads of other tenants once they were answered.',
      skipRule(
        'foreign-thread',
        (context) => duringOperations('listMessages')(context) && (context.thread?.answers ?? 0) > 0,
      ),
      { trigger: 'a thread of another tenant that was answered' },
    ),
  ],
  'tenancy.foreign-thread-like-unknown': [
    deviation(
      'tenancy.foreign-thread-told-by-code',
      'Refuses threads of other tenants as forbidden.',
      foreignThread(editAt('error_code', replaceWith('forbidden'))),
    ),
    deviation(
      'tenancy.foreign-thread-told-by-detail',
      'Tells that a thread belongs to somebody else.',
      foreignThread(editAt('detail', replaceWith('Thread belongs to another tenant'))),
    ),
  ],
  'tenancy.foreign-thread-not-continued': [
    letsIn('tenancy.foreign-thread-continued', 'Continues threads of other tenants.', 'createChatCompletion'),
    letsIn(
      'tenancy.foreign-thread-continued-in-stream',
      'Continues threads of other tenants in the streamed form.',
      'streamChatCompletion',
    ),
    letsIn(
      'tenancy.foreign-thread-continued-in-events',
      'Continues threads of other tenants in the stream of events.',
      'streamChatCompletionEvents',
    ),
    deviation(
      'tenancy.foreign-completion-thread-continued',
      'Continues threads that completions of other tenants made.',
      skipRule(
        'foreign-thread',
        (context) => duringOperations('createChatCompletion')(context) && context.thread?.origin === 'completion',
      ),
      { trigger: 'a thread that a completion of another tenant made' },
    ),
  ],
  'tenancy.foreign-file-hidden': [
    deviation(
      'tenancy.foreign-file-status',
      'Tells the status of files of other tenants.',
      skipRule('unknown-file', duringOperations('getFileStatus')),
      { trigger: secondTenant },
    ),
    deviation(
      'tenancy.foreign-file-status-after-first-read',
      'Answers requests for the status of a file from a cache of all tenants.',
      skipRule(
        'unknown-file',
        ({ command, state }) =>
          command.operation === 'getFileStatus' && (state.files.get(command.fileId.toLowerCase())?.polls ?? 0) > 0,
      ),
      { trigger: 'a file whose own tenant has read its status' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'tenancy'>>

function readableOnceRead(): HookOverride {
  return {
    hook: 'checkRule',
    wrap: (next) => {
      const read = new Set<string>()
      return (reason, broken, context) => {
        const { command } = context
        if (reason !== 'unknown-assistant' || command.operation !== 'getAssistant') return next(reason, broken, context)
        if (!broken) read.add(command.assistantId)
        return next(reason, broken, context) && !read.has(command.assistantId)
      }
    },
  }
}
