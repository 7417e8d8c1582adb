/**
 * Checks that documents use the words of the glossary, with textlint; code in them is left out.
 * `node scripts/lint-prose.ts [FILE...]` prints one line for each wrong word, and exits with 1 if there is one.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TextlintKernel } from '@textlint/kernel'
import markdown from '@textlint/textlint-plugin-markdown'
// @ts-expect-error The package has no types.
import terminology from 'textlint-rule-terminology'

/** Word that no document uses → what to write. Only words that are wrong whatever is meant. */
const words: Readonly<Record<string, string>> = {
  'docket|dockets': 'trace analysis',
  testimony: 'observation log',
  'theatre|theatres': 'probe context',
  gatekeeper: 'request faults',
  'on the shelf': 'in the table',
  '(?:is|are) told': 'is reported',
  'comes? to be': 'is created',
  utilize: 'use',
  utilizes: 'uses',
  'in order to': 'to',
  'has missing': 'lacks',
  'please note': '(nothing)',
}

/** Words may be on two lines. The rule would not match before a dash or a slash if the pattern had no lookahead of its own. */
const terms = Object.entries(words).map(([wrong, right]) => [
  `(?<!\\w)(?:${wrong.replaceAll(' ', '[\\s>]+')})(?!\\w)`,
  right,
])

const problemsIn = async (path: string): Promise<readonly string[]> => {
  const { messages } = await new TextlintKernel().lintText(readFileSync(path, 'utf8'), {
    ext: '.md',
    plugins: [{ pluginId: 'markdown', plugin: markdown.default }],
    rules: [{ ruleId: 'terminology', rule: terminology, options: { defaultTerms: false, skip: [], terms } }],
  })
  return messages.map(
    ({ loc, message }) => `${path}:${loc.start.line}:${loc.start.column}: ${message.replaceAll(/[\s>]+/g, ' ')}`,
  )
}

/** Written from rows of spec/ and of the profile's schema, whose words are not a document's. */
const generated = ['requirements.md', 'profile.md']

const documents = (): readonly string[] => [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs').flatMap((name) =>
    name.endsWith('.md') && !generated.includes(name) ? [join('docs', name)] : [],
  ),
]

const named = process.argv.slice(2)
if (named.length === 0) process.chdir(join(import.meta.dirname, '..'))
const problems = await Promise.all((named.length === 0 ? documents() : named).map(problemsIn))
for (const problem of problems.flat()) console.error(problem)
process.exitCode = problems.flat().length === 0 ? 0 : 1
