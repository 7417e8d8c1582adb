/**
 * Queries a target and writes a first profile, for `acs init`. It makes no model call. Every guess names its evidence, and
 * an unknown value is a comment to fill in.
 */
import { applyTransport } from '../../client/apply-transport.ts'
import { createClient } from '../../client/client.ts'
import { createMeter } from '../../client/meter.ts'
import type { Environment } from '../../profile/environment.ts'
import { defaultBudget, minimalProfile } from '../../profile/minimal-profile.ts'
import { secretsOf } from '../../profile/redact-profile.ts'
import type { TargetProfile, TransportProfile } from '../../profile/target-profile.ts'
import { createPseudonyms } from '../../pseudonyms/pseudonyms.ts'
import { askTarget, type TargetEvidence } from './ask-target.ts'
import { writeProfileYaml } from './write-profile-yaml.ts'

interface InitProfileOptions {
  /** `ACS_API_KEY` is needed, `ACS_SECONDARY_API_KEY` is used when set. Default: the process's. */
  readonly env?: Environment
  /** Whether `POST /v1/threads`, which is not in the contract, may be tried; it leaves a thread behind. Default false. */
  readonly createThread?: boolean
  /** How requests reach the target, references in it; the profile says the same. */
  readonly transport?: TransportProfile
  /** Longest silence of the target, milliseconds; default 10 000. */
  readonly timeoutMs?: number
}

interface InitProfileResult {
  /** The text of acs.target.yaml. */
  readonly yaml: string
  /** The findings and the remaining steps, a sentence each. */
  readonly notes: readonly string[]
}

/** Thrown when the target cannot be queried; the message says why. */
export class InitError extends Error {
  override readonly name = 'InitError'
  readonly code: 'no-key' | 'transport' | 'unreachable' | 'no-assistants'
  constructor(code: InitError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** The largest number of requests that it makes. */
const mostExchanges = 20

/** The tenants whose keys stand in the environment; throws InitError without ACS_API_KEY. */
export const initTenants = (env: Environment): TargetProfile['tenants'] => {
  const key = env.ACS_API_KEY ?? ''
  if (key === '') throw new InitError('no-key', "ACS_API_KEY is not set; export a tenant's API key and run again")
  const { ACS_SECONDARY_API_KEY: other = '' } = env
  return { primary: { key }, ...(other === '' ? {} : { secondary: { key: other } }) }
}

const refuseToGuess = (baseUrl: string, evidence: TargetEvidence): void => {
  if (evidence.unreachable !== null)
    throw new InitError(
      'unreachable',
      `${baseUrl} cannot be probed: ${evidence.unreachable}; is it running, and is the URL right?`,
    )
  if (evidence.assistants === null)
    throw new InitError(
      'no-assistants',
      `${baseUrl}/v1/assistants did not return a list of assistants: ${evidence.assistantsFault}`,
    )
}

/** Asks the target and writes the profile. Throws InitError when there is nothing to write about. */
export const initProfile = async (url: string, options: InitProfileOptions = {}): Promise<InitProfileResult> => {
  const { env = process.env, createThread = false, timeoutMs = 10_000, transport = {} } = options
  const baseUrl = url.replace(/\/+$/, '')
  const tenants = initTenants(env)
  const profile = applyTransport(minimalProfile(baseUrl, tenants), transport, env)
  if ('problem' in profile) throw new InitError('transport', profile.problem)
  await using client = createClient({
    profile: { ...profile, budget: { ...defaultBudget, timeoutMs } },
    pseudonyms: createPseudonyms({ secrets: secretsOf(profile) }),
    meter: createMeter({ maxExchanges: mostExchanges, maxModelCalls: 1 }),
    retryPolicy: { attempts: 1, firstWaitMs: 50 },
  })
  const evidence = await askTarget(client, { tenants: Object.keys(tenants), createThread })
  refuseToGuess(baseUrl, evidence)
  return writeProfileYaml(baseUrl, evidence, transport)
}
