/** `acs certify`: runs the gate tier and signs what it showed, as a bundle that anybody can judge again. */
import { rmSync } from 'node:fs'
import { Command } from 'commander'
import { parseInteger } from '../arguments.ts'
import type { CommandFactory } from '../command-factory.ts'
import { CommandFailure, exitCodes, usageFailure } from '../failure.ts'
import { checkClaims, checkKeyTexts, targetFirst } from '../keys-first.ts'
import { seedOfNonce } from '../nonce.ts'
import { checkWritable, parseFile, writeTo } from '../read-file.ts'
import { recordRun } from '../record-run.ts'
import { openTarget } from '../target.ts'
import type { Terminal } from '../terminal.ts'
import { type TransportOptions, withTransportOptions } from '../transport-options.ts'
import { screenOf } from '../write-report.ts'
import { exitCodeHelp, strictHelp } from './judge.ts'

interface CertifyOptions extends TransportOptions {
  readonly target: string
  readonly key: string
  readonly out: string
  readonly nonce?: string
  readonly days: number
  readonly strict?: true
  readonly product?: string
  readonly productVersion?: string
}

export const certifyCommand: CommandFactory = (terminal, finish) =>
  withTransportOptions(
    new Command('certify')
      .description('run the gate tier against a target and write a signed evidence bundle')
      .requiredOption('-t, --target <file>', 'target profile')
      .requiredOption('-k, --key <file>', 'private key; acs keygen creates one')
      .option('-o, --out <file>', 'bundle to write', 'certificate.acsbundle')
      .option('--nonce <text>', "the verifier's nonce of at least 16 characters, which seeds the run")
      .option('--days <number>', 'how long the certificate is valid', parseInteger(1, 3650), 180)
      .option('--strict', strictHelp)
      .option('--product <name>', 'name of the certified product')
      .option('--product-version <version>', 'its version')
      .addHelpText('after', exitCodeHelp)
      .action(async (options: CertifyOptions) => {
        const seed = await seedOf(options.nonce)
        const privateKey = await usableKey(options.key)
        checkWritable(options.out)
        if (options.productVersion !== undefined && options.product === undefined)
          throw usageFailure('--product-version needs --product')
        const target = await openTarget({ url: undefined, file: options.target, transport: options }, terminal)
        try {
          finish(await certify(target, privateKey, { ...options, seed }, terminal))
        } finally {
          await target.close()
        }
      }),
  )

const seedOf = async (nonce: string | undefined): Promise<number> =>
  nonce === undefined ? Math.floor(Math.random() * 0x7fffffff) : seedOfNonce(nonce)

/** The key is read and tried before the run is paid for. */
const usableKey = async (file: string): Promise<string> => {
  const { readPrivateKey } = await import('../../reports/index.ts')
  return parseFile(file, (text) => {
    readPrivateKey(text)
    return text
  })
}

const certify = async (
  { profile }: Awaited<ReturnType<typeof openTarget>>,
  privateKey: string,
  { out, nonce, days, strict, product, productVersion, seed }: CertifyOptions & { readonly seed: number },
  terminal: Terminal,
): Promise<number> => {
  await checkKeyTexts(profile, terminal.environment)
  await checkClaims(profile)
  const maxExchanges = await targetFirst(profile, terminal, { tier: 'gate' })
  const { encodeTrace, judge } = await import('../../conformance/index.ts')
  const reports = await import('../../reports/index.ts')
  const traceName = `${out}.trace.ndjson`
  const { openTraceFile } = await import('../trace-file.ts')
  const runOptions = { tier: 'gate', seed, maxExchanges, signal: terminal.interrupted } as const
  const trace = await recordRun(profile, runOptions, openTraceFile(traceName, terminal.err), terminal)
  const judgement = judge(trace, { strict: strict === true })
  const report = reports.createReport(trace, judgement, { strict: strict === true, tier: 'gate' })
  const input = {
    trace,
    traceText: encodeTrace(trace),
    report,
    privateKey,
    ...(nonce === undefined ? {} : { nonce }),
    issuedAt: new Date().toISOString(),
    validDays: days,
    ...(product === undefined ? {} : { product: { name: product, version: productVersion ?? null } }),
  }
  try {
    writeTo(out, reports.packBundle(reports.createBundle(input)), terminal.out)
  } catch (cause) {
    if (cause instanceof CommandFailure) throw cause
    terminal.out(reports.renderText(report, screenOf(terminal)))
    throw new CommandFailure(`no certificate: ${(cause as Error).message}; the trace is in ${traceName}`, {
      exitCode: exitCodes.data,
      cause,
    })
  }
  rmSync(traceName, { force: true })
  terminal.out(reports.renderText(report, screenOf(terminal)))
  terminal.err(`wrote ${out}; anyone can check it: acs verify ${out}\n`)
  return report.run.exitCode
}
