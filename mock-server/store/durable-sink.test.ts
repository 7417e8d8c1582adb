/** Tests the durable sink: nothing passes that is not written, and all passes in order. */
import { expect, test } from 'vitest'
import type { Sink } from '../exchange/sink.ts'
import { type Change, createWriter } from './batch-writer.ts'
import { durableSink } from './durable-sink.ts'

/** A disk that finishes a write when told to, and a client that notes what reaches it. */
function setting() {
  const writes: { readonly keys: readonly string[]; readonly done: (failure?: Error) => void }[] = []
  const told: unknown[] = []
  const writer = createWriter({
    write: (changes: readonly Change[]) =>
      new Promise<void>((resolve, reject) => {
        const done = (failure?: Error) => (failure === undefined ? resolve() : reject(failure))
        writes.push({ keys: changes.map(({ key }) => key), done })
      }),
    told: (cause) => told.push(cause),
  })
  const got: string[] = []
  const client: Sink = {
    head: ({ status }) => void got.push(`head ${status}`),
    write: (bytes) => got.push(Buffer.from(bytes).toString()) > 0,
    end: () => void got.push('end'),
    reset: () => void got.push('reset'),
    whenWritable: () => {},
    whenGone: () => {},
  }
  const sink = durableSink(client, writer, () => void got.push('refused'))
  return { writes, writer, got, told, sink }
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

test('when the disk fails, an answer that has not begun is refused, and one that has breaks off', async () => {
  const { writes, writer, got, sink } = setting()
  writer.put('a', '1')
  sink.head({ status: 201, headers: {} })
  sink.end(Buffer.from('x'))
  await turn()
  writes[0]?.done(new Error('disk full'))
  await turn()
  expect(got).toEqual(['refused'])
  const begun = setting()
  begun.sink.head({ status: 200, headers: {} })
  begun.writer.put('a', '1')
  begun.sink.write(Buffer.from('x'))
  await turn()
  begun.writes[0]?.done(new Error('disk full'))
  await turn()
  expect(begun.got).toEqual(['head 200', 'reset'])
})

test('a write that failed is told of once, kept, and made in its order when the disk has room again', async () => {
  const { writes, writer, told } = setting()
  writer.put('a', '1')
  await turn()
  writer.put('b', '2')
  writes[0]?.done(new Error('disk full'))
  await turn()
  expect([writer.isFailing(), told.map(String)]).toEqual([true, ['Error: disk full']])
  writer.put('c', '3')
  await turn()
  expect(writes).toHaveLength(1)
  const second = writer.settled()
  await turn()
  writes[1]?.done(new Error('disk full'))
  await expect(second).rejects.toThrow('disk full')
  const third = writer.settled()
  await turn()
  expect(writes[2]?.keys).toEqual(['a', 'b', 'c'])
  writes[2]?.done()
  await third
  expect([writer.isFailing(), writer.settled(), told.map(String)]).toEqual([false, null, ['Error: disk full', 'null']])
})
