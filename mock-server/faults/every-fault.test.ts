/** The law over the whole catalogue: each fault on each operation is settled, and the mock itself never fails. */
import { expect, test } from 'vitest'
import { type OperationId, operationIds, operations } from '../../spec/index.ts'
import { mockClient } from '../../test/support/mock-client.ts'
import { faultNames } from '../fault-catalogue/fault-catalogue.ts'
import { createMock, type Mock } from '../mock.ts'

/** A sound request for each operation, so that it is the fault that shows. */
async function requestsOf(mock: Mock): Promise<Readonly<Record<OperationId, { path: string; body?: unknown }>>> {
  const primary = mockClient(mock.main, mock)
  const assistant_id = primary.assistant('Echo')
  const asked = () =>
    mock.main.seedThread({ assistant: 'Echo', messages: [{ role: 'user', content: 'ä'.repeat(40) }] }).id
  const thread = asked()
  const grant = (await primary.get('/v1/files/signed-url?filename=a.txt', { 'user-id': 'u' })).json
  const completion = { assistant_id, messages: [{ role: 'user', content: 'ä'.repeat(40) }] }
  return {
    createChatCompletion: { path: '/v1/chat/completions', body: completion },
    streamChatCompletion: { path: '/v1/chat/completions/stream', body: completion },
    streamChatCompletionEvents: { path: '/v1/chat/completions/events/stream', body: completion },
    runThread: { path: `/v1/threads/${thread}/run`, body: {} },
    streamThreadRun: { path: `/v1/threads/${asked()}/run/stream`, body: {} },
    listMessages: { path: `/v1/threads/${thread}/messages` },
    createMessage: { path: `/v1/threads/${thread}/messages`, body: { role: 'user', content: 'x' } },
    listAssistants: { path: '/v1/assistants' },
    getAssistant: { path: `/v1/assistants/${assistant_id}` },
    createUploadGrant: { path: '/v1/files/signed-url?filename=b.txt' },
    uploadFile: { path: grant.file_url, body: 'x' },
    listMyApiKeys: { path: '/v1/tenants/my-api-keys' },
    createThread: { path: '/v1/threads', body: {} },
    getFileStatus: { path: `/v1/files/${grant.file_id}/status` },
  }
}

test('every fault on every operation is applied or missed with a reason, and counted', async () => {
  for (const fault of faultNames) {
    const mock = await createMock({ clock: { mode: 'frozen' } })
    const requests = await requestsOf(mock)
    mock.journal.clear()
    for (const operation of operationIds) {
      const { path, body } = requests[operation]
      const { method } = operations[operation]
      const headers = {
        'api-key': 'acs-demo-primary',
        'user-id': 'u',
        'content-type': 'text/plain',
        'x-acs-fault': fault,
      }
      const init = { method, headers, ...(body === undefined ? null : { body: JSON.stringify(body) }) }
      await mock.fetch(path, init).then(
        (response) => response.text().catch(() => ''),
        () => '',
      )
    }
    const entries = mock.journal.query()
    expect(entries.map(({ operation }) => operation)).toEqual(operationIds)
    for (const { operation, injected, mockFault: failure } of entries) {
      expect({ operation, failure, states: injected.map(({ state }) => state) }).toEqual({
        operation,
        failure: null,
        states: [expect.stringMatching(/^(applied|missed)$/)],
      })
    }
    const row = mock.faults.faultCatalogue().find(({ name }) => name === fault)
    // Behind the first chunk there is nothing in a document; `after=0` would apply there as well.
    const applied = (row?.parameters.after?.preset ?? 0) > 0 ? 3 : row?.operations.length
    expect({ fault, ...row?.counts }).toEqual({ fault, chosen: 14, applied, missed: 14 - (applied ?? 0) })
  }
})
