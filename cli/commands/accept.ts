/** `acs accept BUNDLE --policy FILE`: holds a certificate against a buyer's policy; anything unclear is a no. */
import { Command } from 'commander'
import type { CommandFactory } from '../command-factory.ts'
import { usageFailure } from '../failure.ts'
import { seedOfNonce } from '../nonce.ts'
import { parseFile } from '../read-file.ts'
import { verifyFile } from '../verify-file.ts'

interface AcceptOptions {
  readonly policy: string
  readonly nonce?: string
}

export const acceptCommand: CommandFactory = (terminal, finish) =>
  new Command('accept')
    .description("accept or reject a vendor's certificate by a policy file, offline")
    .argument('<bundle>', 'file that acs certify wrote')
    .requiredOption('-p, --policy <file>', 'policy in YAML or JSON (acs-policy/1)')
    .option('--nonce <text>', 'the nonce that you gave to the vendor (at least 16 characters)')
    .addHelpText(
      'after',
      '\nExit codes: 0 accepted, 1 rejected, 2 this suite cannot compare it, 65 the policy file is invalid.',
    )
    .action(async (file: string, { policy, nonce }: AcceptOptions) => {
      if (nonce !== undefined) await seedOfNonce(nonce)
      const { parsePolicy } = await import('../../reports/index.ts')
      const demands = parseFile(policy, parsePolicy)
      if (demands.nonce === true && nonce === undefined)
        throw usageFailure(`${policy} requires a nonce; pass yours with --nonce`)
      finish(await verifyFile(file, { demands, isByPolicy: true, ...(nonce === undefined ? {} : { nonce }) }, terminal))
    })
