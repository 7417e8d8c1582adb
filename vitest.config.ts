/**
 * One set-up for everything: `unit` are the tests beside their files and the house rules, `whole` is what crosses
 * folders, opens sockets or starts processes.
 */
import { defineConfig } from 'vitest/config'

const results = process.env.ACS_TEST_RESULTS

export default defineConfig({
  test: {
    reporters: results === undefined ? ['default'] : ['default', ['json', { outputFile: results }]],
    projects: [
      {
        test: {
          name: 'unit',
          // Unit tests share no state, so files may share modules: importing them anew for each file took most of the time.
          isolate: false,
          // A limit against hanging, not a measurement: the default of 5 s fails good tests on a busy machine.
          testTimeout: 60_000,
          include: ['{spec,generators,mock-server,conformance,reports,cli}/**/*.test.ts', 'test/house/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: ['test/house/**'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
