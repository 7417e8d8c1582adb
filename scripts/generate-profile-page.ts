/** Writes docs/profile.md, the reference of every field of a target profile, from target.schema.json. */
import { readFileSync, writeFileSync } from 'node:fs'
import { profilePage } from './profile-page.ts'

const schema: unknown = JSON.parse(
  readFileSync(new URL('../conformance/profile/target.schema.json', import.meta.url), 'utf8'),
)
writeFileSync(new URL('../docs/profile.md', import.meta.url), profilePage(schema))
