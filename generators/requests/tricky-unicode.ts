/**
 * Lists legal texts that break careless code: astral, combining, joined and bidirectional characters, separators.
 * Texts that real servers may treat differently are GREY: reported, never a violation.
 */

interface TrickyText {
  readonly name: string
  readonly text: string
  /** The JSON text of the string if it needs escapes. */
  readonly json?: string
  readonly grey: boolean
}

/** All tricky texts by name. */
export const trickyUnicode: readonly TrickyText[] = [
  plain('astral letter', '\u{1d49c}\u{1d4b7}\u{1d4b8}'),
  plain('emoji', 'lease \u{1f4dd} signed'),
  plain('family joined by ZWJ', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}'),
  plain('flag of two indicators', '\u{1f1e9}\u{1f1ea}'),
  plain('skin tone', '\u{1f44d}\u{1f3fd}'),
  plain('composed é', 'caf\u00e9'),
  plain('decomposed é', 'cafe\u0301'),
  plain('composed å, Ångström sign, decomposed', '\u00c5 \u212b A\u030a'),
  plain('many combining marks', `z${'\u0301\u0323\u0489'.repeat(12)}`),
  plain('Hangul, composed and not', '\ud55c \u1112\u1161\u11ab'),
  plain('Arabic and Latin', 'lease \u0639\u0642\u062f 12'),
  plain('bidi override', 'a\u202ebc\u202cd'),
  plain('bidi isolates', '\u2066abc\u2069\u2067def\u2069'),
  plain('line separator U+2028 inside', 'one\u2028two'),
  plain('paragraph separator U+2029 inside', 'one\u2029two'),
  plain('next line U+0085 inside', 'one\u0085two'),
  plain('BOM U+FEFF inside', 'one\ufefftwo'),
  plain('soft hyphen and zero width space', 'con\u00adtract\u200bual'),
  plain('no-break spaces', 'a\u00a0b\u202fc\u3000d'),
  plain('noncharacters', 'a\ufdd0b\uffffc'),
  plain('private use', '\ue000\u{f0000}'),
  plain('last code point', '\u{10ffff}'),
  plain('line breaks of every kind', 'a\nb\r\nc\rd\te\u000bf\u000cg'),
  plain('control escapes without NUL', Array.from({ length: 31 }, (_, at) => String.fromCharCode(at + 1)).join('')),
  plain('DEL', 'a\u007fb'),
  plain('text that reads like JSON', '{"role":"system"}'),
  plain('the word null', 'null'),
  plain('backslashes and quotes', '\\ \\\\ " \\" \\u0041 \\n'),
  plain('markup', '<script>alert(1)</script>&amp;]]>'),
  plain('SQL and templates', "'; DROP TABLE messages;-- {{7*7}} #{x} %s %00"),
  plain(
    'patterns of a replacement',
    '$$5 $1 \\1 \\g<0> {0} {name} a+b %20 -- anna.novak@mail.example 4111 1111 1111 1111',
  ),
  plain('case that changes length', '\u0130\u0131\u00df\ufb03'),
  plain('long grapheme', `e${'\u0301'.repeat(200)}`),
  grey('NUL', 'a\u0000b'),
  grey('leading and trailing blanks', '  a  '),
  grey('blanks only', ' \t '),
  grey('zero width space only', '\u200b'),
  grey('leading BOM', '\ufeffa'),
  { name: 'lone high surrogate', text: 'a\ud800b', json: '"a\\ud800b"', grey: true },
  { name: 'lone low surrogate', text: 'a\udc00b', json: '"a\\udc00b"', grey: true },
  { name: 'surrogates in the wrong order', text: '\udc00\ud800', json: '"\\udc00\\ud800"', grey: true },
]

function plain(name: string, text: string): TrickyText {
  return { name, text, grey: false }
}

function grey(name: string, text: string): TrickyText {
  return { name, text, grey: true }
}
