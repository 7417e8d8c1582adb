/** Deviations of chapter tools in messages that ask for tools. */

import type { OperationId } from '../../../spec/index.ts'
import { dropField, editAt, isObject } from '../../overrides/json-edit.ts'
import { overrideAccepted } from '../../overrides/replies.ts'
import { skipRule } from '../../overrides/rules.ts'
import type { JsonObject } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

/** Answers, not messages that clients posted. */
const asks = ({ tool_calls: calls, meta_data: metaData }: JsonObject): boolean =>
  Array.isArray(calls) && isObject(metaData) && Object.keys(metaData).length > 0

const withoutField = (operation: OperationId, name: string) =>
  overrideAccepted(operation, editAt(name, dropField), asks)

const trigger = 'an answer that asks for tools'

export const askingMessages = {
  'tools.asking-answer-fields': [
    deviation(
      'tools.asking-run-without-meta-data',
      'Answers a run with tool calls in place of meta_data.',
      withoutField('runThread', 'meta_data'),
      { trigger },
    ),
    deviation(
      'tools.asking-run-without-sources',
      'Answers a run with tool calls in place of sources.',
      withoutField('runThread', 'sources'),
      { trigger },
    ),
    deviation(
      'tools.listed-asking-answer-without-meta-data',
      'Lists answers that ask for tools without their meta_data.',
      withoutField('listMessages', 'meta_data'),
      { trigger },
    ),
    deviation(
      'tools.listed-asking-answer-without-sources',
      'Lists answers that ask for tools without their sources.',
      withoutField('listMessages', 'sources'),
      { trigger },
    ),
  ],
  'tools.asking-message-not-empty': [
    deviation(
      'tools.empty-asking-message-stored',
      'Takes assistant messages without content when they ask for tools.',
      skipRule(
        'empty-content',
        ({ command }) => command.operation === 'createMessage' && command.message.tool_calls !== undefined,
      ),
      { trigger: 'an assistant message with calls' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'tools'>>
