/**
 * Configures two test projects: `unit` and `whole`.
 * `unit` are the quick tests beside their files and the house rules; `whole` crosses folders, opens sockets or starts processes.
 */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

const results = process.env.ACS_TEST_RESULTS
// Every process that a test starts compiles the same sources; with the cache only the first one does.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'node-compile')

/**
 * Node loads the sources as it does for users, by stripping types: a fifth of the processor time was spent on
 * transforming them, and on the wrapped imports of what was transformed. No test replaces a module.
 */
const native = { viteModuleRunner: false, nodeLoader: false } as const

/** Tests beside their files that take seconds, since they run whole suites or many mocks: not for `npm run check`. */
const slow = [
  'cli/bin.test.ts',
  'cli/doctor.test.ts',
  'cli/mock.test.ts',
  'cli/prove/run-trials.test.ts',
  'cli/prove/trial.test.ts',
  'cli/watch/judging-process.test.ts',
  'conformance/judge/oracles/resources/live-schema.test.ts',
  'conformance/planning/plan.test.ts',
  'conformance/pseudonyms/pseudonyms.test.ts',
  'conformance/run/judged-run.test.ts',
  'conformance/run/run.test.ts',
  'conformance/trace/ndjson/ndjson.test.ts',
  'generators/mutants/request-mutants.test.ts',
  'conformance/watch/recording-thread.test.ts',
  'conformance/watch/traffic-recording.test.ts',
  'mock-server/contract.test.ts',
  'mock-server/determinism.test.ts',
  'mock-server/deviations/deviations.test.ts',
  'mock-server/listener/listen.test.ts',
  'mock-server/listener/unread-body.test.ts',
  'mock-server/machine/files.test.ts',
  'mock-server/recording/recording.test.ts',
  'mock-server/scenario/load-scenario.test.ts',
  'mock-server/state-file/state-file.test.ts',
  'mock-server/store/state-store.test.ts',
  'reports/certificate/verify-bundle.test.ts',
  'reports/curl.test.ts',
  'reports/finding-tests/pytest.test.ts',
  'reports/formats.test.ts',
  'reports/html/text-difference.test.ts',
  'reports/markdown.test.ts',
  'spec/schemas/schemas.test.ts',
]

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: results === undefined ? ['default'] : ['default', ['json', { outputFile: results }]],
    projects: [
      {
        test: {
          name: 'unit',
          // Unit tests share no state, so files may share modules: importing them anew for each file took most of the time.
          isolate: false,
          // They hardly wait, and each worker imports most of the sources.
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 1 },
          experimental: native,
          // A limit against hanging, not a measurement: the default of 5 s fails good tests on a busy machine.
          testTimeout: 60_000,
          include: ['{spec,generators,mock-server,conformance,reports,cli}/**/*.test.ts', 'test/house/**/*.test.ts'],
          exclude: slow,
        },
      },
      {
        test: {
          name: 'whole',
          globalSetup: ['test/support/announce-samples.ts', 'test/support/unpack-chromium.ts'],
          // As above; a file that changes its process puts it back.
          isolate: false,
          // Two more than there are cores: many files wait for processes, sockets and paced streams.
          maxWorkers: availableParallelism() + 2,
          sequence: { groupOrder: 0 },
          experimental: native,
          include: ['test/**/*.test.ts', ...slow],
          exclude: ['test/house/**', '**/node_modules/**'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
