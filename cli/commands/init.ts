/** `acs init <url>`: asks a target what it is and writes a first acs.target.yaml. */
import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { parseHttpUrl } from '../arguments.ts'
import type { CommandFactory } from '../command-factory.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { invalidRun, keysFirst } from '../keys-first.ts'
import { checkWritable, writeTo } from '../read-file.ts'
import { shellArgument } from '../shell-argument.ts'
import { overTransport, type TransportOptions, withTransportOptions, writtenTransport } from '../transport-options.ts'

interface InitOptions extends TransportOptions {
  readonly out: string
  readonly force?: true
  readonly createThread?: true
}

export const initCommand: CommandFactory = (terminal) =>
  withTransportOptions(
    new Command('init')
      .description('probe the target and write a first profile (keys come from ACS_API_KEY, ACS_SECONDARY_API_KEY)')
      .argument('<url>', 'base URL of the target', parseHttpUrl)
      .option('-o, --out <file>', 'file to write', 'acs.target.yaml')
      .option('--create-thread', 'try POST /v1/threads once, to see whether it creates threads')
      .option('--force', 'overwrite an existing file')
      .action(async (url: string, options: InitOptions) => {
        const { out, force, createThread } = options
        if (existsSync(out) && force !== true) {
          throw new CommandFailure(
            `${out} already exists; overwrite it with --force, or choose another file with --out`,
            {
              exitCode: exitCodes.cannotCreate,
            },
          )
        }
        if ((terminal.environment.ACS_API_KEY ?? '') === '') {
          throw new CommandFailure("ACS_API_KEY is not set; export a tenant's API key and run again", {
            exitCode: exitCodes.config,
          })
        }
        checkWritable(out)
        const { initProfile, initTenants, minimalProfile } = await import('../../conformance/index.ts')
        const bare = minimalProfile(url, initTenants(terminal.environment))
        await keysFirst(await overTransport(bare, options, terminal), terminal)
        const transport = writtenTransport(options)
        const asked = initProfile(url, { env: terminal.environment, createThread: createThread === true, transport })
        const { yaml, notes } = await asked.catch((cause: Error) => {
          throw new CommandFailure(cause.message, { exitCode: invalidRun, cause })
        })
        writeTo(out, yaml, terminal.out)
        for (const note of notes) terminal.err(`- ${note}\n`)
        terminal.err(`wrote ${out}; next: complete it, then acs doctor --target ${shellArgument(out)}\n`)
      }),
  )
