/** The mock's part of `acs-kit/vitest`: a test function with a world for each test. */
import { test } from 'vitest'
import type { Mock } from '../mock.ts'
import type { WorldOptions } from '../worlds/mock-options.ts'
import type { WorldHandle } from '../worlds/world-handle.ts'
import { answerFetch } from './answer-fetch.ts'

export interface AcsTestOptions {
  /** Requests of the code under test to this origin by the global fetch are answered by the test's world. */
  readonly origin?: string
  /** Of every world, for example its clock. */
  readonly world?: Omit<WorldOptions, 'name'>
}

/**
 * `test` with the fixture `acs`: a fresh world with its threads, files, clock, faults and journal, gone after the test.
 * With an `origin` there is one global fetch, so tests that run at the same time need `acs.fetch` instead.
 */
export const acsTest = (mock: Mock | Promise<Mock>, { origin, world: chosen }: AcsTestOptions = {}) =>
  test.extend<{ acs: WorldHandle }>({
    acs: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the pattern
      async ({}, use) => {
        const world = (await mock).world(chosen)
        const giveBack = origin === undefined ? () => {} : answerFetch(origin, world)
        await use(world)
        giveBack()
        world.destroy()
      },
      { auto: true },
    ],
  })
