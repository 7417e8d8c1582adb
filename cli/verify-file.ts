/**
 * The common part of `acs verify` and `acs accept`. It verifies a bundle and prints the result, and the status becomes the
 * exit code.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { VerifyOptions } from '../reports/index.ts'
import { fileFailure } from './failure.ts'
import { writeTo } from './read-file.ts'
import type { Terminal } from './terminal.ts'
import { verifyBySuite } from './verify-by-suite.ts'

/** Exit codes of a verification. */
const codes = { accepted: 0, refused: 1, 'not-comparable': 2 } as const

interface VerifyFileOptions extends Pick<VerifyOptions, 'publicKey' | 'nonce' | 'demands'> {
  readonly html?: string | undefined
  /** Whether a buyer's policy decides, and not the demands of a command line. */
  readonly isByPolicy?: boolean
}

export const verifyFile = async (
  file: string,
  { html, isByPolicy = false, ...options }: VerifyFileOptions,
  terminal: Terminal,
): Promise<number> => {
  const { renderVerification, renderVerificationHtml } = await import('../reports/index.ts')
  const verification = await verifyBySuite(readBytes(file), { ...options, now: new Date().toISOString() })
  terminal.out(renderVerification(verification, { color: terminal.outColor, isByPolicy }))
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
