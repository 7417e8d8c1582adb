/** `acs prove`: the suite against every deviation, which it must kill, and every variant, which it must stay silent on. */
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { Command, Option } from 'commander'
import { parseInteger } from '../arguments.ts'
import type { CommandFactory } from '../command-factory.ts'
import { CommandFailure, exitCodes, usageFailure } from '../failure.ts'
import type { Selection } from '../prove/mutant.ts'
import type { Proof } from '../prove/proof.ts'
import type { Trial } from '../prove/trial.ts'
import { writeTo } from '../read-file.ts'
import { parsePart } from '../target.ts'
import { signalExitCode, type Terminal } from '../terminal.ts'

interface ProveOptions {
  readonly tier: Proof['tier']
  readonly only?: string
  readonly jobs: number
  readonly seed: number
  readonly workers: number
  readonly out: string
  readonly sample?: string
}

export const proveCommand: CommandFactory = (terminal, finish) =>
  new Command('prove')
    .description('check the suite against the mock: each deviation must be detected, and no legal variant may fail')
    .addOption(new Option('--tier <tier>', 'how much to send to each').choices(['smoke', 'gate']).default('gate'))
    .option('--only <glob>', 'only deviations and variants that match by id or requirement, for example "pagination.*"')
    .option('--jobs <number>', 'worker threads', parseInteger(1, 256), availableParallelism())
    .option('--seed <number>', 'seed of the mock and of the suite', parseInteger(0, Number.MAX_SAFE_INTEGER), 1)
    .option('--workers <number>', 'probes of a trial that may run in parallel', parseInteger(1, 64), 1)
    .option('-o, --out <folder>', 'folder for proof.json and proof.html', 'acs-proof')
    .option('--sample <i/n>', 'run one part of n')
    .addHelpText('after', '\nExit codes: 0 nothing is wrong, 1 something is wrong, 64 and above wrong usage.')
    .action(async (options: ProveOptions) => finish(await proveAll(options, terminal)))

const proveAll = async (options: ProveOptions, terminal: Terminal): Promise<number> => {
  const { wrongsOf } = await import('../prove/proof-figures.ts')
  const { renderProofText } = await import('../prove/proof-text.ts')
  const { renderProofHtml } = await import('../prove/proof-html.ts')
  const { makeProof } = await import('../prove/make-proof.ts')
  const selection: Selection = {
    only: options.only,
    sample: options.sample === undefined ? undefined : parsePart('--sample', options.sample),
  }
  const { tier, seed, jobs, workers: concurrency } = options
  const onTrial = progress(terminal)
  const proof = await makeProof(selection, { tier, seed, jobs, concurrency, signal: terminal.interrupted, onTrial })
  if (terminal.interrupted.aborted) throw interruptedBy(terminal.interrupted.reason)
  if (proof.deviations.length + proof.variants.length === 0)
    throw usageFailure(
      `no deviation or variant matches ${options.only ?? options.sample}; see acs list deviations and acs list variants`,
    )
  write(options.out, proof, renderProofHtml(proof), terminal)
  terminal.out(renderProofText(proof, { color: terminal.outColor }))
  return wrongsOf(proof).length === 0 ? 0 : 1
}

/** The exit code is that of a process which the signal ended. */
const interruptedBy = (signal: NodeJS.Signals): CommandFailure =>
  new CommandFailure('interrupted, no proof was written; run acs prove again', {
    exitCode: signalExitCode(signal),
  })

const progress = (terminal: Terminal): ((trial: Trial, done: number, of: number) => void) => {
  const every = terminal.errIsTty ? 1 : 100
  return ({ id }, done, of) => {
    if (done % every !== 0 && done !== of) return
    const line = `${done} of ${of}  ${id}`
    terminal.err(terminal.errIsTty ? `\r\u001b[2K${line}${done === of ? '\n' : ''}` : `${line}\n`)
  }
}

const write = (folder: string, proof: Proof, page: string, terminal: Terminal): void => {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (cause) {
    throw new CommandFailure(`${folder}: cannot be created; choose another with --out`, {
      exitCode: exitCodes.cannotCreate,
      cause,
    })
  }
  writeTo(join(folder, 'proof.json'), `${JSON.stringify(proof, null, 2)}\n`, terminal.out)
  writeTo(join(folder, 'proof.html'), page, terminal.out)
  terminal.err(`${relative('.', join(folder, 'proof.html'))} has the details\n`)
}
