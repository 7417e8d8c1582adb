/**
 * Derives a profile from recorded traffic, when none is given. It takes the target's address and the keys from the
 * requests, and claims the levels of the operations that were called, so that only these are judged.
 */
import { type ConformanceLevel, conformanceLevels, type Operation, operations } from '../../spec/index.ts'
import { minimalProfile } from './minimal-profile.ts'
import { type TargetProfile, type TenantName, tenantNames } from './target-profile.ts'

export interface ObservedRequest {
  readonly method: string
  readonly url: string
  /** The value of the `api-key` header, a pseudonym or the key itself. */
  readonly key: string | null
  /** Whether the answer has the status of a success. */
  readonly succeeded: boolean
}

const routes = Object.values<Operation>(operations).flatMap(({ method, path, levels }) =>
  path === null ? [] : [{ method, levels, path: new RegExp(`${path.replace(/\{[^}]+\}/g, '[^/]+')}$`) }],
)

const levelsOf = ({ method, url }: ObservedRequest): readonly ConformanceLevel[] => {
  const path = url.replace(/[?#].*$/s, '')
  return routes.find((route) => route.method === method && route.path.test(path))?.levels ?? []
}

const baseUrlOf = (requests: readonly ObservedRequest[]): string => {
  const bases = requests.flatMap(({ url }) => /^(https?:\/\/.*?)\/v1(?:\/|$)/.exec(url)?.[1] ?? [])
  return bases[0] ?? new URL(requests[0]?.url ?? 'http://unknown.invalid').origin
}

/** Whether a status is that of a success. */
export const isSuccess = (status = 0): boolean => status >= 200 && status < 300

/** Two keys of recorded traffic may belong to one tenant, so only one of them gets a name. */
const tenantsOf = (requests: readonly ObservedRequest[]): TargetProfile['tenants'] => {
  const good = requests.find(({ key, succeeded }) => succeeded && key !== null && key !== '')
  return { primary: { key: good?.key ?? '' } }
}

/** The first key that the service accepted is called `primary`; `baseUrl` defaults to the part before `/v1`. */
export const observedProfile = (requests: readonly ObservedRequest[], baseUrl = baseUrlOf(requests)): TargetProfile => {
  const seen = new Set(requests.flatMap(levelsOf))
  return {
    ...minimalProfile(baseUrl, tenantsOf(requests)),
    claims: conformanceLevels.filter((level) => seen.has(level)),
  }
}

/** The profile's name of a key, or `null` for none or another one. */
export const tenantOfKey = (profile: TargetProfile, key: string | null | undefined): TenantName | null =>
  tenantNames.find((name) => typeof key === 'string' && key !== '' && profile.tenants[name]?.key === key) ?? null
