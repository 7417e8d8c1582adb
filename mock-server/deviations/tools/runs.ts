/** Deviations of chapter tools in runs of threads with calls. */

import { messageOf } from '../../overrides/records.ts'
import { addRule, duringOperations, skipRule } from '../../overrides/rules.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

export const toolRuns = {
  'tools.run-needs-tool-messages': [
    deviation('tools.run-with-open-calls', 'Runs threads whatever calls are open.', skipRule('open-tool-calls')),
    deviation(
      'tools.run-with-one-result',
      'Takes one result for the answer to all calls.',
      skipRule('open-tool-calls', ({ thread }) => thread?.calls.some((state) => state === 'answered') === true),
      { trigger: 'some calls answered and some open' },
    ),
    deviation(
      'tools.run-looks-at-last-call',
      'Looks for the result of the last call only.',
      skipRule('open-tool-calls', ({ thread }) => thread !== null && [...thread.calls.values()].at(-1) === 'answered'),
      { trigger: 'the last call answered and an earlier one open' },
    ),
    deviation(
      'tools.run-behind-user-message',
      'Forgets open calls when a user message follows.',
      skipRule('open-tool-calls', ({ thread }) => thread?.lastRole === 'user'),
      { trigger: 'a user message after an open call' },
    ),
    deviation(
      'tools.plain-run-with-open-calls',
      'Checks for open calls in the streamed form only.',
      skipRule('open-tool-calls', duringOperations('runThread')),
    ),
    deviation(
      'tools.run-of-earlier-open-calls',
      'Looks at the calls of the last assistant message only.',
      skipRule('open-tool-calls', ({ thread }) => thread !== null && thread.answers > 1),
      { trigger: 'an open call of an earlier assistant message' },
    ),
    deviation(
      'tools.run-looks-at-newest-request',
      'Looks for open calls of the newest message that asks alone.',
      skipRule('open-tool-calls', ({ thread }) => {
        const asked = [...(thread?.log ?? [])].map(messageOf).findLast(({ tool_calls }) => Array.isArray(tool_calls))
        const ids = Array.isArray(asked?.tool_calls) ? asked.tool_calls.map((call) => Object(call).id) : []
        return ids.every((id) => thread?.calls.get(String(id)) === 'answered')
      }),
      { trigger: 'an open call of an earlier message, and the newest one answered' },
    ),
    deviation(
      'tools.run-counts-results',
      'Compares the number of results with that of the calls.',
      skipRule('open-tool-calls', ({ thread }) => {
        const log = [...(thread?.log ?? [])].map(messageOf)
        const from = log.findLastIndex(({ role }) => role === 'assistant')
        const { tool_calls: asked } = log[from] ?? {}
        return Array.isArray(asked) && log.length - 1 - from >= asked.length && log.at(-1)?.role === 'tool'
      }),
      { trigger: 'a result that comes twice' },
    ),
  ],
  'tools.run-after-tool-messages': [
    deviation(
      'tools.run-behind-result-refused',
      'Refuses to run a thread that ends on a tool message.',
      addRule(
        'no-user-message',
        (context) => duringOperations('runThread')(context) && context.thread?.lastRole === 'tool',
      ),
    ),
    deviation(
      'tools.stream-behind-result-refused',
      'Streams after user messages only.',
      addRule(
        'no-message-to-answer',
        (context) => duringOperations('streamThreadRun')(context) && context.thread?.lastRole === 'tool',
      ),
      { trigger: 'a thread that ends on a tool message' },
    ),
    deviation(
      'tools.stream-behind-second-result-refused',
      'Streams behind a tool message only where the message before it asks for the tool.',
      addRule('no-message-to-answer', (context) => {
        const roles = [...(context.thread?.log ?? [])].map((item) => messageOf(item).role)
        return duringOperations('streamThreadRun')(context) && roles.at(-1) === 'tool' && roles.at(-2) === 'tool'
      }),
      { trigger: 'a stream behind two results' },
    ),
    deviation(
      'tools.several-results-never-enough',
      'Counts one result for all calls that were ever made.',
      addRule('open-tool-calls', ({ thread }) => (thread?.calls.size ?? 0) > 1),
      { trigger: 'two calls, both answered' },
    ),
    deviation(
      'tools.run-counts-results-of-last-round',
      'Compares the number of all calls with that of the results behind the last assistant message.',
      addRule('open-tool-calls', ({ thread }) => {
        const roles = [...(thread?.log ?? [])].map((item) => messageOf(item).role)
        const results = roles.slice(roles.lastIndexOf('assistant') + 1).filter((role) => role === 'tool')
        return results.length > 0 && (thread?.calls.size ?? 0) > results.length
      }),
      { trigger: 'a second round of calls' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'tools'>>
