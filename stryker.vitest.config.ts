/** The tests that judge mutants of the oracles and of the law; one project, since the mutation runner takes no more. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['conformance/oracles/**/*.test.ts', 'spec/**/*.test.ts'],
    // It runs the generators, which the sandbox of a mutant does not hold whole.
    exclude: ['spec/generate/generate-spec.test.ts'],
  },
})
