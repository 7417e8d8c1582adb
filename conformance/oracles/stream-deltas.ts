/** Oracles about the delta of a chunk: text or content blocks, never both, and always the assistant's. */
import type { OperationId } from '../../spec/index.ts'
import { fieldOf, hasField, isObject, nameOf } from '../classify/json.ts'
import { chunksOf } from '../classify/stream-chunks.ts'
import type { Docket } from '../judging/docket.ts'
import { aString, type FieldRule, judgeField, type Place, placeBelow, pointerTo } from './field-rules.ts'
import { type Oracle, streamOperations, textStreams } from './oracle.ts'

interface Delta {
  readonly place: Place
  readonly delta: unknown
}

function* deltasOf(docket: Docket, operations: readonly OperationId[]): Generator<Delta> {
  for (const operation of operations) {
    for (const reading of docket.of(operation)) {
      for (const { index, value } of chunksOf(reading)) {
        const delta = fieldOf(value, 'delta')
        if (isObject(delta)) yield { place: { operation, exchange: reading.id, line: index, at: '/delta' }, delta }
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
  (docket, testify) => {
    for (const { place, delta } of deltasOf(docket, operations)) {
      const value = fieldOf(delta, own)
      const isRight = own === 'content' ? typeof value === 'string' : Array.isArray(value) && value.every(isObject)
      if (isRight && !isFilled(delta, other)) testify.held(place.operation, null, place.exchange)
      else {
        const expected =
          own === 'content'
            ? 'a string content and no content_blocks'
            : 'an array content_blocks of objects and no content'
        const actual = isRight ? `${other} as well` : `${own} is ${nameOf(value)}`
        testify.contradicted(place.operation, null, {
          exchanges: [place.exchange],
          expected,
          actual,
          pointer: pointerTo(place, `/${isRight ? other : own}`),
          because: `In ${place.exchange}, ${pointerTo(place, '')} must have ${expected}, and ${actual}.`,
        })
      }
    }
  }

/** Oracle of streams.text-delta. */
export const textDelta: Oracle = variant(textStreams, 'content', 'content_blocks')
/** Oracle of streams.blocks-delta. */
export const blocksDelta: Oracle = variant(['streamChatCompletionEvents'], 'content_blocks', 'content')

const theAssistant: FieldRule = { expected: '"assistant"', holds: (value) => value === 'assistant' }

/** Oracle of streams.delta-role. */
export const deltaRole: Oracle = (docket, testify) => {
  for (const { place, delta } of deltasOf(docket, streamOperations)) {
    if (typeof fieldOf(delta, 'role') === 'string') judgeField(testify, place, delta, 'role', theAssistant, null)
  }
}

function* blocksOf(docket: Docket): Generator<{ readonly place: Place; readonly block: unknown }> {
  for (const { place, delta } of deltasOf(docket, ['streamChatCompletionEvents'])) {
    const blocks = fieldOf(delta, 'content_blocks')
    for (const [index, block] of Array.isArray(blocks) ? blocks.entries() : []) {
      if (isObject(block)) yield { place: placeBelow(place, `/content_blocks/${index}`), block }
    }
  }
}

/** Oracle of streams.block-has-type. */
export const blockHasType: Oracle = (docket, testify) => {
  for (const { place, block } of blocksOf(docket)) judgeField(testify, place, block, 'type', aString, null)
}

/** Oracle of streams.reasoning-block. */
export const reasoningBlock: Oracle = (docket, testify) => {
  for (const { place, block } of blocksOf(docket)) {
    if (fieldOf(block, 'type') === 'reasoning') judgeField(testify, place, block, 'reasoning', aString, null)
  }
}
