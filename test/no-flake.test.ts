/** A suite that a build hangs on does not flake: twenty gate runs on the mock, seeded by the day. */
import { expect, test } from 'vitest'
import { repeatGate } from '../scripts/repeat-gate.ts'

/** Another twenty seeds each day; a failure names its seed, and `scripts/repeat-gate.ts 1 <seed>` repeats it. */
const firstSeed = Math.floor(Date.now() / 86_400_000) * 20

test('twenty gate runs with other seeds are all clean', async () => {
  expect(await repeatGate(20, firstSeed)).toEqual([])
})
