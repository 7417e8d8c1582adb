/**
 * Finds the target of `acs test`: a profile file, a URL, or the built-in mock. The mock is the default and listens on a
 * free port.
 */
import { existsSync } from 'node:fs'
import type { TargetProfile } from '../conformance/index.ts'
import { CommandFailure, exitCodes, fileFailure, usageFailure } from './failure.ts'
import { referenceProfile } from './reference-profile.ts'
import type { Terminal } from './terminal.ts'
import { overTransport, type TransportOptions } from './transport-options.ts'

export interface Target {
  readonly profile: TargetProfile
  /** Its display text. */
  readonly label: string
  /** The mock of this process, whose keys need no check. */
  readonly isBuiltIn?: true
  readonly close: () => Promise<void>
}

interface TargetChoice {
  readonly url: string | undefined
  readonly file: string | undefined
  readonly transport?: TransportOptions
}

/** Throws CommandFailure for anything that the user can fix. */
export const openTarget = async (choice: TargetChoice, terminal: Terminal): Promise<Target> => {
  const { url, file } = choice
  if (file === '') throw usageFailure('--target is empty; name a file, or leave it out to test the built-in mock')
  if (file !== undefined) return fileTarget(file, choice, terminal)
  if (url !== undefined) return urlTarget(url, choice, terminal)
  if (existsSync(usualProfile))
    terminal.err(`Note: testing the built-in mock. To use ${usualProfile}, pass it with --target.\n`)
  return mockTarget()
}

/** The file that `acs init` writes. */
const usualProfile = 'acs.target.yaml'

const nothingToClose = (): Promise<void> => Promise.resolve()

const fileTarget = async (
  file: string,
  { url, transport = {} }: TargetChoice,
  terminal: Pick<Terminal, 'environment'>,
): Promise<Target> => {
  const profile = await overTransport(await readProfile(file, terminal.environment), transport, terminal)
  const chosen = url === undefined ? profile : { ...profile, baseUrl: url }
  return { profile: chosen, label: chosen.baseUrl, close: nothingToClose }
}

/** Reads a profile file; the failure names file, line and fix. */
export const readProfile = async (file: string, environment: Terminal['environment']): Promise<TargetProfile> => {
  const { loadProfile, ProfileError } = await import('../conformance/index.ts')
  try {
    return await loadProfile(file, { env: environment })
  } catch (cause) {
    if (cause instanceof ProfileError) {
      const [first = cause.message, ...others] = cause.lines
      throw new CommandFailure(first, { exitCode: exitCodes.config, cause, others })
    }
    throw fileFailure(file, cause)
  }
}

/** A bare URL: the key comes from the environment; demo keys are sent only to a mock of this kit on this machine. */
const urlTarget = async (
  url: string,
  { transport = {} }: TargetChoice,
  { environment, err }: Terminal,
): Promise<Target> => {
  const key = environment.ACS_API_KEY ?? ''
  const secondary = environment.ACS_SECONDARY_API_KEY ?? ''
  const reference = await overTransport(referenceProfile(url), transport, { environment })
  // An empty variable was probably meant to hold a key.
  if (key === '') {
    if (environment.ACS_API_KEY === undefined && (await isMock(reference)))
      return { profile: reference, label: url, close: nothingToClose }
    throw new CommandFailure(
      `no key for ${url}; export ACS_API_KEY, or write a profile with acs init ${url} and pass it with --target`,
      { exitCode: exitCodes.config },
    )
  }
  const claims: TargetProfile['claims'] =
    secondary === '' ? ['core', 'streaming', 'events', 'files'] : ['core', 'streaming', 'events', 'files', 'tenancy']
  err(`Without a profile, only ${claims.join(', ')} are tested; acs init ${url} writes one.\n`)
  const profile: TargetProfile = {
    ...reference,
    tenants: { primary: { key }, ...(secondary === '' ? {} : { secondary: { key: secondary } }) },
    // Threads and tools need settings that only a profile has.
    claims,
    threads: null,
    tools: null,
    files: {},
    throttle: null,
  }
  return { profile, label: url, close: nothingToClose }
}

/** Whether a mock of this kit answers on this machine; asked without a key. */
const isMock = async (profile: TargetProfile): Promise<boolean> => {
  const { createClient, createMeter, createPseudonyms, isLoopback, textOfPieces } = await import(
    '../conformance/index.ts'
  )
  if (!isLoopback(new URL(profile.baseUrl).hostname)) return false
  const meter = createMeter({ maxExchanges: 1 })
  await using client = createClient({ profile, pseudonyms: createPseudonyms({ secrets: [] }), meter })
  const path = `${new URL(profile.baseUrl).origin}/_acs`
  const question = { method: 'GET', path, credential: null, operation: null, intent: null, retry: 'none' } as const
  const { response } = await client.send({ ...question, timeoutMs: 2_000 })
  return response?.status === 200 && textOfPieces(response.pieces).includes('"GET /_acs/worlds"')
}

const mockTarget = async (): Promise<Target> => {
  const { createMock } = await import('../mock-server/index.ts')
  const mock = await createMock({})
  const listener = await mock.listen({ port: 0, host: '127.0.0.1' })
  return {
    profile: referenceProfile(listener.url),
    label: `the built-in mock on ${listener.url}`,
    isBuiltIn: true,
    close: async () => {
      await listener.close()
      await mock[Symbol.asyncDispose]()
    },
  }
}

/** `2/5` → part 2 of 5. */
export const parsePart = (option: string, text: string): { readonly index: number; readonly of: number } => {
  const [, index = '', of = ''] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const part = { index: Number(index), of: Number(of) }
  if (index === '' || part.index < 1 || part.index > part.of) {
    throw usageFailure(`${option} ${text}: use i/n with i from 1 to n, for example 2/5`)
  }
  return part
}
