/**
 * Builds the `acs` app from the table of commands. It is the one place where failures become a line and an exit code.
 * Commands load what they need only when they run, so that `acs --help` stays quick.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { version } from '../spec/index.ts'
import type { CommandFactory } from './command-factory.ts'
import { acceptCommand } from './commands/accept.ts'
import { baselineCommand } from './commands/baseline.ts'
import { boardCommand } from './commands/board.ts'
import { certifyCommand } from './commands/certify.ts'
import { compareCommand } from './commands/compare.ts'
import { doctorCommand } from './commands/doctor.ts'
import { explainCommand } from './commands/explain.ts'
import { initCommand } from './commands/init.ts'
import { judgeCommand } from './commands/judge.ts'
import { keygenCommand } from './commands/keygen.ts'
import { listCommand } from './commands/list.ts'
import { matrixCommand } from './commands/matrix.ts'
import { mergeCommand } from './commands/merge.ts'
import { mockCommand } from './commands/mock.ts'
import { proveCommand } from './commands/prove.ts'
import { replayCommand } from './commands/replay.ts'
import { reportCommand } from './commands/report.ts'
import { specCommand } from './commands/spec.ts'
import { testCommand } from './commands/test.ts'
import { verifyCommand } from './commands/verify.ts'
import { watchCommand } from './commands/watch.ts'
import { CommandFailure, exitCodes, usageFailure } from './failure.ts'
import type { Terminal } from './terminal.ts'

/** The commands by purpose; help shows them in this order. */
const groups: Readonly<Record<string, readonly CommandFactory[]>> = {
  'Test your service (implementers):': [
    initCommand,
    doctorCommand,
    testCommand,
    replayCommand,
    watchCommand,
    judgeCommand,
    mergeCommand,
    baselineCommand,
  ],
  'Build against the mock (frontend):': [mockCommand, specCommand],
  'Report and certify (vendors and their customers):': [
    reportCommand,
    compareCommand,
    matrixCommand,
    keygenCommand,
    certifyCommand,
    verifyCommand,
    acceptCommand,
    boardCommand,
  ],
  'Look up:': [explainCommand, listCommand, proveCommand],
}

const examples = `
Examples:
  acs mock                                       the mock on http://127.0.0.1:4010
  acs test localhost:4010                        test a service; without URL, the built-in mock
  acs init https://staging.example.com           write a profile, then: acs doctor --target acs.target.yaml
  acs report acs-report/report.json --format md  print a report in another format
  acs verify certificate.acsbundle               check a vendor's certificate

acs help COMMAND lists the options. Documentation: ${docsFolder()}`

/** The documentation that came with this version. */
function docsFolder(): string {
  const beside = [join(import.meta.dirname, '..', 'docs'), join(import.meta.dirname, '..', '..', 'docs')]
  return beside.find((folder) => existsSync(folder)) ?? 'https://www.npmjs.com/package/acs-kit'
}

/** A width of help that no screen exceeds. */
const plainColumns = 80

/** Runs one command line and returns its exit code; never throws. */
export const main = async (argv: readonly string[], terminal: Terminal): Promise<number> => {
  let exitCode = 0
  const program = programOf(terminal, (code) => {
    exitCode = code
  })
  try {
    checkHelp(argv, program)
    const [first = ''] = argv
    // The parser would print the whole help for `--help` behind a command that there is not, as if all were well.
    const isUnknown = !first.startsWith('-') && first !== '' && first !== 'help' && !isCommand(first, program)
    await program.parseAsync(isUnknown ? [first] : [...argv], { from: 'user' })
    return exitCode
  } catch (error) {
    return explainFailure(error, terminal)
  }
}

const programOf = (terminal: Terminal, finish: (exitCode: number) => void): Command => {
  const program = new Command('acs')
    .description('The contract, the stateful mock and the conformance suite of the Assistant Conversation Service.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addHelpText('after', examples)
  for (const [heading, commands] of Object.entries(groups)) {
    program.commandsGroup(heading)
    for (const create of commands) program.addCommand(create(terminal, finish))
  }
  program.hook('preAction', (_, command) => {
    if (command.opts().out === '') throw usageFailure('--out is empty; give a path, or leave it out')
  })
  program.helpCommand('help [command]', 'print the help of a command')
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .showSuggestionAfterError(true)
      .configureOutput({
        writeOut: terminal.out,
        writeErr: terminal.err,
        outputError: (text, write) => write(oneLine(text, command)),
        getOutHasColors: () => terminal.outColor,
        getErrHasColors: () => terminal.errColor,
        getOutHelpWidth: () => terminal.outColumns ?? plainColumns,
        getErrHelpWidth: () => terminal.errColumns ?? plainColumns,
      })
  }
  return program
}

/** The parser answers `help` of a command that there is not with the whole help, as if the name had not been given. */
const checkHelp = ([first, name]: readonly string[], program: Command): void => {
  if (first !== 'help' || name === undefined || name === 'help' || name.startsWith('-')) return
  if (!isCommand(name, program)) throw usageFailure(`unknown command '${name}'; see acs --help`)
}

const isCommand = (name: string, { commands }: Command): boolean => commands.some((command) => command.name() === name)

const oneLine = (text: string, command: Command): string => {
  const said = text
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '')
    // The parser's own messages are about its classes and end without advice.
    .replace(/^command-argument value ('.*') is invalid for argument '(.+?)'/, '$1 is not a valid $2')
    .replace('Allowed choices are ', 'Use ')
  const name = command.parent === null ? 'acs' : `acs ${command.name()}`
  return `${name}: ${said}; see ${name} --help\n`
}

const explainFailure = (error: unknown, terminal: Terminal): number => {
  if (error instanceof CommanderError) {
    // Help and version end the parse as "errors" with exit code 0; help for a missing command counts as wrong usage.
    return error.exitCode === 0 ? 0 : exitCodes.usage
  }
  if (error instanceof CommandFailure) {
    // A parser's message may quote the file, line ends included.
    for (const line of [error.message, ...error.others]) {
      terminal.err(`acs: ${line.trim().replace(/\s*\n\s*/g, ' ')}\n`)
    }
    return error.exitCode
  }
  const problem = error instanceof Error ? error : new Error(String(error))
  const trace = terminal.environment.ACS_DEBUG === undefined ? '' : `\n${problem.stack ?? ''}`
  terminal.err(`acs: ${problem.message} (a bug in acs itself; ACS_DEBUG=1 shows where)${trace}\n`)
  return exitCodes.software
}
