/** Tests that `acs explain` knows every error code and every fault, and suggests them. */
import { expect, test } from 'vitest'
import { createMock, errorCodes } from '../mock-server/index.ts'
import { acs } from '../test/acs-in-process.ts'

test('an error code is explained with its operations, rules, gaps and status, and how to provoke it', async () => {
  expect((await acs(['explain', 'thread_not_found'])).out).toMatchInlineSnapshot(`
    "thread_not_found  (an error code)

      Thread not found

      contract      Errors
      listed for    runThread, streamThreadRun, listMessages, createMessage
      rules
        threads.unknown-thread-error  A thread that does not exist gives thread_not_found.
        errors.code-thread-not-found  On the thread endpoints, thread_not_found is returned with the contract's error body.
      gaps
        threads.completion-thread-code  Which error code rejects a message to a thread created by a completion?
        errors.status-of-code  Which HTTP status does each error code have?
        errors.malformed-thread-id  How does the service answer a path whose thread_id is not a UUID?
      the mock      status 404, with x-acs-reason unknown-thread, foreign-thread
      applies to    runThread, streamThreadRun, listMessages, createMessage
      provoke it    the request header x-acs-fault: thread_not_found
                    acs mock --fault 'thread_not_found', for every request
    "
  `)
})

test('a fault is explained with its settings and the operations to which it applies', async () => {
  expect((await acs(['explain', 'cut-in-line'])).out).toMatchInlineSnapshot(`
    "cut-in-line  (a fault of the mock)

      The connection closes inside a line.

      settings
        chunk=1  which chunk, from 1 (1 to 1000000)
        at=0  bytes that go out before; 0 means half of them (0 to 100000000)
      applies to    streamChatCompletion, streamChatCompletionEvents, streamThreadRun
      provoke it    the request header x-acs-fault: cut-in-line:chunk=1,at=0
                    acs mock --fault 'cut-in-line:chunk=1,at=0', for every request
    "
  `)
})

test('every error code and every fault is explained, and a misspelt one gets a suggestion', async () => {
  await using mock = await createMock()
  const faults = mock.faults.faultCatalogue().map(({ name }) => name)
  for (const id of [...Object.keys(errorCodes), ...faults]) {
    const { code, out } = await acs(['explain', id])
    expect([id, code]).toEqual([id, 0])
    expect(out.startsWith(`${id}  (`), out).toBe(true)
    expect(out.includes(`x-acs-fault: ${id}`)).toBe(faults.some((name) => name === id))
  }
  expect((await acs(['explain', 'thread_not_foud'])).err).toContain('did you mean thread_not_found?')
})
