/** `acs verify BUNDLE`: recomputes every verdict of a certificate from its trace, offline. */
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import type { CommandFactory } from '../app.ts'
import { fileFailure } from '../failure.ts'
import { readText } from '../read-file.ts'

interface VerifyCommandOptions {
  readonly publicKey?: string
  readonly nonce?: string
}

export const verifyCommand: CommandFactory = (terminal, finish) =>
  new Command('verify')
    .description(
      'check a certificate offline: signature, digests, and every verdict from the trace; exits 1 when it fails',
    )
    .argument('<bundle>', 'file that acs certify wrote')
    .option('--public-key <file>', 'key that you trust; without it only integrity is shown')
    .option('--nonce <text>', 'the challenge that you gave')
    .action(async (file: string, { publicKey, nonce }: VerifyCommandOptions) => {
      const { decodeTrace, judge } = await import('../../conformance/index.ts')
      const { renderVerification, verifyBundle } = await import('../../reports/index.ts')
      const verification = await verifyBundle(readBytes(file), {
        rejudge: async (text, options) => {
          const trace = decodeTrace(text)
          return { trace, judgement: judge(trace, options) }
        },
        now: new Date().toISOString(),
        ...(publicKey === undefined ? {} : { publicKey: readText(publicKey) }),
        ...(nonce === undefined ? {} : { nonce }),
      })
      terminal.out(renderVerification(verification, { color: terminal.outColor }))
      finish(verification.valid ? 0 : 1)
    })

const readBytes = (file: string): Uint8Array => {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw fileFailure(file, cause)
  }
}
