/** Laws of notices: told once, with the exchanges that show them, and never a verdict. */
import { expect, test } from 'vitest'
import { files, poll, uploaded } from '../../test/trace-builder/file-exchanges.ts'
import { assistant, assistantIds, errorBody, rejectedWith, uuid } from '../../test/trace-builder/sample-data.ts'
import { TraceBuilder } from '../../test/trace-builder/trace-builder.ts'

const noticed = (tell: (trace: TraceBuilder) => unknown, profile: Readonly<Record<string, unknown>> = {}) => {
  const trace = new TraceBuilder({ profile })
  tell(trace)
  return trace.judge().notices.map(({ code, text, exchanges }) => `${code}: ${text} (${exchanges.join(' ')})`)
}

test('what a verdict tells is no notice: another text than that of the table, and a code that the operation does not list', () => {
  expect(
    noticed((s) => {
      s.list(uuid(98), { status: 404, body: errorBody('thread_not_found', 'Gone') })
      s.list(uuid(99), rejectedWith('resource_not_found', 404))
    }),
  ).toEqual([])
})

test('an unknown code is reported, but not that of a request without a good key', () => {
  expect(noticed((s) => s.assistants([], rejectedWith('odd_code')))).toEqual([
    `unknown-code: "odd_code" is not in the contract's table of errors (E1)`,
  ])
  expect(noticed((s) => s.assistants([], { as: null, ...rejectedWith('unauthorized', 401) }))).toEqual([])
})

test('a leniency that was used is reported', () => {
  expect(noticed((s) => s.assistants().complete({ user_id: uuid(9).replaceAll('-', '') }))).toEqual([
    'leniency: createChatCompletion accepts another spelling of a UUID (E2)',
  ])
})

test('an error inside a stream is reported', () => {
  expect(
    noticed((s) => {
      const [chunk] = s.chunks(s.answer(uuid(1), 'a'), ['a'])
      s.assistants().completeStream(
        {},
        { text: `${JSON.stringify(chunk)}\n${JSON.stringify(errorBody('api_timeout_error'))}\n` },
      )
    }),
  ).toEqual(['error-in-stream: streamChatCompletion reported an error after the stream had started (E2)'])
})

test('a timeout of a suite that was kept from running is reported as such, and another one is not', () => {
  const timedOut = (loopLagMs: number) => noticed((s) => s.assistants([], { silent: true, loopLagMs }))
  expect(timedOut(1500)).toEqual([expect.stringMatching(/^runner-blocked: a request timed out .* \(E1\)$/)])
  expect(timedOut(200)).toEqual([])
})

test('an assistant that answers none of several questions is named with its error', () => {
  const busy = { status: 504, body: errorBody('api_timeout_error') }
  const ask = (trace: TraceBuilder, id: string, change = {}) => trace.complete({ assistant_id: id }, change)
  const told = (tell: (trace: TraceBuilder) => unknown, profile: Readonly<Record<string, unknown>> = {}) =>
    noticed((trace) => {
      trace.assistants([assistant(assistantIds.plain)])
      tell(trace)
    }, profile).filter((text) => text.startsWith('assistant-fails'))
  expect(
    told((trace) => {
      ask(trace, assistantIds.plain, busy)
      ask(trace, assistantIds.plain, busy)
    }),
  ).toEqual([
    `assistant-fails: the assistant "Assistant 1" ${assistantIds.plain} answered none of 2 questions: api_timeout_error (E2 E3)`,
  ])
  expect(told((trace) => ask(trace, assistantIds.plain, busy))).toEqual([])
  const provoked = (trace: TraceBuilder) => ask(trace, assistantIds.plain, { ...busy, headers: [['x-late', '1']] })
  expect(
    told(
      (trace) => {
        ask(trace, assistantIds.plain, busy)
        provoked(trace)
      },
      { provoke: { api_timeout_error: { headers: { 'x-late': '1' } } } },
    ),
  ).toEqual([])
  expect(
    told((trace) => {
      ask(trace, assistantIds.plain, busy)
      ask(trace, assistantIds.plain, busy)
      ask(trace, assistantIds.plain)
    }),
  ).toEqual([])
})

test('files that never completed are reported together, and those that failed or were asked for too early are not', () => {
  const told = (state: string, atMs: number, count = 1) =>
    noticed(
      (trace) => {
        poll(trace, uploaded(trace))
        const ids = Array.from({ length: count }, () => uploaded(trace))
        for (const [turn, id] of ids.entries()) poll(trace, id, state, { at: [atMs + turn, atMs + turn] })
      },
      { files },
    )
  expect(told('WORK', 11_000, 2)).toEqual([
    'file-not-complete: 2 of 3 uploaded files were not complete 10000 ms after their upload; where the service needs longer, raise files.status.waitMs (E8 E9)',
  ])
  expect(told('WORK', 9_000)).toEqual([])
  expect(told('BROKEN', 11_000)).toEqual([])
})
