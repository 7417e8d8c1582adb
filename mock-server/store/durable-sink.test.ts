/** Laws of the gate before a client: nothing passes that is not written, all passes in order, a lost disk breaks off. */
import { expect, test } from 'vitest'
import type { Sink } from '../http/sink.ts'
import { type Change, createWriter } from './batch-writer.ts'
import { durableSink } from './durable-sink.ts'

/** A disk that finishes a write when told to, and a client that notes what reaches it. */
function setting() {
  const writes: { readonly keys: readonly string[]; readonly done: (failure?: Error) => void }[] = []
  const writer = createWriter(
    (changes: readonly Change[]) =>
      new Promise<void>((resolve, reject) => {
        const done = (failure?: Error) => (failure === undefined ? resolve() : reject(failure))
        writes.push({ keys: changes.map(({ key }) => key), done })
      }),
  )
  const got: string[] = []
  const client: Sink = {
    head: ({ status }) => void got.push(`head ${status}`),
    write: (bytes) => got.push(Buffer.from(bytes).toString()) > 0,
    end: () => void got.push('end'),
    reset: () => void got.push('reset'),
    whenWritable: () => {},
    whenGone: () => {},
  }
  return { writes, writer, got, sink: durableSink(client, writer) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('an answer waits until what came before it is written, and keeps its order', async () => {
  const { writes, writer, got, sink } = setting()
  sink.head({ status: 200, headers: {} })
  expect(sink.write(Buffer.from('free'))).toBe(true)
  writer.put('a', '1')
  let resumed = 0
  expect(sink.write(Buffer.from('held'))).toBe(false)
  sink.whenWritable(() => {
    resumed += 1
  })
  await turn()
  writer.put('b', '2')
  sink.end()
  expect(got).toEqual(['head 200', 'free'])
  writes[0]?.done()
  await turn()
  expect([got.length, resumed]).toEqual([2, 0])
  writes[1]?.done()
  await turn()
  expect([got, resumed]).toEqual([['head 200', 'free', 'held', 'end'], 1])
})

test('what is put while a write is under way shares the next one', async () => {
  const { writes, writer } = setting()
  writer.put('a', '1')
  writer.put('b', '2')
  await turn()
  writer.put('c', '3')
  writer.put('d', '4')
  writes[0]?.done()
  await turn()
  writes[1]?.done()
  await writer.settled()
  expect(writes.map(({ keys }) => keys)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  expect(writer.settled()).toBeNull()
})

test('when the disk fails, the connection breaks off, and so does every later one', async () => {
  const { writes, writer, got, sink } = setting()
  writer.put('a', '1')
  sink.head({ status: 200, headers: {} })
  await turn()
  writes[0]?.done(new Error('disk full'))
  await turn()
  expect(got).toEqual(['reset'])
  await expect(writer.settled()).rejects.toThrow('disk full')
})
