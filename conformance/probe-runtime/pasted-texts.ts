/**
 * Lists what people paste into messages and careless code changes, and writes statements with each of it in turn.
 */
import { uniqueStatement } from './sample-texts.ts'
import type { SeededRandom } from './seeded-random.ts'

/**
 * What people paste into a message, one kind each. Careless code takes it for a pattern of replacement, a format, a template, an
 * escape, markup, a command or something to hide; code that fails at some of them keeps the others as they are.
 */
export const pastedTexts: readonly string[] = [
  ...['costs $$5', 'A$&B', 'US$1, CA$2', '$`5$`', "that is $'s", '\\1 and \\g<0>'],
  ...[
    '50%s',
    '%d of 3',
    '%(name)s',
    '{0} and {1}',
    '{name}',
    '{{x}}',
    `\${sum}`,
    '{% if x %}',
    '<%= x %>',
    '#{x}',
    '$HOME',
  ],
  ...['line\\nline', 'C:\\temp\\new', '\\u0041\\x42', '\\', '"so-called"', "it's, ''quoted''", '`code`'],
  ...['R&amp;D', 'R&D', '&#39;', '&nbsp;', '<b>now</b>', '<!-- left out -->', ']]>', '<name@mail>'],
  ...['a+b', 'a%20b', 'a%2Bb', 'https://shop.example/?a=1&b=%C3%A4#top', '?x=1&y=2'],
  ...[
    '**bold** _and_ ~~not~~',
    '[here](there)',
    '# 1',
    '/help',
    '@anna',
    ':smile:',
    '(c) -- ...',
    '=1+1',
    '// or /* not */',
  ],
  ...[
    'anna.novak@mail.example',
    '+49 170 1234567',
    '4111 1111 1111 1111',
    'password: hunter2',
    '\u001b[1mbold\u001b[0m',
  ],
]

/** Statements with each of the pasted texts in turn, at their end and at their start, from where the seed begins. */
export function* statementsWithPastedTexts(random: SeededRandom): Generator<string, never> {
  const first = random.below(pastedTexts.length)
  for (let at = first; ; at += 1) {
    const pasted = pastedTexts[at % pastedTexts.length] ?? ''
    const isBehind = Math.floor((at - first) / pastedTexts.length) % 2 === 0
    yield isBehind ? `${uniqueStatement(random)} ${pasted}` : `${pasted} ${uniqueStatement(random)}`
  }
}
