/**
 * Each machine format is checked against its public schema or with a consumer of it. Hostile strings stand wherever a
 * target has a say.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import AjvDraft04 from 'ajv-draft-04'
import addFormats from 'ajv-formats'
import { getCurrentSpecVersion, validate } from 'ctrf'
import { expect, test } from 'vitest'
import { hostileText } from '../test/reports/hostile-text.ts'
import { sampleReport, sampleTrace } from '../test/reports/sample-report.ts'
import { renderCtrf } from './ctrf.ts'
import { renderHar } from './har.ts'
import { renderSarif } from './sarif.ts'

const require = createRequire(import.meta.url)
const readJson = (name: string) => JSON.parse(readFileSync(require.resolve(name), 'utf8'))
const hostile = sampleReport({ text: hostileText })

test('CTRF is valid by its own package and counts every obligation once', () => {
  const document = JSON.parse(renderCtrf(hostile))
  expect(validate(document)).toMatchObject({ valid: true })
  expect(document.specVersion).toBe(getCurrentSpecVersion())
  const { tests, passed, failed, skipped, pending, other } = document.results.summary
  expect(passed + failed + skipped + pending + other).toBe(tests)
  expect(tests).toBe(hostile.verdicts.length)
  expect(document.results.tests.map(({ rawStatus }: { rawStatus: string }) => rawStatus)).toEqual(
    hostile.verdicts.map(({ outcome }) => outcome),
  )
})

test('CTRF validation is able to fail', () => {
  expect(validate({ ...JSON.parse(renderCtrf(hostile)), reportFormat: 'X' })).toMatchObject({ valid: false })
})

const sarifSchema = () => {
  const ajv = new AjvDraft04.default({ strict: false, unicodeRegExp: false })
  addFormats.default(ajv)
  return ajv.compile(readJson('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'))
}

test('SARIF is valid by the published schema', () => {
  const isSarif = sarifSchema()
  expect({ valid: isSarif(JSON.parse(renderSarif(hostile))), errors: isSarif.errors }).toEqual({
    valid: true,
    errors: null,
  })
  expect(isSarif({ version: '2.1.0', runs: [{}] })).toBe(false)
})

test('a SARIF message has no placeholder, no link and no control of the target’s', () => {
  const log = JSON.parse(renderSarif(hostile))
  const texts: string[] = log.runs[0].results.map((result: { message: { text: string } }) => result.message.text)
  expect(texts.length).toBeGreaterThan(0)
  for (const text of texts) {
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    expect(text.replace(/\{\{|\}\}/g, '')).not.toMatch(/[{}]/)
    expect(text.replace(/\\[[\]\\]/g, '')).not.toMatch(/[[\]]/)
  }
})

test('SARIF explains each rule and attaches alerts to the file that it is given', () => {
  const [run] = JSON.parse(renderSarif(hostile, { artifact: 'profiles/a.yaml' })).runs
  for (const { id, help } of run.tool.driver.rules) expect(help.markdown).toContain(`acs explain ${id.split('.')[0]}`)
  for (const { locations } of run.results)
    expect(locations[0].physicalLocation.artifactLocation.uri).toBe('profiles/a.yaml')
})

test('SARIF has a result for each violation and a fingerprint that survives another run', () => {
  const results = (report: typeof hostile) => JSON.parse(renderSarif(report)).runs[0].results
  const fingerprints = (report: typeof hostile) =>
    results(report).map((one: { partialFingerprints: object }) => one.partialFingerprints)
  expect(results(hostile)).toHaveLength(hostile.verdicts.filter(({ outcome }) => outcome === 'violated').length)
  expect(fingerprints(hostile)).toEqual(fingerprints(sampleReport()))
})

const harSchema = () => {
  const ajv = new Ajv({ strict: false, logger: false })
  addFormats.default(ajv)
  ajv.addMetaSchema(readJson('ajv/lib/refs/json-schema-draft-06.json'))
  for (const schema of Object.values<object>(require('har-schema'))) ajv.addSchema(schema)
  return (document: unknown) => ({ valid: ajv.validate('har.json#', document), errors: ajv.errors ?? [] })
}

test('HAR is valid by its schema, from a report and from a whole trace', () => {
  const validateHar = harSchema()
  for (const source of [hostile, sampleTrace({ text: hostileText })]) {
    const document = JSON.parse(renderHar(source))
    expect(validateHar(document)).toEqual({ valid: true, errors: [] })
    expect(document.log.entries).toHaveLength(source.exchanges.length)
  }
  expect(validateHar({ log: { version: '1.2' } }).valid).toBe(false)
})

test('HAR keeps bodies as they were: text as text, other bytes as base64', () => {
  const { entries } = JSON.parse(renderHar(sampleTrace({ text: hostileText }))).log
  const upload = entries.find((entry: { request: { method: string } }) => entry.request.method === 'PUT')
  expect(upload.request.postData).toMatchObject({ text: '//4AAQ==', encoding: 'base64' })
  expect(JSON.parse(entries[3].response.content.text).content).toBe(hostileText)
})

test('a report with a date that is none is rendered in every form', () => {
  const report = sampleReport()
  for (const startedAt of ['Invalid Date', '+275761-01-01T00:00:00Z', '', '2026-02-30T25:61:61Z'])
    for (const render of [renderHar, renderSarif, renderCtrf])
      expect(render({ ...report, run: { ...report.run, startedAt } }).length).toBeGreaterThan(100)
})
