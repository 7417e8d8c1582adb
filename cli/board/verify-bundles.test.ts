/** Tests that one bundle cannot keep a board from the others. */
import { expect, test } from 'vitest'
import { verifyBundles } from './verify-bundles.ts'

/** Workers that end, throw or hang by the name of the file. */
const script = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', (file) => {
    if (file === 'ends') process.exit()
    if (file === 'fails') throw new Error('out of memory')
    for (;;) if (file !== 'hangs') break
    parentPort.postMessage({ file, problem: 'seen' })
  })`)}`,
)

const demands = { now: '', trustedKeyIds: [] }

test('a bundle whose verification dies is named, and all others are verified', async () => {
  const verdicts = await verifyBundles(['a', 'fails', 'b', 'ends', 'c', 'd'], demands, { script })
  expect(verdicts.map(({ problem }) => problem)).toEqual([
    'seen',
    'its verification failed: out of memory',
    'seen',
    'its verification ended without a result',
    'seen',
    'seen',
  ])
})

test('a bundle whose verification hangs is named, and the next ones have their turn', async () => {
  const verdicts = await verifyBundles(Array(4).fill('hangs'), demands, { script, deadlineMs: 50 })
  expect(verdicts.map(({ problem }) => problem)).toEqual(Array(4).fill('it takes longer than 0.05 s'))
})
