/** Failure cards: one for each broken rule, with everything that somebody needs who has to fix it. */
import { expect, test } from 'vitest'
import { obligationKey } from '../spec/index.ts'
import { sampleExchange } from '../test/reports/sample-exchanges.ts'
import { sampleReport } from '../test/reports/sample-report.ts'
import { exchangeLine } from './body-text.ts'
import { failureCards } from './failure-card.ts'
import { renderHtml } from './html/render-html.ts'
import { renderJunit } from './junit.ts'
import { renderMarkdown } from './markdown.ts'
import type { Report } from './report.ts'
import { renderSarif } from './sarif.ts'
import { renderText } from './terminal-text.ts'

const report = sampleReport()
const cards = failureCards(report, { reportPath: 'out folder/report.json' })

test('every violation is a place of exactly one card', () => {
  const violated = report.verdicts.filter(({ outcome }) => outcome === 'violated')
  const places = cards.filter(({ outcome }) => outcome === 'violated').flatMap((card) => card.places)
  expect(places).toHaveLength(violated.length)
  expect(new Set(cards.map(({ requirement, outcome }) => `${outcome} ${requirement}`)).size).toBe(cards.length)
})

test('what fails the run comes first', () => {
  const blocking = cards.map((card) => card.blocking)
  expect(blocking).toEqual([...blocking].sort((a, b) => Number(b) - Number(a)))
  expect(blocking[0]).toBe(true)
})

test('a card has rule, section, both sides, story, command and next step', () => {
  const card = cards.find(({ requirement }) => requirement === 'threads.run-needs-user-message')
  expect(card).toMatchObject({
    rule: { section: 'Endpoints / POST /v1/threads/{thread_id}/run' },
    replay: "acs replay 'out folder/report.json' --only threads.run-needs-user-message",
    next: 'Check the thread before calling the model.',
  })
  expect(card?.places[0]).toMatchObject({ operation: 'runThread', pointer: '/role', replay: null })
  expect(card?.places[0].steps.map(({ exchange, name, line }) => [exchange, name, line])).toEqual([
    ['E2', 'create thread', 'POST /v1/threads → 201'],
    ['E3', 'run', 'POST /v1/threads/0b8f5b1e…/run → 200'],
  ])
})

test('a violation without a witness still names its exchanges, and an unknown rule is still told', () => {
  const bare: Report = {
    ...report,
    verdicts: [
      {
        requirement: 'other.rule',
        operation: 'runThread',
        facet: null,
        level: 'must',
        basis: 'stated',
        owed: true,
        blocking: true,
        outcome: 'violated',
        witnesses: 1,
        exchanges: ['E3', 'E99'],
      },
    ],
  }
  const [card] = failureCards(bare)
  expect(card?.rule.rule).toBe('other.rule')
  expect(card?.places[0].steps.map(({ exchange, line }) => [exchange, line !== null])).toEqual([
    ['E3', true],
    ['E99', false],
  ])
})

test('what its requests alone do not show again is tried by the probes of its rule', () => {
  const [broken] = failureCards(report).flatMap(({ requirement, places }) =>
    places.map((place) => ({ requirement, place })),
  )
  const requirement = broken?.requirement ?? ''
  const obligations = report.verdicts.filter((one) => one.requirement === requirement).map(obligationKey)
  const silent = obligations.map((obligation) => ({
    obligation,
    outcome: 'not-tried' as const,
    reason: 'the answers showed nothing about the rule',
    flaky: false,
  }))
  const commandOf = (replays: Report['replays'], options = {}) =>
    failureCards({ ...report, ...(replays === undefined ? {} : { replays }) }, options).find(
      (card) => card.requirement === requirement,
    )?.replay
  expect(commandOf(silent, { targetFile: 'mine.yaml' })).toBe(`acs test --target mine.yaml --only ${requirement}`)
  expect(commandOf(silent)).toBe(`acs test ${report.run.target} --only ${requirement}`)
  expect(commandOf(silent.map((one) => ({ ...one, outcome: 'reproduced' as const })))).toMatch(/^acs replay /)
})

test('a step tells the trace id of its request in every form of the report', () => {
  const id = '4bf92f3577b34da6a3ce929d0e0e4736'
  const traceparent = ['traceparent', `00-${id}-00f067aa0ba902b7-01`] as const
  const traced: Report = {
    ...report,
    exchanges: report.exchanges.map((exchange) => ({
      ...exchange,
      request: { ...exchange.request, headers: [...exchange.request.headers, traceparent] },
    })),
  }
  for (const text of [
    renderText(traced, { columns: 200 }),
    renderHtml(traced),
    renderJunit(traced),
    renderMarkdown(traced),
  ])
    expect(text).toContain(`→ 200, trace ${id}`)
  // The status stands before the trace id, and is not told again behind it.
  expect(renderText(traced)).not.toContain('200 success')
})

test('requests for grants differ by their user-id, and a long one is told by its length', () => {
  const asked = (user: string) => {
    const path = '/v1/files/signed-url?filename=a.txt'
    const grant = { id: 'E9', operation: 'createUploadGrant', method: 'GET', path, body: null, status: 200, answer: {} }
    const exchange = sampleExchange({ ...grant, operation: 'createUploadGrant', sentAtMs: 0, tookMs: 1 })
    return exchangeLine({ ...exchange, request: { ...exchange.request, headers: [['user-id', user]] } })
  }
  expect(asked('ann')).toBe('GET /v1/files/signed-url?filename=a.txt, user-id "ann" → 200')
  expect(asked('a'.repeat(255))).toContain(', user-id of 255 characters → 200')
})

test('the request of a further page names its cursor, and a long one does not hide the status', () => {
  const pageAt = (cursor: string) => {
    const path = `/v1/threads/t/messages?limit=2&cursor=${cursor}`
    const exchange = { id: 'E9', operation: 'listMessages', method: 'GET', path, body: null, status: 200, answer: {} }
    return exchangeLine(sampleExchange({ ...exchange, operation: 'listMessages', sentAtMs: 0, tookMs: 1 }))
  }
  expect(pageAt('07a419aacbe007a419aacbe178e6356e')).toContain('cursor=07a419aacbe007a419aacbe178e6356e → 200')
  const long = `${'a'.repeat(100)}${'b'.repeat(100)}`
  expect(pageAt(long)).toMatch(/&cursor=a{16}…b{16} → 200$/)
})

test('the key of a tenant is no value in SARIF, where scanners would take its pseudonym for a secret', () => {
  const sarif = renderSarif(report)
  expect(sarif).toContain('"api-key": "<primary key>"')
  expect(sarif).not.toContain('pseudonym-7a1c')
})
