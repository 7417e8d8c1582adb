/** A stream is read line by line, however its bytes were cut into pieces. */
import { expect, test } from 'vitest'
import { streamText } from './stream-lines.ts'

const chunk = (content: string) => JSON.stringify({ message_id: 'm', delta: { content } })

test('a line has the time of its last byte, and what is the same in all lines is told once', () => {
  const [first, second] = [`${chunk('Hel')}\n`, `${chunk('lo')}\n`]
  const told = streamText([
    { afterMs: 10, text: first + second.slice(0, 5) },
    { afterMs: 40, text: second.slice(5) },
  ])
  expect(told.lines.map(({ afterMs, gapMs, text }) => [afterMs, gapMs, text])).toEqual([
    [10, 10, 'Hel'],
    [40, 30, 'lo'],
  ])
  expect(told.constant).toEqual({ message_id: 'm' })
  expect(told.joined).toBe('Hello')
})

test('a stream that came in one piece has all its lines at one time', () => {
  const { lines } = streamText([{ afterMs: 500, text: `${chunk('a')}\n${chunk('b')}\n${chunk('c')}` }])
  expect(lines.map(({ afterMs, gapMs }) => [afterMs, gapMs])).toEqual([
    [500, 500],
    [500, 0],
    [500, 0],
  ])
})

test('a line that is no chunk is shown as it came and adds nothing', () => {
  const { lines, joined } = streamText([{ afterMs: 1, text: `: keep-alive\n${chunk('x')}\nnull\n` }])
  expect(lines.map(({ text, isChunk }) => [text, isChunk])).toEqual([
    [': keep-alive', false],
    ['x', true],
    ['null', false],
  ])
  expect(joined).toBe('x')
})

test('events carry their text in content blocks', () => {
  const line = JSON.stringify({ delta: { content_blocks: [{ type: 'text', text: 'a' }, { type: 'other' }, null] } })
  expect(streamText([{ afterMs: 1, text: line }]).joined).toBe('a')
})
