/** Reads the target file of `acs mock --target`, whose secrets the mock does not need. */
import type { HookOverride, MockOptions } from '../mock-server/index.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import { readProfile } from './target.ts'

/** The value of an unset environment reference: long enough for a secret, and a URL for an address. */
const standIn = 'http://127.0.0.1'

/** The request by which a vendor's clients create a thread. */
export interface ThreadCall {
  readonly method: string
  readonly path: string
  /** With `{{assistant_id}}` where the assistant is named. */
  readonly body: unknown
}

interface Vendor {
  /** The settings of a mock. */
  readonly options: Pick<MockOptions, 'reroute' | 'document'> & { readonly deviations: readonly HookOverride[] }
  /** `null` when threads are created as in the mock itself. */
  readonly threads: ThreadCall | null
}

/** The settings for a mock that answers like the vendor of a file. */
export const vendorOf = async (
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Vendor> => {
  if (file === undefined) return { options: { deviations: [] }, threads: null }
  const answering = new Proxy(environment, { get: (known, name) => known[String(name)] ?? standIn })
  const profile = await readProfile(file, answering)
  const { vendorMock } = await import('../mock-server/index.ts')
  const { problems, ...options } = await vendorMock(profile)
  const [first, ...others] = problems.map(({ place, problem, fix }) => `${file}: ${place}: ${problem}; ${fix}`)
  if (first !== undefined) throw new CommandFailure(first, { exitCode: exitCodes.config, others })
  const { threads } = profile
  return { options, threads: threads?.kind === 'http' ? { ...threads, body: threads.body ?? {} } : null }
}
