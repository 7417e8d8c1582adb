/** What a person sees while a run goes on, on a terminal and in a log. */
import { expect, test } from 'vitest'
import type { RunEvent } from '../conformance/index.ts'
import { sampleTrace } from '../test/reports/sample-report.ts'
import { type ProgressOptions, progressView } from './progress.ts'

const trace = sampleTrace()
const planned = {
  exchanges: 10,
  modelCalls: 5,
  caps: { maxExchanges: 401, maxModelCalls: 5, reserve: { exchanges: 60, modelCalls: 2 } },
}

const events: readonly RunEvent[] = [
  { type: 'planned', plan: planned },
  { type: 'chapter', chapter: 'threads', state: 'started' },
  ...trace.exchanges.map((exchange, index) => ({
    type: 'exchanged',
    exchange,
    cost: { exchanges: index + 1, modelCalls: Math.min(index, 3) },
  })),
  { type: 'chapter', chapter: 'threads', state: 'finished' },
  { type: 'finished', trace },
] as unknown as readonly RunEvent[]

const shown = (options: ProgressOptions, stepMs = 100): string => {
  let text = ''
  let nowMs = 0
  const write = (piece: string): void => {
    text += piece
  }
  const show = progressView(write, { ...options, now: () => (nowMs += stepMs) })
  for (const event of events) show(event)
  return text
}

test('a log gets a plain line for each quarter of the plan, without a chapter, unless the run is short', () => {
  expect(shown({ tty: false }, 1_000)).toBe(
    'planned: 10 exchanges, 5 model calls\nprogress: 3 of 10 exchanges, 2 of 7 model calls\nprogress: 5 of 10 exchanges, 3 of 7 model calls, about 8 s left\nprogress: 8 of 10 exchanges, 3 of 7 model calls, about 3 s left\n9 exchanges, 7 of 7 model calls\n',
  )
  expect(shown({ tty: false })).toBe('planned: 10 exchanges, 5 model calls\n9 exchanges, 7 of 7 model calls\n')
})

test('a terminal gets one line that is written over, with chapter, spending and time left', () => {
  const text = shown({ tty: true })
  const lines = text.split('\r\u001b[2K')
  expect(lines).toHaveLength(events.length + 1)
  expect(lines[8]).toContain('threads')
  expect(lines[8]).toContain('6 of 10 exchanges, 3 of 7 model calls, about 1 s left')
  expect(text.match(/\n/g)).toHaveLength(1)
})

test('the total time is left to the report, which prints it once', () => {
  for (const tty of [true, false])
    expect(shown({ tty }).replaceAll(/about [\d.]+ \w+ left/g, '')).not.toMatch(/\d (ms|s|min|h)\b/)
})

test('no line is longer than the terminal, since a line that wraps cannot be written over', () => {
  for (const columns of [20, 60, 80])
    for (const line of shown({ tty: true, columns }).split('\r\u001b[2K').slice(1, -1))
      expect(line.length).toBeLessThan(columns)
})

test('model calls never go back while a run goes on, and end with what was paid for', () => {
  const cost = (exchanges: number, modelCalls: number) => ({
    type: 'exchanged',
    exchange: trace.exchanges[0],
    cost: { exchanges, modelCalls },
  })
  const lines: string[] = []
  let nowMs = 0
  const show = progressView((text) => void lines.push(text), { now: () => (nowMs += 5_000) })
  const footer = { ...trace.footer, modelCalls: 7 }
  const told = [events[0], cost(5, 8), cost(8, 7), { type: 'finished', trace: { ...trace, footer } }]
  for (const event of told as unknown as readonly RunEvent[]) show(event)
  expect(lines.map((line) => /(\d+) of 7 model/.exec(line)?.[1])).toEqual([undefined, '8', '8', '7'])
})

test('colour is only there when it is asked for', () => {
  expect(shown({ tty: false })).not.toContain('\u001b')
  expect(shown({ tty: true, color: true })).toContain('\u001b[1m')
})
