#!/usr/bin/env node
/** The command `acs`: hands the process over to the app and takes its exit code. */
import { main } from './app.ts'
import { processTerminal } from './terminal.ts'

// A closed pipe (`acs list requirements | head`) is the reader's right, not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

process.exitCode = await main(process.argv.slice(2), processTerminal())
