/** `acs mock`: the stateful mock on a port, with all that one needs for a first request. */
import { Command } from 'commander'
import type { CommandFactory } from '../app.ts'
import { integer } from '../arguments.ts'
import { bendsOf } from '../bends.ts'
import { CommandFailure, exitCodes } from '../failure.ts'
import { mockBanner } from '../mock-banner.ts'

interface MockOptions {
  readonly port: number
  readonly host: string
  readonly seed: number
  readonly deviate: readonly string[]
  readonly variant: readonly string[]
}

export const mockCommand: CommandFactory = (terminal) =>
  new Command('mock')
    .description('serve the stateful mock until Ctrl-C')
    .option('-p, --port <number>', 'port to listen on; 0 picks a free one', integer(0, 65_535), 4010)
    .option('--host <name>', 'address to listen on', '127.0.0.1')
    .option('--seed <number>', 'seed of ids, answers and jitter', integer(0, Number.MAX_SAFE_INTEGER), 1)
    .option('--deviate <id>', 'violate the contract on purpose; may be repeated', collected, [])
    .option('--variant <id>', 'differ in a legal way; may be repeated', collected, [])
    .action(async ({ port, host, seed, deviate, variant }: MockOptions) => {
      const { createMock } = await import('../../mock-server/index.ts')
      const bends = await bendsOf({ deviate, variant })
      await using mock = await createMock({ seed, bends })
      const listener = await mock.listen({ port, host }).catch((cause: unknown) => {
        throw listenFailure(host, port, cause)
      })
      terminal.out(mockBanner(listener.url, mock.scenario, terminal.outColor))
      await ended(terminal.interrupted)
      await listener.close()
    })

const collected = (id: string, ids: readonly string[]): readonly string[] => [...ids, id]

const ended = (signal: AbortSignal): Promise<void> =>
  signal.aborted ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', () => resolve()))

const listenFailure = (host: string, port: number, cause: unknown): CommandFailure => {
  const code = (cause as { readonly code?: string }).code
  const reason = code === 'EADDRINUSE' ? 'the port is taken; choose another with --port, or --port 0' : String(cause)
  return new CommandFailure(`cannot listen on ${host}:${port}: ${reason}`, { exitCode: exitCodes.unavailable, cause })
}
