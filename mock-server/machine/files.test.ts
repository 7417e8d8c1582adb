/** Rules of files: grants, uploads, status, retention, attachment. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock } from '../mock.ts'
import { defaultScenario } from '../scenario/default-scenario.ts'

const owner = { 'user-id': 'ann@example.org' }
const text = { 'content-type': 'text/plain' }

async function setUp(files: object = {}) {
  const mock = await createMock({ clock: { mode: 'frozen' }, scenario: { ...defaultScenario, files } })
  const primary = mockClient(mock.main, mock)
  const grant = async (query = 'filename=a.txt') => (await primary.get(`/v1/files/signed-url?${query}`, owner)).json
  const put = (url: string, body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = text) =>
    mock.fetch(url, { method: 'PUT', body, headers })
  const status = async (id: string) => (await primary.get(`/v1/files/${id}/status`)).json.status
  return { mock, primary, grant, put, status }
}

test('a granted file is uploaded to its URL, then ready; the journal has the digest of its bytes', async () => {
  const { mock, grant, put, status } = await setUp()
  const granted = await grant()
  expect(granted).toMatchObject({ expires_in: 900, file_limits: { max_size: 10_485_760 } })
  expect(await status(granted.file_id)).toBe('awaiting_upload')
  const bytes = new Uint8Array(100_000).map((_, index) => (index * 31) % 256)
  const response = await put(granted.file_url, bytes)
  expect(response.status).toBe(200)
  expect(await status(granted.file_id)).toBe('ready')
  const [entry] = mock.journal.query({ operation: 'uploadFile' })
  expect(entry?.upload).toMatchObject({
    sizeBytes: 100_000,
    mediaType: 'text/plain',
    sha256: createHash('sha256').update(bytes).digest('hex'),
  })
})

test('the user-id header is required, at most 255 long and of the allowed characters', async () => {
  const { primary } = await setUp()
  const types: readonly (readonly [string | null, string | null])[] = [
    [null, 'missing'],
    ['a b', 'string_pattern_mismatch'],
    ['a'.repeat(256), 'string_too_long'],
    ['a'.repeat(255), null],
    ['A-Za-z0-9._-@:', null],
    ['a/b', 'string_pattern_mismatch'],
  ]
  for (const [user, type] of types) {
    const answer = await primary.get('/v1/files/signed-url?filename=a.txt', user === null ? {} : { 'user-id': user })
    expect(answer.status).toBe(type === null ? 200 : 422)
    if (type !== null)
      expect(answer.json.detail).toEqual([{ loc: ['header', 'user-id'], type, message: expect.any(String) }])
  }
  const both = await primary.get('/v1/files/signed-url?persist=maybe')
  expect(both.json.detail.map((fault: { loc: string[] }) => fault.loc[1]).sort()).toEqual([
    'filename',
    'persist',
    'user-id',
  ])
  const empty = await primary.get('/v1/files/signed-url?filename=', { 'user-id': 'u' })
  expect(empty.json.detail).toEqual([{ loc: ['query', 'filename'], type: 'missing', message: expect.any(String) }])
})

test('type, size, signature and expiry of an upload are enforced', async () => {
  const { mock, grant, put, status } = await setUp()
  const { file_url, file_id } = await grant()
  const code = async (response: Promise<Response>) => (await response).headers.get('x-acs-reason')
  expect(await code(put(file_url, 'x', { 'content-type': 'image/png' }))).toBe('file-type-not-allowed')
  expect(await code(put(file_url, new Uint8Array(10_485_761)))).toBe('file-too-large')
  expect(await code(put(file_url.replace(/signature=./, 'signature=!'), 'x'))).toBe('bad-upload-signature')
  expect(await code(put(file_url.replace(/expires=\d/, 'expires=9'), 'x'))).toBe('bad-upload-signature')
  expect(await status(file_id)).toBe('awaiting_upload')
  mock.clock.advance(899_999)
  expect((await put(file_url, new Uint8Array(10_485_760))).status).toBe(200)
  expect(await code(put(file_url, 'again'))).toBe('already-uploaded')
  const late = await grant()
  mock.clock.advance(900_000)
  expect(await code(put(late.file_url, 'x'))).toBe('upload-expired')
})

test('a file that is not to persist is removed after 24 hours, one that is stays', async () => {
  const { mock, grant, put, status } = await setUp()
  const short = await grant('filename=a.txt&persist=false')
  const long = await grant('filename=b.txt')
  for (const { file_url } of [short, long]) await put(file_url, 'x', { 'content-type': 'text/plain; charset=utf-8' })
  mock.clock.advance(24 * 3_600_000 - 1)
  expect(await status(short.file_id)).toBe('ready')
  mock.clock.advance(1)
  expect([await status(short.file_id), await status(long.file_id)]).toEqual(['removed', 'ready'])
})

test('processing ends by time, by polls or in failure, as the scenario says', async () => {
  const timed = await setUp({ ready_after_seconds: 5 })
  const first = await timed.grant()
  await timed.put(first.file_url, 'x')
  expect(await timed.status(first.file_id)).toBe('processing')
  timed.mock.clock.advance(5000)
  expect(await timed.status(first.file_id)).toBe('ready')
  const polled = await setUp({ ready_after_polls: 2, fails_when_named: 'bad' })
  const second = await polled.grant()
  const third = await polled.grant('filename=bad.txt')
  for (const { file_url } of [second, third]) await polled.put(file_url, 'x')
  const seen = [
    await polled.status(second.file_id),
    await polled.status(second.file_id),
    await polled.status(second.file_id),
  ]
  expect(seen).toEqual(['processing', 'processing', 'ready'])
  for (let poll = 0; poll < 2; poll += 1) await polled.status(third.file_id)
  expect(await polled.status(third.file_id)).toBe('failed')
})

test('with seconds and polls a file is ready once both have passed', async () => {
  const { grant, put, status, mock } = await setUp({ ready_after_polls: 2, ready_after_seconds: 4 })
  const [read, waited] = [await grant(), await grant()]
  for (const { file_url } of [read, waited]) await put(file_url, 'x')
  const polls = [await status(read.file_id), await status(read.file_id), await status(read.file_id)]
  expect(polls).toEqual(['processing', 'processing', 'processing'])
  mock.clock.advance(4000)
  expect([await status(read.file_id), await status(waited.file_id)]).toEqual(['ready', 'processing'])
})

test("a message takes the tenant's own files and no others", async () => {
  const { mock, primary, grant } = await setUp()
  const { file_id } = await grant()
  const thread = await primary.thread()
  const said = await primary.say(thread, { role: 'user', content: 'see', file_ids: [file_id] })
  expect(said.json.file_ids).toEqual([file_id])
  const secondary = mockClient(mock.main, mock, 'secondary')
  const refused = await secondary.say(await secondary.thread(), { role: 'user', content: 'see', file_ids: [file_id] })
  expect([refused.status, refused.json.detail[0].loc]).toEqual([422, ['body', 'file_ids', 0]])
  const foreign = await secondary.get(`/v1/files/${file_id}/status`)
  expect([foreign.status, foreign.json.error_code]).toEqual([404, 'resource_not_found'])
})
