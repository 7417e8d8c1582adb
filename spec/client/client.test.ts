/** Tests what clients import: lines of a stream over any borders, its ends, and the guards of errors. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorTable } from '../error-table.ts'
import { errorCodes, isErrorBody, isErrorCode, isValidationError, readNdjson } from './index.ts'

const lines = [{ text: 'grün' }, { text: '\u{1f600}' }, { text: 'two\nlines' }]
const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
const bytes = new TextEncoder().encode(text)

const streamOf = (pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })

const cutAfter = (size: number, whole: Uint8Array): readonly Uint8Array[] =>
  Array.from({ length: Math.ceil(whole.length / size) }, (_, index) => whole.slice(index * size, (index + 1) * size))

const collected = async (items: AsyncIterable<unknown>): Promise<readonly unknown[]> => {
  const found: unknown[] = []
  for await (const item of items) found.push(item)
  return found
}

const all = (source: Parameters<typeof readNdjson>[0]): Promise<readonly unknown[]> => collected(readNdjson(source))

test('every size of chunk gives the same lines, also half characters', async () => {
  for (let size = 1; size <= bytes.length; size += 1) expect(await all(streamOf(cutAfter(size, bytes)))).toEqual(lines)
})

test('a response is read like its body; one without a body has no lines', async () => {
  expect(await all(new Response(text))).toEqual(lines)
  expect(await all(new Response(null))).toEqual([])
})

test('the last line needs no end, and blank lines and CRLF are no lines of their own', async () => {
  expect(await all(new Response('{"a":1}\r\n\r\n\n{"a":2}'))).toEqual([{ a: 1 }, { a: 2 }])
})

test('a line that was cut off throws with its number, behind the lines before it', async () => {
  const read: unknown[] = []
  const reading = (async () => {
    for await (const item of readNdjson(new Response('{"a":1}\n{"a":'))) read.push(item)
  })()
  await expect(reading).rejects.toThrow(/^line 2 of the stream is not JSON: \{"a":$/)
  expect(read).toEqual([{ a: 1 }])
})

test('bytes that are not UTF-8 throw, and so does half a character at the end', async () => {
  for (const bad of [Uint8Array.of(0x22, 0xff, 0x22, 0x0a), Uint8Array.of(0x22, 0xc3)]) {
    await expect(all(streamOf([bad]))).rejects.toThrow(TypeError)
  }
})

/** A stream that sends one line and then nothing, and tells why it was cancelled. */
const endless = () => {
  let tell: (reason: unknown) => void = () => {}
  const cancelled = new Promise<unknown>((resolve) => {
    tell = resolve
  })
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"a":1}\n{"a":2}\n')),
    cancel: (reason) => tell(reason),
  })
  return { stream, cancelled }
}

test('an abort while the reader waits throws its reason and ends the download', async () => {
  const { stream, cancelled } = endless()
  const stop = new AbortController()
  const items = readNdjson(stream, { signal: stop.signal })
  expect([await items.next(), await items.next()]).toMatchObject([{ value: { a: 1 } }, { value: { a: 2 } }])
  const waiting = items.next()
  stop.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  expect(await cancelled).toBe(stop.signal.reason)
  expect(stream.locked).toBe(false)
})

test('an abort between two lines throws before the next one, and one before the start reads nothing', async () => {
  const stop = new AbortController()
  const items = readNdjson(endless().stream, { signal: stop.signal })
  await items.next()
  stop.abort()
  await expect(items.next()).rejects.toThrow(/aborted/)
  const late = collected(readNdjson(endless().stream, { signal: stop.signal }))
  await expect(late).rejects.toThrow(/aborted/)
})

test('leaving the loop ends the download', async () => {
  const { stream, cancelled } = endless()
  for await (const _item of readNdjson(stream)) break
  expect(await cancelled).toBeUndefined()
})

test('a stream that fails throws its own error', async () => {
  const failing = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error('reset')) })
  await expect(all(failing)).rejects.toThrow('reset')
})

test('the codes are those of the contract and two more', () => {
  expect(errorCodes.toSorted()).toEqual([...Object.keys(errorTable), 'unauthorized', 'method_not_allowed'].toSorted())
})

test('an error is told by its code and the form of its detail', () => {
  const fault = { loc: ['body', 0], message: 'Field required', type: 'missing' }
  expect(isErrorBody({ error_code: 'thread_not_found', detail: 'Thread not found' })).toBe(true)
  expect(isErrorBody({ error_code: 'thread_not_found', detail: [fault] })).toBe(false)
  expect(isErrorBody({ error_code: 'thread_busy', detail: 'Bad request' })).toBe(true)
  expect(isErrorBody({ error_code: 7, detail: 'Hm' })).toBe(false)
  expect(isErrorBody({ error_code: 'validation_error', detail: 'Hm' })).toBe(false)
  expect(isErrorBody({ error_code: 'validation_error', detail: [fault, null] })).toBe(false)
  expect([null, 'x', [], {}].some(isErrorBody)).toBe(false)
  expect(isValidationError({ error_code: 'validation_error', detail: [fault] })).toBe(true)
  expect(isValidationError({ error_code: 'bad_request', detail: 'Bad request' })).toBe(false)
  expect([isErrorCode('bad_request'), isErrorCode('bad')]).toEqual([true, false])
})

test('nothing that clients import needs Node, or the rest of the package', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => !file.endsWith('.test.ts'))
  const imports = files.flatMap((file) =>
    [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/from '([^']+)'/g)].map(([, from = '']) => from),
  )
  expect(imports.length).toBeGreaterThanOrEqual(5)
  expect(imports.filter((from) => !/^\.\/[a-z-]+\.ts$/.test(from))).toEqual([])
})
