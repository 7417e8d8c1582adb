/** `acs verify BUNDLE`: recomputes every verdict and every request of a certificate from its trace, offline. */
import { Command } from 'commander'
import type { CommandFactory } from '../command-factory.ts'
import { usageFailure } from '../failure.ts'
import { seedOfNonce } from '../nonce.ts'
import { readText } from '../read-file.ts'
import { verifyFile } from '../verify-file.ts'

interface VerifyCommandOptions {
  readonly publicKey?: string
  readonly nonce?: string
  readonly require: string
  readonly html?: string
}

export const verifyCommand: CommandFactory = (terminal, finish) =>
  new Command('verify')
    .description('check a certificate offline: signature, digests, every verdict and every request from the trace')
    .argument('<bundle>', 'file that acs certify wrote')
    .option('--public-key <file>', 'public key that you trust; without it only integrity is checked')
    .option('--nonce <text>', 'the nonce that you gave to the vendor (at least 16 characters)')
    .option(
      '--require <list>',
      'genuine, or any of conformant,strict,nonce,tier=gate,max-age=30d,levels=core+streaming',
      'conformant',
    )
    .option('--html <file>', 'also write the verification as an HTML page')
    .addHelpText('after', '\nExit codes: 0 everything required is shown, 1 it is not, 2 this suite cannot compare it.')
    .action(async (file: string, { publicKey, nonce, require, html }: VerifyCommandOptions) => {
      const { DemandError, parseDemands } = await import('../../reports/index.ts')
      if (nonce !== undefined) await seedOfNonce(nonce)
      try {
        const options = {
          demands: parseDemands(require),
          ...(publicKey === undefined ? {} : { publicKey: readText(publicKey) }),
          ...(nonce === undefined ? {} : { nonce }),
        }
        finish(await verifyFile(file, { ...options, html }, terminal))
      } catch (cause) {
        throw cause instanceof DemandError ? usageFailure(`--require ${cause.message}`) : cause
      }
    })
