/** Proof that server errors which come once behind each provoked error are a violation, and others are not. */
import { noViolation, proveOracles, upholds, violates } from '../../../../test/trace-builder/prove-oracles.ts'
import { rejectedWith } from '../../../../test/trace-builder/sample-data.ts'
import type { TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { httpOracles } from './http.ts'

const rule = 'http.operation-served'
const intent = { probe: 'threads.messages', operation: 'createMessage', purpose: 'valid', expects: 'either' } as const
const failing = rejectedWith('internal_service_error', 503)
const provoking = { profile: { provoke: { api_timeout_error: { headers: { 'x-provoke': 'timeout' } } } } }

interface Day {
  /** Provoked errors, each with a failure behind it. */
  readonly behind: number
  /** What is sent between the two. */
  readonly between?: 'list' | 'message' | 'nothing'
  /** Failures behind an answer. */
  readonly elsewhere?: number
  readonly fails?: boolean
  /** Whether a last failure is sent while its error is on its way. */
  readonly overlaps?: boolean
}

const day = (
  s: TraceBuilder,
  { behind, between = 'list', elsewhere = 0, fails = true, overlaps = false }: Day,
): void => {
  const thread = s.assistants().thread()
  const add = (text: string, change = {}) => s.add(thread, 'user', text, { intent, ...change })
  const provoke = (change = {}) =>
    s.complete({}, { headers: [['x-provoke', 'timeout']], ...rejectedWith('api_timeout_error', 504), ...change })
  for (let round = 0; round < behind; round += 1) {
    provoke()
    if (between === 'list') s.list(thread)
    if (between === 'message') add(`Message ${round}`)
    if (fails) add(`Another message ${round}`, failing)
    add(`Another message ${round}`)
  }
  if (overlaps) {
    provoke({ at: [90_000, 90_020] })
    add('A message meanwhile', { ...failing, at: [90_010, 90_040] })
  }
  for (let round = 0; round < elsewhere; round += 1) add(`Later message ${round}`, failing)
}

proveOracles({ [rule]: httpOracles[rule] }, [
  violates(rule, 'createMessage', 'a failure behind each of three', (s) => day(s, { behind: 3 }), provoking),
  violates(
    rule,
    'createMessage',
    'a failure that was sent before the error came',
    (s) => day(s, { behind: 2, overlaps: true }),
    provoking,
  ),
  upholds(
    rule,
    'createMessage',
    'an error that was provoked changes nothing',
    (s) => day(s, { behind: 1, fails: false }),
    provoking,
  ),
  noViolation(rule, '', 'two failures may be chance', (s) => day(s, { behind: 2 }), provoking),
  noViolation(rule, '', 'one fails elsewhere', (s) => day(s, { behind: 3, elsewhere: 1 }), provoking),
  noViolation(rule, '', 'messages are taken in between', (s) => day(s, { behind: 3, between: 'message' }), provoking),
  noViolation(
    rule,
    '',
    'the service may be away for a moment',
    (s) => day(s, { behind: 3, between: 'nothing' }),
    provoking,
  ),
  noViolation(rule, '', 'nothing was provoked', (s) => day(s, { behind: 3 })),
])
