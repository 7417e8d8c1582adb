/** The counts of one page agree with each other, and its signs say different things. */
import { expect, test } from 'vitest'
import { obligationKey } from '../../spec/index.ts'
import { sampleReport } from '../../test/reports/sample-report.ts'
import { failuresText } from '../failed-text.ts'
import { renderJunit } from '../junit.ts'
import { renderMarkdown } from '../markdown.ts'
import type { Report } from '../report.ts'
import { countOutcomes } from '../severity.ts'
import { renderText } from '../terminal-text.ts'
import { renderHtml } from './render-html.ts'

const report = sampleReport()

/** The numbers that a pattern finds in a page. */
const numbersIn = (html: string, pattern: RegExp): readonly number[] =>
  [...html.matchAll(pattern)].map(([, number]) => Number(number))

test('the results that rules are filtered by count verdicts, as the head of the page does', () => {
  const html = renderHtml(report)
  const chips = [...html.matchAll(/<i class="swatch ([\w-]+)"><\/i>[\w ]+ <small>(\d+)<\/small>/g)]
  expect(chips.length).toBeGreaterThan(2)
  const counts = countOutcomes(report.verdicts)
  expect(chips.map(([, outcome, count]) => [outcome, Number(count)])).toEqual(
    chips.map(([, outcome]) => [outcome, counts[outcome as keyof typeof counts]]),
  )
})

test('head, causes, list, text, Markdown and JUnit name the same numbers of failures', () => {
  const html = renderHtml(report)
  const failed = report.verdicts.filter(({ outcome }) => outcome === 'violated').length
  const failing = report.verdicts.filter(({ blocking }) => blocking).length
  const told = failuresText(report)
  expect(told).toBe(`${failed} failures (${failing} blocking)`)
  expect(html).toContain(`class="sentence">${told}`)
  expect(numbersIn(html, /data-shown="cards">(\d+)</g)).toEqual([failed])
  expect(numbersIn(html, /<a href="#failures">Failures <small>(\d+)</g)).toEqual([failed])
  expect(numbersIn(html, /class="card [^>]* data-count="(\d+)"/g).reduce((sum, count) => sum + count, 0)).toBe(failed)
  expect(renderText(report)).toContain(`× not conformant  ${told}, `)
  expect(renderMarkdown(report)).toContain(`: ${told}, `)
  expect(renderJunit(report)).toContain(`<system-out>${told}\n`)
  expect(numbersIn(renderJunit(report), /<testsuites [^>]*failures="(\d+)"/g)).toEqual([failing])
  expect(new Set(numbersIn(html, /explains \d+ of (\d+) failures/g))).toEqual(new Set([failed]))
})

const sealOf = (html: string): string => /<svg viewBox="0 0 25 25"><path d="([^"]*)"/.exec(html)?.[1] ?? ''

test('a run without a verdict has another sign than a failed one', () => {
  const invalid: Report = { ...report, run: { ...report.run, outcome: 'invalid', exitCode: 3 } }
  const seals = [report, invalid, sampleReport({ green: true })].map((one) => sealOf(renderHtml(one)))
  expect(new Set(seals).size).toBe(3)
  expect(seals).not.toContain('')
})

test('that a failure was reproduced is not shown like a success', () => {
  const failed = report.verdicts.filter(({ outcome }) => outcome === 'violated')
  const replays = failed.map(
    (one) => ({ obligation: obligationKey(one), outcome: 'reproduced', flaky: false }) as const,
  )
  expect(renderHtml({ ...report, replays })).toContain('<span class="tag">reproduced 1 of 1</span>')
})

test('no form calls a chapter passed that was mostly not tested', () => {
  const green = sampleReport({ green: true })
  const verdicts = green.verdicts.map((one, index) =>
    one.requirement.startsWith('errors.') && index % 3 > 0 ? ({ ...one, outcome: 'unexercised' } as const) : one,
  )
  const partial: Report = { ...green, verdicts }
  expect(renderHtml(partial)).toContain('class="chapter partial" id="chapter-errors"')
  expect(renderMarkdown(partial)).toContain('| 🌗 | errors |')
  expect(renderText(partial)).toContain('◐ errors')
})

test('no command breaks at a hyphen, since its words are whole', () => {
  const html = renderHtml(report)
  expect(html).toMatch(/acs replay <span>acs-report\/report\.json<\/span> <span>--only<\/span> /)
  expect(html).not.toContain('acs replay acs-report')
})
