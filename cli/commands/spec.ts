/** `acs spec`: prints the OpenAPI document, as the contract has it or with the assumptions merged in. */
import { existsSync } from 'node:fs'
import { Command, Option } from 'commander'
import type { CommandFactory } from '../command-factory.ts'
import { CommandFailure, exitCodes } from '../failure.ts'

interface SpecOptions {
  readonly profile: string
  readonly openapi: '3.0' | '3.1' | '3.2'
  readonly format: 'yaml' | 'json'
}

export const specCommand: CommandFactory = (terminal) =>
  new Command('spec')
    .description('print the OpenAPI document, merged and bundled, for code generators and other tools')
    .option('--profile <name>', 'contract, reference, or an OpenAPI Overlay file', 'contract')
    .addOption(new Option('--openapi <version>', 'OpenAPI version').choices(['3.0', '3.1', '3.2']).default('3.1'))
    .addOption(new Option('--format <format>', 'output format').choices(['yaml', 'json']).default('yaml'))
    .action(async ({ profile, openapi, format }: SpecOptions) => {
      const { loadDocument, renderDocument } = await import('../../spec/index.ts')
      const named = profile === 'contract' || profile === 'reference' ? profile : { overlayFile: profile }
      try {
        terminal.out(renderDocument(await loadDocument({ profile: named, openapi, clients: {} }), format))
      } catch (cause) {
        const { message } = cause as Error
        if (typeof named !== 'string' && !existsSync(named.overlayFile))
          throw new CommandFailure(
            `--profile ${profile}: no such file; use contract, reference or the path of an OpenAPI Overlay file`,
            { exitCode: exitCodes.noInput, cause },
          )
        throw new CommandFailure(message, { exitCode: exitCodes.data, cause })
      }
    })
