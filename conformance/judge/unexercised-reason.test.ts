/** Tests the reasons of obligations that nothing shows: a setting, a probe's note, or that nothing asked. */
import { expect, test } from 'vitest'
import type { ProbeNote, Trace } from '../trace/exchange.ts'
import { judge } from './judge.ts'

const base = { baseUrl: 'http://x', tenants: { primary: {} } }
const headerOf = (profile: object): Trace['header'] =>
  ({ kind: 'header', source: 'suite', target: 'http://x', profile }) as unknown as Trace['header']
const note: ProbeNote = {
  kind: 'note',
  probe: 'threads.every-state',
  requirements: ['errors.*', 'tools.*'],
  operation: null,
  reason: 'blocked',
  text: 'The target was busy.',
}
const footer = { kind: 'footer', exchanges: 0, modelCalls: 0, durationMs: 0, complete: true } as const

const reasonsIn = (
  profile: object,
  notes: readonly ProbeNote[],
  requirement: string,
  ending: Trace['footer'] = footer,
) => {
  const { verdicts } = judge({ header: headerOf(profile), exchanges: [], notes, footer: ending })
  return [...new Set(verdicts.filter((one) => one.requirement === requirement).map(({ reason }) => reason))]
}

test('what the profile lacks is named before the note of a probe that could have shown it', () => {
  expect(reasonsIn(base, [note], 'errors.code-rate-limit-gateway')).toEqual([
    'no-fixture: The profile has no throttled key.',
  ])
  expect(reasonsIn(base, [note], 'errors.code-api-timeout-error')).toEqual([
    'no-fixture: The profile does not say how to provoke api_timeout_error.',
  ])
  const told = { ...base, provoke: { api_timeout_error: { headers: { 'x-simulate': 'timeout' } } } }
  expect(reasonsIn(told, [note], 'errors.code-api-timeout-error')).toEqual(['blocked: The target was busy.'])
})

test('a note explains its own rules, and what no note is about was not exercised', () => {
  expect(reasonsIn(base, [note], 'tools.unmatched-refused')).toEqual(['blocked: The target was busy.'])
  expect(reasonsIn(base, [note], 'threads.create-echoes')).toEqual(['no request in this run exercised it'])
})

test('what a run that broke off left undecided is not explained by its last notes', () => {
  const leftOut: ProbeNote = { ...note, reason: 'not-claimed', text: 'tools is not claimed' }
  for (const reason of ['interrupted', 'unreachable', 'time: the limit of 1 min is reached']) {
    const reasonsOf = (notes: readonly ProbeNote[], requirement: string) =>
      reasonsIn(base, notes, requirement, { ...footer, complete: false, reason })
    const ended = ['the run ended before a request exercised it']
    expect(reasonsOf([{ ...note, reason: 'refused-by-target' }], 'tools.unmatched-refused')).toEqual(ended)
    expect(reasonsOf([], 'threads.create-echoes')).toEqual(ended)
    expect(reasonsOf([leftOut], 'tools.unmatched-refused')).toEqual(['not-claimed: tools is not claimed'])
  }
  const capped = reasonsIn(base, [note], 'tools.unmatched-refused', { ...footer, complete: false, reason: 'budget' })
  expect(capped).toEqual(['blocked: The target was busy.'])
})
