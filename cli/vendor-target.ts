/** Reads the target file of `acs mock --target`, whose secrets the mock does not need. */
import type { HookOverride, MockOptions } from '../mock-server/index.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { readProfile } from './target.ts'

/** What a reference to the environment gives where nothing is set: long enough to be a secret, and a URL for an address. */
const standIn = 'http://127.0.0.1'

/** How a mock has to be made to answer as the vendor of a file does. */
export const vendorOptions = async (
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Pick<MockOptions, 'reroute'> & { readonly deviations: readonly HookOverride[] }> => {
  if (file === undefined) return { deviations: [] }
  const answering = new Proxy(environment, { get: (known, name) => known[String(name)] ?? standIn })
  const profile = await readProfile(file, answering)
  const { vendorMock } = await import('../mock-server/index.ts')
  const { problems, ...options } = await vendorMock(profile)
  const [first, ...others] = problems.map(({ place, problem, fix }) => `${file}: ${place}: ${problem}; ${fix}`)
  if (first === undefined) return options
  throw new CommandFailure(first, { exitCode: exitCodes.config, others })
}
