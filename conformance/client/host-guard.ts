/**
 * Decides which hosts a target may name in a URL that the suite then requests. Allowed are public hosts, and private hosts
 * only where the target itself runs or where the profile allows it. No answer can thus make the suite call services of its
 * own network.
 */
import { lookup as lookUpHost } from 'node:dns'
import { lookup as lookUpAll } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { TargetProfile } from '../profile/target-profile.ts'
import { UnsendableRequest } from './unsendable.ts'

type Reach = 'loopback' | 'link-local' | 'private'

const ranges: Readonly<Record<Reach, readonly (readonly [network: string, prefix: number])[]>> = {
  loopback: [
    ['127.0.0.0', 8],
    ['0.0.0.0', 8],
    ['::', 127],
  ],
  'link-local': [
    ['169.254.0.0', 16],
    ['fe80::', 10],
  ],
  private: [
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['100.64.0.0', 10],
    ['192.0.0.0', 24],
    ['198.18.0.0', 15],
    ['224.0.0.0', 3],
    ['fc00::', 7],
    ['ff00::', 8],
  ],
}

/** The eight groups of an IPv6 address, `null` for any other text. */
const groupsOf = (address: string): readonly number[] | null => {
  const url = `http://[${address}]`
  if (!URL.canParse(url)) return null
  const [head = '', tail] = new URL(url).hostname.slice(1, -1).split('::')
  const [left, right] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: 8 - (left?.length ?? 0) - (right?.length ?? 0) }, () => '0')
  return [...(left ?? []), ...zeros, ...(right ?? [])].map((group) => Number.parseInt(group, 16))
}

const isPrefix = (prefix: readonly number[], groups: readonly number[]): boolean =>
  prefix.every((group, index) => group === groups[index])

/** Prefixes behind which an IPv6 address holds an IPv4 address: 6to4, NAT64 and IPv4-compatible ones. */
const prefixesOfIpv4: readonly (readonly number[])[] = [[0x2002], [0x64, 0xff9b, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]]

const embeddedIpv4 = (address: string): string | null => {
  const groups = groupsOf(address)
  const prefix = groups === null ? undefined : prefixesOfIpv4.find((one) => isPrefix(one, groups))
  if (groups === null || prefix === undefined) return null
  const [high = 0, low = 0] = groups.slice(prefix.length)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const listOf = (reach: Reach): BlockList => {
  const list = new BlockList()
  for (const [network, prefix] of ranges[reach]) list.addSubnet(network, prefix, familyOf(network))
  return list
}

const lists = (['loopback', 'link-local', 'private'] as const).map((reach) => [reach, listOf(reach)] as const)

const reachOfItself = (address: string): Reach | null =>
  lists.find(([, list]) => list.check(address, familyOf(address)))?.[0] ?? null

/**
 * The kind of non-public address, or `null` for a public one. An address that stands for an IPv4 address counts as that
 * address.
 */
export const reachOf = (address: string): Reach | null => {
  const embedded = embeddedIpv4(address)
  return reachOfItself(address) ?? (embedded === null ? null : reachOfItself(embedded))
}

interface HostGuard {
  /** Throws UnsendableRequest when nothing may be sent to the host of `origin`. */
  readonly admit: (origin: string) => Promise<void>
  /** Looks a host up and refuses what `admit` refuses, so that a second answer of the name server changes nothing. */
  readonly lookup: LookupFunction
}

const hostnameOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '').toLowerCase()

const addressesOf = async (hostname: string): Promise<readonly string[]> => {
  if (isIP(hostname) !== 0) return [hostname]
  const found = await lookUpAll(hostname, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}

/** Hosts that the profile itself names. */
const trustedHosts = ({ baseUrl, uploadHosts = [], threads }: TargetProfile): ReadonlySet<string> => {
  const source = threads?.kind === 'http' && URL.canParse(threads.path) ? [hostnameOf(threads.path)] : []
  return new Set([hostnameOf(baseUrl), ...source, ...uploadHosts.map((host) => host.toLowerCase())])
}

const refusal = (hostname: string, reach: Reach): string =>
  `Nothing is sent to ${hostname}: it is a ${reach} address, and the target is elsewhere; list it under uploadHosts in the profile if it is meant.`

/** The guard of one client. */
export const createHostGuard = (profile: TargetProfile): HostGuard => {
  const trusted = trustedHosts(profile)
  let own: Promise<ReadonlySet<Reach | null>> | null = null
  const ownReaches = (): Promise<ReadonlySet<Reach | null>> => {
    own ??= addressesOf(hostnameOf(profile.baseUrl)).then((addresses) => new Set(addresses.map(reachOf)))
    return own
  }
  const refusalOf = async (hostname: string, addresses: readonly string[]): Promise<string | null> => {
    if (trusted.has(hostname)) return null
    const reaches = addresses.map(reachOf).filter((reach) => reach !== null)
    if (reaches.length === 0) return null
    const allowed = await ownReaches()
    const foreign = reaches.find((reach) => !allowed.has(reach))
    return foreign === undefined ? null : refusal(hostname, foreign)
  }
  return {
    admit: async (origin) => {
      const hostname = hostnameOf(origin)
      if (trusted.has(hostname)) return
      const refused = await refusalOf(hostname, await addressesOf(hostname))
      if (refused !== null) throw new UnsendableRequest(refused)
    },
    lookup: (hostname, options, done) => {
      lookUpHost(hostname, options, (error, found, family) => {
        if (error !== null) return done(error, found, family)
        const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address)
        refusalOf(hostname.toLowerCase(), addresses).then(
          (refused) => done(refused === null ? null : new Error(refused), found, family),
          (cause: Error) => done(cause, found, family),
        )
      })
    },
  }
}
