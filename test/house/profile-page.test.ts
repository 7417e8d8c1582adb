/** The reference of the profile says what the schema says. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { profilePage } from '../../scripts/profile-page.ts'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('docs/profile.md is the one that the schema gives', () => {
  const page = profilePage(JSON.parse(read('conformance/profile/target.schema.json')))
  expect(read('docs/profile.md')).toBe(page)
  for (const field of ['assistants.avoid', 'timeouts.modelMs', 'threads(static).threads[].holds', 'provoke.<name>.key'])
    expect(page).toContain(`\`${field}\``)
})
