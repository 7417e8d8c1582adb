/** The changelog has the form of Keep a Changelog, and each entry is one line. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const groups = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']
const releaseHeading = /^## \[(?:Unreleased|\d+\.\d+\.\d+)\](?: - \d{4}-\d{2}-\d{2})?$/
const longestEntry = 160

/** What is wrong with the form of a changelog: one line of text for each place. */
function problemsOf(changelog: string): readonly string[] {
  const problems: string[] = []
  let group = -1
  let seen = new Set<string>()
  for (const [index, line] of changelog
    .slice(changelog.indexOf('\n## ') + 1)
    .split('\n')
    .entries()) {
    const say = (problem: string) => problems.push(`line ${index} of the releases: ${problem}: ${line.slice(0, 60)}`)
    if (line.startsWith('## ')) {
      if (!releaseHeading.test(line)) say('write "## [Unreleased]" or "## [1.2.3] - 2026-01-31"')
      group = -1
    } else if (line.startsWith('### ')) {
      const next = groups.indexOf(line.slice(4))
      if (next <= group) say(`a release has each of ${groups.join(', ')} at most once, in this order`)
      group = next
    } else if (line.startsWith('- ')) {
      if (group === -1) say(`an entry stands under one of ${groups.join(', ')}`)
      if (line.length > longestEntry) say(`an entry is one line of at most ${longestEntry} characters`)
      if (seen.has(line)) say('this entry is there twice')
      seen = seen.add(line)
    } else if (line !== '') say('an entry is one line that begins with "- "')
  }
  return problems
}

test('the changelog has releases, groups and entries of one line, as Keep a Changelog asks', () => {
  expect(problemsOf(readFileSync(join(import.meta.dirname, '..', '..', 'CHANGELOG.md'), 'utf8'))).toEqual([])
})

test.each([
  ['a release without brackets', '## Unreleased\n\n### Added\n\n- One.\n', 'write "## [Unreleased]"'],
  ['an entry without a group', '## [Unreleased]\n\n- One.\n', 'stands under one of'],
  ['an entry of two lines', '## [Unreleased]\n\n### Added\n\n- One\n  two.\n', 'an entry is one line'],
  ['a group twice', '## [Unreleased]\n\n### Fixed\n\n- One.\n\n### Fixed\n', 'at most once'],
  ['an entry twice', '## [Unreleased]\n\n### Fixed\n\n- One.\n- One.\n', 'twice'],
])('%s is reported', (_name, releases, said) => {
  expect(problemsOf(`# Changelog\n\n${releases}`)).toEqual([expect.stringContaining(said)])
})
