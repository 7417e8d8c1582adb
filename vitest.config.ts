/** One vitest set-up for everything: unit tests beside their file, cross-folder tests under test/. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
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
