/** Serves a mock with a state directory, for fuzzers that kill it: `node state-server.ts DIRECTORY [--sync]`. */
import { createMock } from '../../mock-server/index.ts'

const [, , stateDir = '', sync] = process.argv
// Whoever started it is gone: nobody is left to kill it.
process.stdin.resume().once('end', () => process.exit())
const mock = await createMock({ stateDir, stateSync: sync === '--sync' })
const { url } = await mock.listen()
process.stdout.write(`${url}\n`)
