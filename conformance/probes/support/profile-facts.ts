/** What several chapters ask of a profile before their probes play or say what they cost. */
import type { TargetProfile } from '../../profile/target-profile.ts'

/** Whether there is a second tenant from which the first is separated. */
export const hasSecondTenant = ({ claims, tenants }: TargetProfile): boolean =>
  claims.includes('tenancy') && tenants.secondary !== undefined

/** Whether every tenant gets threads; of threads that exist, the throttled one rarely has any. */
export const makesThreads = ({ claims, threads }: TargetProfile): boolean =>
  claims.includes('threads') && threads !== null && threads.kind !== 'static'
