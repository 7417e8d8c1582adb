/** A bundle has one spelling: whatever JSON would forgive is refused, and every text comes back as it was packed. */
import { expect, test } from 'vitest'
import { artefactNames, type Bundle, packBundle, unpackBundle } from './bundle.ts'

const text = '{"a":"\\u001f \\\\u0041 \\/ é 𝄞"}\n\tend'
const bundle = Object.fromEntries(artefactNames.map((name) => [name, `${name} ${text}`])) as Bundle
const packed = packBundle(bundle)

test('a text with escapes of its own comes back as it was packed', () => {
  expect(unpackBundle(Buffer.from(packed))).toEqual({ bundle })
})

test.each<readonly [string, string, string]>([
  ['an escape by number where there is a letter', '\\tend', '\\u0009end'],
  ['an escaped letter', '\\tend', '\\t\\u0065nd'],
  ['an escaped slash', 'end"', 'end\\/"'],
  ['an escape after an escaped backslash', '\\\\u0041', '\\\\\\u0041'],
  ['a blank before a member', ',"text":', ', "text":'],
  ['a blank before a value', '"text":"', '"text": "'],
  ['a blank at the end', 'end"}', 'end" }'],
  ['a member twice', '"text":"', '"text":"","text":"'],
  ['a further member', 'end"}', 'end","more":""}'],
])('%s makes it no bundle', (_, written, otherwise) => {
  expect(packed).toContain(written)
  expect(unpackBundle(Buffer.from(packed.replace(written, otherwise)))).toEqual({
    fault: expect.stringContaining('is not as a bundle is written'),
  })
})
