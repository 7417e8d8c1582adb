/** The type of a subcommand's maker; it stands below the app and the commands, which both use it. */
import type { Command } from 'commander'
import type { Terminal } from './terminal.ts'

/** Makes a subcommand; the command reports its exit code through `finish`. */
export type CommandFactory = (terminal: Terminal, finish: (exitCode: number) => void) => Command
