#!/usr/bin/env node
/** The command `acs`: starts the app and returns its exit code. */
import { main } from './app.ts'
import { processTerminal } from './terminal.ts'

// A reader may close its pipe (`acs judge trace.ndjson | head`, EPIPE), and a user the terminal (EIO): the command
// continues, and its exit code stays correct.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
  })

process.exitCode = await main(process.argv.slice(2), processTerminal())
