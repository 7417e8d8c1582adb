/** What passes is recorded in another thread, with its bytes and times, and what that thread cannot do is told. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { textOfPieces } from '../trace/bytes.ts'
import { decodeTrace } from '../trace/trace.ts'
import type { PassedExchange } from './passed-exchange.ts'
import { startRecordingThread } from './recording-thread.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-recording-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const optionsIn = (name: string, fileBytes = 1_000_000) => ({
  upstream: 'http://acs.example',
  profile: undefined,
  folder: join(folder, name),
  fileBytes,
  keptBytes: 10_000_000,
  isExclusive: false,
})

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const passed = (id: string): PassedExchange => ({
  id,
  credential: null,
  request: {
    method: 'POST',
    url: 'http://acs.example/v1/threads',
    headers: [['api-key', 'a-key-of-somebody-1']],
    body: bytesOf('{"user":"ü"}'),
  },
  outcome: {
    sentAtMs: 1,
    endedAtMs: 9,
    ending: 'complete',
    response: {
      status: 201,
      headers: [['content-type', 'application/json']],
      headAtMs: 5,
      pieces: [
        { atMs: 6, bytes: bytesOf('{"id":') },
        { atMs: 8, bytes: bytesOf('"x"}') },
      ],
    },
  },
})

test('a short recording comes back whole, with its pieces, and without the key', async () => {
  await using thread = await startRecordingThread(optionsIn('short'), () => undefined)
  for (const id of ['E1', 'E2']) thread.add(passed(id))
  thread.add({ ...passed('E3'), outcome: { sentAtMs: 1, endedAtMs: 2, ending: 'unreachable', response: null } })
  expect(await thread.files()).toBeNull()
  const recorded = await thread.end()
  const { exchanges } = 'trace' in recorded ? recorded.trace : { exchanges: [] }
  expect(exchanges.map(({ id, ending }) => `${id} ${ending}`)).toEqual(['E1 complete', 'E2 complete', 'E3 unreachable'])
  const [first] = exchanges
  expect(first?.request.body).toEqual({ utf8: '{"user":"ü"}' })
  expect(first?.response?.pieces.map((piece) => [piece.atMs, textOfPieces([piece])])).toEqual([
    [6, '{"id":'],
    [8, '"x"}'],
  ])
  expect(JSON.stringify(exchanges)).not.toContain('a-key-of-somebody-1')
})

test('a long recording comes back as its files', async () => {
  await using thread = await startRecordingThread(optionsIn('long', 1_000), () => undefined)
  for (let number = 1; number <= 5; number += 1) thread.add(passed(`E${number}`))
  const files = await thread.files()
  const recorded = await thread.end()
  expect('files' in recorded ? recorded.files : null).toEqual(files)
  const ids = (files ?? []).flatMap((file) => decodeTrace(readFileSync(file, 'utf8')).exchanges.map(({ id }) => id))
  expect(ids).toEqual(['E1', 'E2', 'E3', 'E4', 'E5'])
})

test('requests wait while more waits to be recorded than may, and nothing is lost', async () => {
  await using thread = await startRecordingThread(optionsIn('behind'), () => undefined, 4)
  expect(thread.catchUp()).toBeUndefined()
  for (let number = 1; number <= 50; number += 1) thread.add(passed(`E${number}`))
  const caughtUp = thread.catchUp()
  expect(caughtUp).toBeInstanceOf(Promise)
  await caughtUp
  expect(thread.catchUp()).toBeUndefined()
  const recorded = await thread.end()
  expect('trace' in recorded ? recorded.trace.exchanges : []).toHaveLength(50)
})

test('a folder that cannot be made is an error at the start', async () => {
  writeFileSync(join(folder, 'file'), '')
  await expect(startRecordingThread(optionsIn('file'), () => undefined)).rejects.toMatchObject({ code: 'EEXIST' })
})
