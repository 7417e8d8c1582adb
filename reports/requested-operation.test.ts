/** Tests that a finding about a file's status names the path that the profile had requested. */
import { expect, test } from 'vitest'
import { sampleReport } from '../test/reports/sample-report.ts'
import { failureCards } from './failure-card.ts'
import { headlineText } from './headline.ts'
import type { Report } from './report.ts'
import { renderText } from './terminal-text.ts'

const id = '36ede3ed-0f5b-4a2b-9f43-1d7c5a6b0001'
const sample = sampleReport({ green: true })

/** A report whose only violation is about a status that was requested at this URL. */
const requesting = (url: string, target = 'http://acs.test'): Report => {
  const [exchange] = sample.exchanges
  const violated = sample.verdicts.find(({ operation }) => operation === 'getFileStatus')
  if (exchange === undefined || violated === undefined) throw new Error('the sample has no such exchange')
  const intent = { probe: 'files.persist', operation: 'getFileStatus', purpose: 'valid', expects: 'accepted' } as const
  return {
    ...sample,
    run: { ...sample.run, target, outcome: 'nonconformant', exitCode: 1 },
    exchanges: [{ ...exchange, intent, request: { ...exchange.request, method: 'GET', url } }],
    verdicts: [
      {
        ...violated,
        outcome: 'violated',
        blocking: true,
        headline: 'the status is an error',
        exchanges: [exchange.id],
      },
    ],
  }
}

test.each([
  [`http://acs.test/v1/file/${id}/status`, 'http://acs.test', 'GET /v1/file/{file_id}/status'],
  [`http://acs.test/base/files/${id}`, 'http://acs.test/base/', 'GET /files/{file_id}'],
  [`http://acs.test/v1/status?file=${id}`, 'http://acs.test', 'GET /v1/status?file={file_id}'],
  [`http://acs.test/v1/files/${id}/status`, 'http://acs.test', 'GET /v1/files/{file_id}/status'],
  ['http://acs.test/v1/file/f-1/status', 'http://acs.test', 'GET /v1/file/f-1/status'],
  ['http://acs.test/v1/files/f-1/status', 'http://acs.test', 'GET /v1/files/{file_id}/status'],
  ['/v1/file/f-1/status', 'http://acs.test', 'GET /v1/files/{file_id}/status'],
])('a finding about %s names the path that was requested', (url, target, name) => {
  const report = requesting(url, target)
  const [card] = failureCards(report)
  expect(card === undefined ? null : headlineText(card.places[0].headline)).toBe(`${name}: the status is an error`)
  expect(renderText(report)).toContain(`1  ${name}: the status is an error`)
})
