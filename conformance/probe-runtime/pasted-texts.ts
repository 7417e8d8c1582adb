/**
 * Lists pasted texts that careless code changes, and writes statements with each of them in turn.
 */
import { uniqueStatement } from './sample-texts.ts'
import type { SeededRandom } from './seeded-random.ts'

/**
 * Pasted texts, one of each kind. Careless code takes it for a pattern of replacement, a format, a template, an
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

const fewPerMessage = 3

/** Statements with all of the pasted texts, a few in each, for a thread of few messages. */
export function* everyPastedText(random: SeededRandom): Generator<string, void> {
  const statements = statementsWithPastedTexts(random, fewPerMessage)
  for (let at = 0; at < pastedTexts.length; at += fewPerMessage) yield statements.next().value
}

/**
 * Statements with each of the pasted texts in turn, at their end and at their start, from where the seed begins. Mostly each is
 * alone in a message, so that one which is taken for something else does not hide another.
 */
export function* statementsWithPastedTexts(random: SeededRandom, perMessage = 1): Generator<string, never> {
  const first = random.below(pastedTexts.length)
  for (let at = first; ; at += perMessage) {
    const texts = Array.from({ length: perMessage }, (_, place) => pastedTexts[(at + place) % pastedTexts.length])
    const pasted = texts.join(' ')
    const isBehind = Math.floor((at - first) / pastedTexts.length) % 2 === 0
    yield isBehind ? `${uniqueStatement(random)} ${pasted}` : `${pasted} ${uniqueStatement(random)}`
  }
}
