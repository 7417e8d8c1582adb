/**
 * Checks the keys, and before a run the other settings, before a command sends anything else. The answers to a wrong key
 * would be misleading evidence about the service. So one list of assistants is requested with each key, and a key that is
 * refused ends the command with a one-line message.
 */
import type { TargetProblem, TargetProfile, TenantName, Tier } from '../conformance/index.ts'
import { CommandFailure, exitCodes } from './failure.ts'
import type { Terminal } from './terminal.ts'

/** The exit code when the service cannot be judged. */
export const invalidRun = 3

interface KeysFirstOptions {
  /** The remaining budget of the caller's caps. */
  readonly maxExchanges?: number | undefined
}

/** Sends a request with every key and returns the number of requests; throws CommandFailure when a key is refused. */
export const keysFirst = async (
  profile: TargetProfile,
  { environment }: Pick<Terminal, 'environment'>,
  options: KeysFirstOptions = {},
): Promise<number> => {
  await checkKeyTexts(profile, environment)
  const { askKeys } = await import('../conformance/index.ts')
  const { problem, exchanges } = await askKeys(profile, options)
  if (problem !== null) throw new CommandFailure(told(problem, profile, environment), { exitCode: invalidRun })
  return exchanges
}

interface TargetFirstOptions extends KeysFirstOptions {
  readonly tier: Tier
}

/**
 * Checks every key and the other settings of the profile, and returns the remaining cap; throws CommandFailure for an
 * unusable one.
 */
export const targetFirst = async (
  profile: TargetProfile,
  terminal: Pick<Terminal, 'environment'>,
  options: TargetFirstOptions,
): Promise<number | undefined> => {
  const { askTarget } = await import('../conformance/index.ts')
  const { problem, maxExchanges } = await askTarget(profile, options)
  if (problem === null) return maxExchanges
  if (problem.kind === 'setting') throw await settingFailure(problem, invalidRun)
  throw new CommandFailure(told(problem, profile, terminal.environment), { exitCode: invalidRun })
}

/** Throws CommandFailure when a profile claims a level without the settings to judge it, or contradicts itself. */
export const checkClaims = async (profile: TargetProfile): Promise<void> => {
  const { contradictionsIn } = await import('../conformance/index.ts')
  const [problem] = contradictionsIn(profile)
  if (problem !== undefined) throw await settingFailure(problem, exitCodes.config)
}

type SettingProblem = Extract<TargetProblem, { readonly kind: 'setting' }>
type KeyProblem = Exclude<TargetProblem, SettingProblem>

const settingFailure = async ({ field, seen, fix }: SettingProblem, exitCode: number): Promise<CommandFailure> => {
  const { visibleLine } = await import('../reports/index.ts')
  const cause = visibleLine(seen.replace(/\.$/, ''))
  return new CommandFailure(`${field}: ${cause}, so nothing was judged; ${fix}`, { exitCode })
}

/** The problems that show without a request: keys that are too short, or the same text twice. */
export const checkKeyTexts = async (profile: TargetProfile, environment: Terminal['environment']): Promise<void> => {
  const { keyTextProblem } = await import('../conformance/index.ts')
  const problem = keyTextProblem(profile)
  if (problem !== null) throw new CommandFailure(told(problem, profile, environment), { exitCode: exitCodes.config })
}

const told = (problem: KeyProblem, profile: TargetProfile, environment: Terminal['environment']): string => {
  const names = problem.tenants.map((tenant) => nameOf(tenant, profile, environment))
  const target = new URL(profile.baseUrl).origin
  switch (problem.kind) {
    case 'unusable':
      return `${names[0]} cannot be used: ${problem.seen}; set a real key`
    case 'equal':
      return `${names.join(' and ')} contain the same key; give the tenant ${problem.tenants[1]} its own key, or leave it out`
    case 'refused':
      return `${target} rejects ${names.join(' and ')} (${problem.seen}), so nothing was judged; check the key and the URL`
    case 'elsewhere':
      return `no ACS service at ${profile.baseUrl} (${problem.seen}), so nothing was judged; ${problem.meant === undefined ? 'check the base URL and its path' : `did you mean ${problem.meant}?`}`
    case 'swapped':
      return `${names.join(' and ')} are swapped: ${problem.seen}, so nothing was judged; swap them`
    case 'other-tenant':
      return `${names[0]} does not belong to the primary tenant: ${problem.seen}, so nothing was judged; use another key of that tenant, or leave it out`
  }
}

/** The place in the profile, and the variable that holds the key when one does. */
const nameOf = (tenant: TenantName, { tenants }: TargetProfile, environment: Terminal['environment']): string => {
  const key = tenants[tenant]?.key
  const usual = tenant === 'primary' ? 'ACS_API_KEY' : `ACS_${tenant.toUpperCase()}_API_KEY`
  const holders = Object.keys(environment).filter((name) => environment[name] === key)
  const variable = holders.includes(usual) ? usual : holders[0]
  return variable === undefined ? `tenants.${tenant}.key` : `tenants.${tenant}.key (${variable})`
}
