/** The tests that judge mutants of the oracles and of the law; one project, since the mutation runner takes no more. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // The files share modules: loading them anew for every file and every mutant would take most of the time.
    isolate: false,
    include: (process.env.ACS_JUDGE_TESTS ?? 'conformance/judge/oracles/**/*.test.ts').split(' '),
    // It runs the generators, which the sandbox of a mutant does not hold whole.
    exclude: ['spec/generate/generate-spec.test.ts'],
  },
})
