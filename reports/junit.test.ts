/** JUnit XML as strict parsers and a consumer of the format read it. */
import { parse } from 'junit2json'
import { expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { hostileText } from '../test/reports/hostile-text.ts'
import { sampleReport, withFailures } from '../test/reports/sample-report.ts'
import { renderJunit } from './junit.ts'
import type { Report } from './report.ts'

const consumed = async (report: Report) => {
  const suites = await parse(renderJunit(report))
  if (suites === undefined || suites === null || !('testsuite' in suites)) throw new Error('no testsuites')
  return suites
}

test('hostile strings leave the document well-formed', async () => {
  const contents = renderJunit(sampleReport({ text: hostileText }))
  const { valid, errors } = await validateXML({
    xml: { fileName: 'junit.xml', contents },
    extension: 'schema',
    schema: anySchema,
  })
  expect(errors.map(({ message }) => message)).toEqual([])
  expect(valid).toBe(true)
})

test('a consumer sees each obligation once, failures only where the run fails', async () => {
  const report = sampleReport()
  const suites = await consumed(report)
  const cases = suites.testsuite?.flatMap((suite) => suite.testcase ?? []) ?? []
  expect(cases).toHaveLength(report.verdicts.length)
  const failed = cases.filter((one) => one.failure !== undefined).length
  expect(failed).toBe(
    report.verdicts.filter((one) => one.outcome === 'violated' && one.level === 'must' && one.basis === 'stated')
      .length,
  )
  expect(suites).toMatchObject({ tests: cases.length, failures: failed, errors: 1 })
})

test('the body of a failure is the failure card', async () => {
  const suites = await consumed(sampleReport({ text: '<b>&]]>' }))
  const failure = suites.testsuite
    ?.flatMap((suite) => suite.testcase ?? [])
    .find((one) => one.classname === 'threads.run-needs-user-message')?.failure?.[0]
  expect(failure?.inner).toContain('rule: A run on a thread without any user message is rejected.')
  expect(failure?.inner).toContain('reproduce: acs replay')
  expect(failure?.message).toContain('<b>&]]>')
})

test('what to fix first is told once, and what follows from it says so', async () => {
  const report = withFailures(new Set(['pagination.cursor-continues', 'pagination.any-limit-same-list']))
  const xml = renderJunit(report)
  expect(xml).toContain('   pagination.cursor-continues: explains both failures (known pattern)\n')
  expect(xml).toContain('   reproduce: acs replay acs-report/report.json --only pagination.cursor-continues')
  expect(xml.match(/probably follows from pagination.cursor-continues: /g)).toHaveLength(1)
  expect(renderJunit(sampleReport({ green: true }))).not.toContain('fix first')
})

/** A schema that takes any well-formed document of this root, so that only well-formedness is asked. */
const anySchema = `<?xml version="1.0"?><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:element name="testsuites"><xs:complexType><xs:sequence><xs:any maxOccurs="unbounded" minOccurs="0" processContents="skip"/></xs:sequence>
<xs:anyAttribute processContents="skip"/></xs:complexType></xs:element></xs:schema>`
