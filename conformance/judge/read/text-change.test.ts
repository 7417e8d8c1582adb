/** What became of a text is named when it is one of the well-known changes, and only then. */
import { expect, test } from 'vitest'
import { namesOf } from './json.ts'
import { respellingOf, textChange } from './text-change.ts'

test.each<[string, string, string | null]>([
  [' a \n', ' a', 'without the white space at its end'],
  [' a', 'a', 'without the white space at its beginning'],
  [' a ', 'a', 'without the white space at its ends'],
  ['a\r\nb', 'a\nb', 'with CRLF written as LF'],
  ['cafe\u0301', 'caf\u00e9', 'in the Unicode form NFC'],
  ['a <b> & "c"', 'a &lt;b&gt; &amp; &quot;c&quot;', 'escaped for HTML'],
  ['say "a"', String.raw`say \"a\"`, 'escaped for JSON'],
  ['café – 🦉', 'cafÃ© â\u0080\u0093 ð\u009f¦\u0089', 'with its UTF-8 read as Latin-1'],
  ['café – 🦉', 'cafÃ© â€“ ðŸ¦‰', 'with its UTF-8 read as Windows-1252'],
  ['🦉🦉🦉', '🦉🦉', 'cut after 2 characters'],
  ['🦉ab', 'b', 'without its first 2 characters'],
  ['ab', 'abab', 'twice'],
  ['a b', 'a%20b', 'escaped for a URL'],
  ['one owl 🦉 and two 🦉', 'one owl ? and two ?', 'with each character beyond U+FFFF as ?'],
  ['für Łódź', 'für ód', 'without its characters beyond Latin-1'],
  ['für Łódź', 'f?r ??d?', 'with each character beyond ASCII as ?'],
  ['a long text \u2013 with a dash', 'a long text - with a dash', 'with U+2013 as U+002D at character 13'],
  ['a long text and more', 'a long text\u200b and more', 'with U+200B added at character 12'],
  ['a long text, and more', 'a long text and more', null],
  ['a long text and more', 'another text and less', null],
  ['a\ud800', 'other words', null],
  ['other words', 'a\udc00', null],
  ['ab', 'ab', null],
  ['ab', '', null],
  ['ab', 'xy', null],
])('%j that became %j', (earlier, later, name) => {
  expect(textChange(earlier, later)).toBe(name)
})

test('a text that lost something is no respelling', () => {
  expect(respellingOf('abc', 'ab')).toBeNull()
  expect(respellingOf('abc ', 'abc')).toBe('without the white space at its end')
})

test('two values in words tell the change behind the later one', () => {
  expect(namesOf(' a', 'a')).toEqual(['" a"', '"a", without the white space at its beginning'])
  expect(namesOf('a', 'b')).toEqual(['"a"', '"b"'])
  expect(namesOf(1, null)).toEqual(['1', 'null'])
})
