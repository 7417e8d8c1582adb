/** Verifies the bytes of a bundle offline, with the suite's own judge and re-enactment. */
import type { VerifyOptions } from '../reports/index.ts'

/** The verification; it includes all problems of the bundle. */
export const verifyBySuite = async (bytes: Uint8Array, options: Omit<VerifyOptions, 'rejudge' | 'reenact'>) => {
  const { decodeTrace, judge, reenact } = await import('../conformance/index.ts')
  const { verifyBundle } = await import('../reports/index.ts')
  return verifyBundle(bytes, {
    ...options,
    rejudge: async (text, judgeOptions) => {
      const trace = decodeTrace(text)
      return { trace, judgement: judge(trace, judgeOptions) }
    },
    reenact,
  })
}
