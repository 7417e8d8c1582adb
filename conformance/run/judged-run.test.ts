/** Tests that a run that ends early loses no verdict, and that a wrong setting gives none. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { referenceProfile } from '../../cli/reference-profile.ts'
import { createMock } from '../../mock-server/index.ts'
import { fetchClient } from '../client/fetch-client.ts'
import { requirementOutcome } from '../judge/requirement-outcome.ts'
import type { TargetProfile } from '../profile/target-profile.ts'
import { decodeTrace } from '../trace/trace.ts'
import { judgedRun, whyOpen } from './judged-run.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-judged-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const mock = await createMock({ seed: 1 })
const client = fetchClient((request) => mock.fetch(request))
const profile = referenceProfile('http://acs.test')

test('what a run judged before its budget was spent keeps its verdict, and the rest is open by name', async () => {
  const judged = await judgedRun(profile, { client, seed: 1, maxExchanges: 40 })
  const statuses = judged.judgement.verdicts.map(
    ({ requirement }) => requirementOutcome(judged.judgement, requirement).status,
  )
  expect(new Set(statuses)).toEqual(new Set(['passed', 'skipped']))
  expect(whyOpen(judged, 'gate')).toMatch(/\n.*\(budget: /)
})

test('a run that is broken off is not complete, and what it judged is kept', async () => {
  const answered = new AbortController()
  const stopping = fetchClient(async (request) => {
    const response = await mock.fetch(request)
    if (request.url.endsWith('/v1/chat/completions')) answered.abort()
    return response
  })
  const file = join(folder, 'trace.ndjson')
  const judged = await judgedRun(profile, { client: stopping, seed: 1, signal: answered.signal, trace: file })
  expect(judged.judgement.verdicts.filter(({ outcome }) => outcome === 'upheld').length).toBeGreaterThan(5)
  expect(whyOpen(judged, 'smoke')).toMatch(/^the run is not complete: interrupted\n/)
  expect(decodeTrace(readFileSync(file, 'utf8')).exchanges.length).toBeGreaterThan(1)
})

test('a smoke run leaves obligations open and nothing to complain of', async () => {
  const judged = await judgedRun(profile, { client, seed: 1, tier: 'smoke' })
  expect(judged.judgement.outcome).toBe('incomplete')
  expect(whyOpen(judged, 'smoke')).toBe('')
  expect(whyOpen(judged, 'gate')).toMatch(/^not decided:\n/)
})

test('a key that is refused is no verdict', async () => {
  const tenants = { ...profile.tenants, primary: { key: 'acs-demo-primray' } }
  await expect(judgedRun({ ...profile, tenants }, { client })).rejects.toThrow('primary cannot be used (refused: 401')
})

test.each<[string, Partial<TargetProfile>, string]>([
  ['that nothing lets a run judge', { threads: null }, 'claims: threads is claimed'],
  ['that the target contradicts', { assistants: { use: ['Ecko'] } }, 'assistants.use: it names Ecko'],
])('a setting %s is no verdict', async (_, over, message) => {
  await expect(judgedRun({ ...profile, ...over }, { client })).rejects.toThrow(message)
})
