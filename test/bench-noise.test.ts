/** Tests that a benchmark decides nothing by rounds in which the machine was busy. */
import { expect, test } from 'vitest'
import { bar } from '../bench/bar.ts'
import { steadyRounds } from '../bench/plan.ts'
import { findingsText } from '../bench/results.ts'

/** Figures of the bare server round by round, the uncounted first one among them. */
async function rounds(figures: readonly (number | null)[]) {
  const left = [...figures]
  let runs = 0
  const bare = async () => {
    runs += 1
    return left.shift() ?? null
  }
  return { ...(await steadyRounds(3, { bare }, (figure) => figure)), runs }
}

test('calm rounds count, and no round is repeated', async () => {
  expect(await rounds([1, 10, 11, 12, 99])).toMatchObject({ noise: null, runs: 4, rounds: [10, 11, 12].map(of) })
})

test('rounds are repeated until enough of them are alike', async () => {
  const { rounds: counted, noise, runs } = await rounds([1, 10, 20, null, 11, 40, 12, 99])
  expect([counted, noise, runs]).toEqual([[10, 11, 12].map(of), null, 7])
})

test.each([
  ['swings', [1, 10, 20, 40, 80, 160, 320, 640, 1280, 2560], 'the bare server swung by 25500 % in 9 rounds'],
  ['is starved', [], 'others kept the processor in 9 of 9 rounds'],
])('a bare server that %s decides nothing', async (_, figures, noise) => {
  expect((await rounds(figures)).noise).toBe(noise)
  const undecided = bar({ name: 'x', unit: '× bare' }, { atLeast: 1 }, [0.1, 2], noise)
  expect(undecided.met).toBeNull()
  expect(findingsText({ bars: [undecided], facts: [] })).toMatch(new RegExp(`^\\? x .*undecided: ${noise}`))
})

const of = (bare: number) => ({ bare })
