#!/usr/bin/env node
/** The command `acs`: hands the process over to the app and takes its exit code. */
import { main } from './app.ts'
import { processTerminal } from './terminal.ts'

// A reader may close its pipe (`acs judge trace.ndjson | head`): the command goes on, and its exit code stays true.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

process.exitCode = await main(process.argv.slice(2), processTerminal())
