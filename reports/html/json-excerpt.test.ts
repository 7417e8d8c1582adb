/** An excerpt marks the value that a pointer names and keeps little of what is beside it. */
import { expect, test } from 'vitest'
import { jsonExcerpt, pointerKeys } from './json-excerpt.ts'

const shown = (value: unknown, pointer: string): string =>
  jsonExcerpt(value, pointerKeys(pointer))
    .map(({ text, marked }) => `${marked ? '>' : ' '}${text}`)
    .join('\n')

test('the value that the pointer names is marked, its neighbours are one line each', () => {
  expect(shown({ id: 'a', role: { name: 'x' }, tags: [1, 2] }, '/role/name')).toBe(
    [' {', '   "id": "a",', '   "role": {', '>    "name": "x"', '   }', '   "tags": [1,2]', ' }']
      .join('\n')
      .replaceAll(',\n', '\n'),
  )
})

test('a missing field is shown where it should be', () => {
  expect(shown({ id: 'a' }, '/created_at')).toBe(' {\n   "id": "a"\n>  "created_at": (missing)\n }')
})

test('of a long list, the item and its neighbours are shown', () => {
  const text = shown({ items: Array.from({ length: 90 }, (_, index) => index) }, '/items/50')
  expect(text).toBe(' {\n   "items": [\n     … 49 before\n     49\n>    50\n     51\n     … 38 more\n   ]\n }')
})

test('no pointer marks the whole, cut to some lines', () => {
  const lines = jsonExcerpt({ items: Array.from({ length: 90 }, () => 'word') }, [])
  expect(lines.length).toBeLessThan(14)
  expect(lines[0]).toEqual({ text: '{', marked: true })
})

test('a key named __proto__ or with a slash is a key like any other', () => {
  expect(shown(JSON.parse('{"__proto__": {"a/b": 1}}'), '/__proto__/a~1b')).toContain('>    "a/b": 1')
})
