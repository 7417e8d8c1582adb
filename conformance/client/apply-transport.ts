/** Overrides the transport settings of the profile with those of the command line. */
import { type Environment, resolveReferences } from '../profile/environment.ts'
import type { TargetProfile, TransportProfile } from '../profile/target-profile.ts'
import { transportProblems } from '../profile/transport-problems.ts'
import { transportFileProblem } from './transport-files.ts'

/** The profile with that transport, its references resolved and its files read, or the problem with it. */
export const applyTransport = (
  profile: TargetProfile,
  written: TransportProfile,
  env: Environment = process.env,
): TargetProfile | { readonly problem: string } => {
  const { data, secrets, problems } = resolveReferences({ transport: written }, env)
  const given = (data as { readonly transport: TransportProfile }).transport
  const [problem] = [...problems, ...transportProblems(given)]
  if (problem !== undefined) return { problem: `${problem.reason}; ${problem.fix}` }
  const transport = { ...profile.transport, ...given, headers: { ...profile.transport?.headers, ...given.headers } }
  if ((transport.clientCert === undefined) !== (transport.clientKey === undefined))
    return { problem: 'a client certificate and its key belong together; name both files' }
  const fault = transportFileProblem(transport)
  if (fault !== null) return { problem: fault }
  const isUsual = Object.keys(given).length === 0 && profile.transport === undefined
  return isUsual ? profile : { ...profile, transport, secrets: [...(profile.secrets ?? []), ...secrets] }
}
