/** The board keeps a history, tells equal names apart, and is the same on any day. */
import { expect, test } from 'vitest'
import { sampleReport } from '../../test/reports/sample-report.ts'
import { boardSite } from './board-site.ts'
import type { CertifiedRun } from './certified-run.ts'

const certified = (changes: Partial<CertifiedRun>, startedAt = '2026-03-01T10:00:00.000Z'): CertifiedRun => {
  const report = sampleReport()
  return {
    file: 'a.acsbundle',
    certificateId: 'c1',
    keyId: 'aaaaaaaa1',
    name: 'Harbour',
    version: '1',
    expiresAt: '2026-09-01T10:00:00.000Z',
    report: { ...report, exchanges: [], run: { ...report.run, startedAt } },
    ...changes,
  }
}

const pageOf = (site: ReadonlyMap<string, string>, path: string): string => {
  const text = site.get(path)
  if (text === undefined) throw new Error(`${path} is none of ${[...site.keys()].join(' ')}`)
  return text
}

test('the history of an implementation begins with its latest certificate, and a copy counts once', () => {
  const older = certified({ certificateId: 'c0', version: '0.9' }, '2026-01-01T10:00:00.000Z')
  const site = boardSite([older, certified({}), certified({ file: 'copy.acsbundle' })])
  const page = pageOf(site, 'implementations/harbour.html')
  expect(page).toMatch(/version 1,.*<h2>History<\/h2>.*2026-03-01.*2026-01-01/s)
  expect(page.match(/2026-03-01<\/td>/g)).toHaveLength(1)
})

test('one name under two keys is two implementations', () => {
  const site = boardSite([certified({}), certified({ certificateId: 'c2', keyId: 'bbbbbbbb2' })])
  const badges = [...site.keys()].filter((path) => path.startsWith('badges/'))
  expect(badges).toEqual(['badges/harbour-aaaaaaaa.svg', 'badges/harbour-bbbbbbbb.svg'])
})

test('requirements and gaps have pages at addresses that stay, linked from the matrix', () => {
  const { report } = certified({})
  const site = boardSite([certified({})])
  const [requirement] = report.verdicts.map((verdict) => verdict.requirement)
  const [gap] = report.observations.map((observation) => observation.gap)
  expect(pageOf(site, 'index.html')).toContain(`href="requirements/${requirement}.html"`)
  expect(pageOf(site, `requirements/${requirement}.html`)).toContain(`implementations/harbour.html#${requirement}`)
  expect(pageOf(site, `gaps/${gap}.html`)).toContain('href="../implementations/harbour.html"')
})

test('nothing in a name becomes markup or leaves the folder', () => {
  const site = boardSite([certified({ name: '../<script>x', version: '<b>' })])
  const page = pageOf(site, 'implementations/script-x.html')
  expect(page).not.toMatch(/<script>x|<b>/)
  expect([...site.keys()].every((path) => /^[\w./-]+$/.test(path) && !path.includes('..'))).toBe(true)
})
