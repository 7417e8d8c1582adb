/** Lists all fuzzers of the soak. */
import { fileFuzzers } from './file-fuzzers.ts'
import type { Fuzzer } from './fuzzer.ts'
import { lossFuzzers } from './loss-fuzzers.ts'
import { mockFuzzers } from './mock-fuzzers.ts'
import { stateFuzzers } from './state-fuzzers.ts'
import { targetFuzzers } from './target-fuzzers.ts'

export const fuzzers: readonly Fuzzer[] = [
  ...mockFuzzers,
  ...stateFuzzers,
  ...lossFuzzers,
  ...targetFuzzers,
  ...fileFuzzers,
]
