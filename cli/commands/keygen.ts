/** `acs keygen`: a pair of Ed25519 keys for certificates. */
import { existsSync, writeFileSync } from 'node:fs'
import { Command } from 'commander'
import type { CommandFactory } from '../command-factory.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { orFailure } from '../output-path.ts'

export const keygenCommand: CommandFactory = (terminal) =>
  new Command('keygen')
    .description('create an Ed25519 key pair for certificates')
    .option('-o, --out <name>', 'writes <name>.key (private, mode 600) and <name>.pub', 'acs-signing')
    .action(async ({ out }: { readonly out: string }) => {
      const files = { private: `${out}.key`, public: `${out}.pub` }
      const there = Object.values(files).find((file) => existsSync(file))
      if (there !== undefined) {
        throw new CommandFailure(
          `${there} already exists; keys are never overwritten, choose another name with --out`,
          {
            exitCode: exitCodes.cannotCreate,
          },
        )
      }
      const { generateSigningKeys } = await import('../../reports/index.ts')
      const { privateKey, publicKey, keyId } = generateSigningKeys()
      orFailure(files.private, () => writeFileSync(files.private, privateKey, { mode: 0o600 }))
      orFailure(files.public, () => writeFileSync(files.public, publicKey))
      terminal.out(`${files.private}  keep it secret\n${files.public}  publish it\nkey id ${keyId}\n`)
    })
