/** Tests which requests are named when a target stops answering, and that a run which broke off accuses no setting. */
import { expect, test } from 'vitest'
import { mapped, poll, uploaded } from '../../test/trace-builder/file-exchanges.ts'
import { type Change, TraceBuilder } from '../../test/trace-builder/trace-builder.ts'

const footer = { kind: 'footer', exchanges: 0, modelCalls: 0, durationMs: 1, complete: false } as const
const endedBy = (reason: string) => ({ footer: { ...footer, reason } })
const lost = (at: readonly [number, number]): Change => ({ silent: true, ending: 'cut', at })

test('the last answered request and those under way are named', () => {
  const s = new TraceBuilder(endedBy('unreachable'))
  s.assistants([], { at: [0, 10] })
  s.assistants([], { at: [11, 20] })
  for (const sentMs of [12, 13, 14, 15]) s.assistants([], lost([sentMs, 30]))
  // Sent to a target that was gone already.
  s.assistants([], { silent: true, ending: 'unreachable', at: [31, 32] })
  expect(s.judge()).toMatchObject({
    outcome: 'invalid',
    exitCode: 3,
    reason: 'the target stopped answering after E2, with E3 to E6 under way',
  })
})

test('beside a violation a notice names them', () => {
  const s = new TraceBuilder(endedBy('unreachable'))
  s.assistants().complete({}, { with: { role: 'bot' } })
  s.assistants([], { silent: true, ending: 'unreachable' })
  const { outcome, notices } = s.judge()
  expect(outcome).toBe('nonconformant')
  expect(notices).toContainEqual({
    code: 'target-stopped',
    text: 'the target stopped answering after E2, with E3 under way',
    exchanges: [],
  })
})

test('an interrupted run accuses no setting for what might have come later', () => {
  const told = (options: object) => {
    const s = new TraceBuilder({ profile: { ...mapped.profile, claims: ['core', 'files'] }, ...options })
    s.assistants()
    poll(s, uploaded(s), 'WORKING')
    const { reason, notices } = s.judge()
    return `${reason} ${notices.map(({ text }) => text).join()}`
  }
  expect(told({})).toContain('files.status.complete')
  expect(told(endedBy('interrupted'))).not.toContain('files.status')
})
