/** Deviations of chapter streams in the sources of the message that is stored after a stream. */

import { isObject } from '../../overrides/json-edit.ts'
import { originOf, overrideStoredMessages } from '../../overrides/records.ts'
import type { streamedOperations } from '../../overrides/streams.ts'
import type { Json } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

const trigger = 'an answer with sources'

const storesSources = (operation: (typeof streamedOperations)[number], edit: (sources: readonly Json[]) => Json[]) =>
  overrideStoredMessages((message, context) =>
    context.command.operation === 'finishRun' && originOf(context) === operation && Array.isArray(message.sources)
      ? { ...message, sources: edit(message.sources) }
      : message,
  )

export const storedSources = {
  'streams.sources-kept': [
    deviation(
      'streams.completion-stored-without-sources',
      'Stores the answer of a streamed completion without its sources.',
      storesSources('streamChatCompletion', () => []),
      { trigger },
    ),
    deviation(
      'streams.run-stored-with-shortened-sources',
      'Stores the first twenty characters of the excerpts that a streamed run shows.',
      storesSources('streamThreadRun', (sources) => sources.map(shortened)),
      { trigger },
    ),
    deviation(
      'streams.events-stored-without-sources',
      'Stores the answer of a stream of content blocks without its sources.',
      storesSources('streamChatCompletionEvents', () => []),
      { trigger },
    ),
  ],
} as const satisfies Pick<DeviationTable<'streams'>, 'streams.sources-kept'>

const shortened = (source: Json): Json =>
  isObject(source) ? { ...source, content: String(source.content).slice(0, 20) } : source
