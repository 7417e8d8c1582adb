/** Deviations of chapter threads in the assistant that a run names. */
import type { HookOverride } from '../../exchange/hooks.ts'
import type { RequestInput } from '../../exchange/request-input.ts'
import type { RunCommand } from '../../machine/command.ts'
import { overrideRejection } from '../../overrides/errors.ts'
import { duringOperations, misparseRequests, skipRule } from '../../overrides/rules.ts'
import type { JsonObject } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const named = ({ body }: RequestInput): unknown => (body as JsonObject | undefined)?.assistant_id

export const runAssistants = {
  'threads.run-assistant-refused': [
    deviation(
      'threads.run-of-foreign-assistant',
      'Runs assistants of other tenants.',
      skipRule('assistant-not-available', duringOperations('runThread')),
      { trigger: 'a run with an assistant of another tenant' },
    ),
    deviation(
      'threads.stream-of-foreign-assistant',
      'Streams runs of assistants of other tenants.',
      skipRule('assistant-not-available', duringOperations('streamThreadRun')),
      { trigger: 'a streamed run with an assistant of another tenant' },
    ),
    deviation(
      'threads.run-replaces-unknown-assistant',
      "Runs the thread's own assistant when the one in the body is unknown.",
      replacesUnknownAssistant('runThread'),
      { trigger: 'a run with an unknown assistant' },
    ),
    deviation(
      'threads.stream-replaces-unknown-assistant',
      "Streams the thread's own assistant when the one in the body is unknown.",
      replacesUnknownAssistant('streamThreadRun'),
      { trigger: 'a streamed run with an unknown assistant' },
    ),
    deviation(
      'threads.stream-of-foreign-assistant-not-found',
      'Refuses streamed runs of assistants of other tenants as resource_not_found.',
      overrideRejection('streamThreadRun', 'assistant_not_available', () => ({
        error_code: 'resource_not_found',
        detail: 'Resource not found',
      })),
    ),
    deviation(
      'threads.runs-of-foreign-assistant-not-found',
      'Refuses runs of assistants of other tenants as resource_not_found, in both forms.',
      overrideRejection(['runThread', 'streamThreadRun'], 'assistant_not_available', () => ({
        error_code: 'resource_not_found',
        detail: 'Resource not found',
      })),
    ),
    deviation(
      'threads.run-falls-back',
      "Runs the thread's own assistant when the one in the body is not the tenant's, in both forms.",
      misparseRequests(['runThread', 'streamThreadRun'], (input) => {
        const id = named(input)
        const isOwn = input.caller.tenant.assistants.some((one) => one.id === id)
        return typeof id !== 'string' || isOwn ? input : { ...input, body: {} }
      }),
      { trigger: 'a run with an assistant that is not the own one' },
    ),
  ],
} as const satisfies Pick<DeviationTable<'threads'>, 'threads.run-assistant-refused'>

function replacesUnknownAssistant(operation: RunCommand['operation']): HookOverride {
  return misparseRequests(operation, (input, { world }) => {
    const id = named(input)
    const isKnown = world.machine.scenario.tenants.some(({ assistants }) => assistants.some((one) => one.id === id))
    return typeof id !== 'string' || isKnown ? input : { ...input, body: {} }
  })
}
