/** What `acs verify` and `acs accept` share: the bundle is read, verified with the suite's own judge, printed, and exits. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { VerifyOptions } from '../reports/index.ts'
import { fileFailure } from './failure.ts'
import { writeTo } from './read-file.ts'
import type { Terminal } from './terminal.ts'

/** Exit codes of a verification. */
const codes = { accepted: 0, refused: 1, 'not-comparable': 2 } as const

export const verifyFile = async (
  file: string,
  { html, ...options }: Pick<VerifyOptions, 'publicKey' | 'nonce' | 'demands'> & { readonly html?: string | undefined },
  terminal: Terminal,
): Promise<number> => {
  const { decodeTrace, judge, reenact } = await import('../conformance/index.ts')
  const { renderVerification, renderVerificationHtml, verifyBundle } = await import('../reports/index.ts')
  const verification = await verifyBundle(readBytes(file), {
    ...options,
    rejudge: async (text, judgeOptions) => {
      const trace = decodeTrace(text)
      return { trace, judgement: judge(trace, judgeOptions) }
    },
    reenact,
    now: new Date().toISOString(),
  })
  terminal.out(renderVerification(verification, { color: terminal.outColor }))
  if (html !== undefined) writeTo(html, renderVerificationHtml(verification, basename(file)), terminal.out)
  if (verification.accepted) return codes.accepted
  return verification.status === 'not-comparable' ? codes['not-comparable'] : codes.refused
}

const readBytes = (file: string): Uint8Array => {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw fileFailure(file, cause)
  }
}
