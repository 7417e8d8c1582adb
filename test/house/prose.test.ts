/** The prose of the documents uses the words of the glossary; code in it is left out. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

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

/** What a reader reads of a Markdown text: no code, no tags, no addresses. */
const proseOf = (markdown: string): string =>
  micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })
    .replace(/<(pre|code)\b[^>]*>[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

const badWords = (prose: string): readonly string[] =>
  Object.entries(words).flatMap(([wrong, right]) =>
    [...prose.matchAll(new RegExp(`.{0,40}\\b(?:${wrong})\\b.{0,30}`, 'gi'))].map(
      ([where]) => `“${where.trim()}”: write ${right}`,
    ),
  )

/** Written from rows of spec/ and of the profile's schema, whose words are not a document's. */
const generated = ['requirements.md', 'profile.md']

const documents = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs')).flatMap((name) =>
    name.endsWith('.md') && !generated.includes(name) ? [`docs/${name}`] : [],
  ),
]

test.each(documents)('%s uses the words of the glossary', (document) => {
  expect(badWords(proseOf(readFileSync(join(root, document), 'utf8')))).toEqual([])
})

test('a retired word is found in prose, with the word to write, and not in code', () => {
  expect(badWords(proseOf('The **docket** is `testimony`.\n\n```\nhas missing\n```\n'))).toEqual([
    '“The docket is .”: write trace analysis',
  ])
})
