/** `acs board FOLDER`: a static site from certificates, each of which it verifies itself. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import type { CommandFactory } from '../command-factory.ts'
import { CommandFailure, exitCodes, fileFailure, usageFailure } from '../failure.ts'
import type { Terminal } from '../terminal.ts'

interface BoardOptions {
  readonly out: string
  readonly trust: readonly string[]
  readonly check?: true
}

export const boardCommand: CommandFactory = (terminal, finish) =>
  new Command('board')
    .description('build a static site from certificates: implementations, requirements, gaps, history, badges')
    .argument('<folder>', 'folder with .acsbundle files, searched recursively')
    .option('-o, --out <folder>', 'output folder of the site', 'site')
    .option('--trust <key-ids...>', 'accept only certificates signed with these keys, as acs keygen prints them')
    .option('--check', 'write nothing; check that the site matches the certificates')
    .addHelpText(
      'after',
      `
Verifies each bundle as acs verify does, offline; an expired one stays in the history. A bundle that is not genuine,
or not signed by a trusted key, is reported and left out. Badges are at badges/NAME.svg.

Exit codes: 0 all bundles count, 1 a bundle was left out or the site differs (--check); 64 and above wrong usage.`,
    )
    .action(async (folder: string, { out, trust = [], check }: BoardOptions) => {
      const wrong = trust.find((id) => !/^[0-9a-f]{64}$/.test(id))
      if (wrong !== undefined) throw usageFailure(`--trust ${wrong}: a key id has 64 hexadecimal digits`)
      const files = bundlesIn(folder)
      if (files.length === 0)
        throw new CommandFailure(`${folder}: contains no .acsbundle file; acs certify writes one`, {
          exitCode: exitCodes.noInput,
        })
      finish(await makeBoard(files, { out, trust, isCheck: check === true }, terminal))
    })

const bundlesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.acsbundle'))
      .sort()
      .map((name) => join(folder, name))
  } catch (cause) {
    throw fileFailure(folder, cause)
  }
}

const makeBoard = async (
  files: readonly string[],
  { out, trust, isCheck }: { readonly out: string; readonly trust: readonly string[]; readonly isCheck: boolean },
  terminal: Terminal,
): Promise<number> => {
  const { verifyBundles } = await import('../board/verify-bundles.ts')
  const { siteDifferences, writeSite } = await import('../board/site-folder.ts')
  const { boardSite, visibleLine } = await import('../../reports/index.ts')
  const verdicts = await verifyBundles(files, { now: new Date().toISOString(), trustedKeyIds: trust })
  const runs = verdicts.flatMap(({ run }) => run ?? [])
  for (const { file, problem } of verdicts)
    if (problem !== undefined) terminal.err(`${file}: left out, ${visibleLine(problem)}\n`)
  const site = boardSite(runs)
  const left = files.length - runs.length
  const counted = `${runs.length} of ${files.length} certificates count`
  if (!isCheck) {
    writeSite(out, site)
    terminal.out(`${counted}; wrote ${join(out, 'index.html')} and ${site.size - 1} more files\n`)
    return left === 0 ? 0 : 1
  }
  const differences = siteDifferences(out, site)
  for (const line of differences) terminal.out(`${join(out, line)}\n`)
  terminal.out(
    `${counted}; ${differences.length === 0 ? 'the site is up to date' : `files that differ: ${differences.length}`}\n`,
  )
  return left === 0 && differences.length === 0 ? 0 : 1
}
