/** Oracles about the delta of a chunk: text or content blocks, never both, and always the assistant's. */
import { type OperationId, streamOperations, textStreams } from '../../../../spec/index.ts'
import { fieldOf, hasField, isObject, type JsonObject, nameOf } from '../../read/json.ts'
import { chunksOf } from '../../read/stream-chunks.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import {
  aString,
  type FieldRule,
  fieldIn,
  judgeField,
  judgeTextField,
  type Place,
  placeBelow,
  pointerTo,
} from '../support/field-checks.ts'
import type { Oracle } from '../support/oracle.ts'

/** Calls back for every delta of the streams. */
function eachDelta(
  analysis: TraceAnalysis,
  operations: readonly OperationId[],
  judge: (place: Place, delta: JsonObject) => void,
): undefined {
  for (const operation of operations) {
    for (const parsed of analysis.of(operation)) {
      for (const { index, value } of chunksOf(parsed)) {
        const delta = fieldOf(value, 'delta')
        if (isObject(delta)) judge({ operation, exchange: parsed.id, line: index, at: '/delta' }, delta)
      }
    }
  }
}

/** Present and not null: a server that writes every field of both variants sends null for the other one. */
const isFilled = (delta: unknown, name: string): boolean => hasField(delta, name) && fieldOf(delta, name) !== null

const variant =
  (
    operations: readonly OperationId[],
    own: 'content' | 'content_blocks',
    other: 'content' | 'content_blocks',
  ): Oracle =>
  (analysis, observe) => {
    eachDelta(analysis, operations, (place, delta) => {
      const value = fieldOf(delta, own)
      const isRight = own === 'content' ? typeof value === 'string' : Array.isArray(value) && value.every(isObject)
      if (isRight && !isFilled(delta, other)) observe.held(place.operation, null, place.exchange)
      else {
        const expected =
          own === 'content'
            ? 'a string content and no content_blocks'
            : 'an array content_blocks of objects and no content'
        const actual = isRight ? `${other} as well` : `${own} is ${nameOf(value)}`
        observe.contradicted(place.operation, null, {
          exchanges: [place.exchange],
          expected,
          actual,
          pointer: pointerTo(place, `/${isRight ? other : own}`),
          because: `In ${place.exchange}, ${pointerTo(place, '')} must have ${expected}, and ${actual}.`,
          headline: `${fieldIn(place, '')} must have ${expected}, and ${actual}`,
        })
      }
    })
  }

/** Oracle of streams.text-delta. */
export const textDelta: Oracle = variant(textStreams, 'content', 'content_blocks')
/** Oracle of streams.blocks-delta. */
export const blocksDelta: Oracle = variant(['streamChatCompletionEvents'], 'content_blocks', 'content')

const theAssistant: FieldRule = { expected: '"assistant"', holds: (value) => value === 'assistant' }

/** Oracle of streams.delta-role. */
export const deltaRole: Oracle = (analysis, observe) => {
  eachDelta(analysis, streamOperations, (place, delta) => {
    judgeTextField(observe, place, delta, 'role', theAssistant, null)
  })
}

function eachBlock(analysis: TraceAnalysis, judge: (place: Place, block: JsonObject) => void): undefined {
  eachDelta(analysis, ['streamChatCompletionEvents'], (place, delta) => {
    const blocks = fieldOf(delta, 'content_blocks')
    for (const [index, block] of Array.isArray(blocks) ? blocks.entries() : []) {
      if (isObject(block)) judge(placeBelow(place, `/content_blocks/${index}`), block)
    }
  })
}

/** Oracle of streams.block-has-type. */
export const blockHasType: Oracle = (analysis, observe) => {
  eachBlock(analysis, (place, block) => judgeField(observe, place, block, 'type', aString, null))
}

/** Oracle of streams.reasoning-block. */
export const reasoningBlock: Oracle = (analysis, observe) => {
  eachBlock(analysis, (place, block) => {
    if (fieldOf(block, 'type') === 'reasoning') judgeField(observe, place, block, 'reasoning', aString, null)
  })
}
