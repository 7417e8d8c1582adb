/** Removes the secrets from a profile, for the header of a trace and for its digest. An auditor needs all other fields. */
import { digestOf } from '../../spec/index.ts'
import type { Pseudonyms } from '../pseudonyms/pseudonyms.ts'
import type { TargetProfile, TransportProfile } from './target-profile.ts'
import { proxyUrl } from './transport-problems.ts'

/** The secrets of a profile: the keys, and the values from the environment. */
export const secretsOf = (profile: TargetProfile): readonly string[] => {
  const keys = Object.values(profile.tenants).map(({ key }) => key)
  const provoking = Object.values(profile.provoke ?? {}).flatMap(({ key }) => (key === undefined ? [] : [key]))
  return [...new Set([...keys, ...provoking, ...transportSecrets(profile.transport), ...(profile.secrets ?? [])])]
}

/** Headers that look as if they held a credential. */
export const credentialHeader =
  /^(?:(?:proxy-)?authorization|cookie)$|token|secret|password|(?:^|-)(?:api|access|subscription)-?key$/i

const transportSecrets = ({
  clientKeyPassphrase,
  proxy = '',
  headers = {},
}: TransportProfile = {}): readonly string[] => {
  const passwords = [clientKeyPassphrase ?? '', decodeURIComponent(proxyUrl(proxy)?.password ?? '')]
  const credentials = Object.entries(headers).filter(([name]) => credentialHeader.test(name))
  return [...passwords, ...credentials.map(([, value]) => value)].filter((secret) => secret !== '')
}

const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, change)]))
}

const withoutSecrets = ({ secrets: _, ...profile }: TargetProfile): Omit<TargetProfile, 'secrets'> => profile

/** The profile with pseudonyms in the place of its secrets, equal to those in the exchanges. */
export const redactProfile = (profile: TargetProfile, pseudonyms: Pseudonyms): unknown => {
  const tenants = Object.entries(profile.tenants).map(([name, { key }]) => [name, { key: pseudonyms.of(key) }])
  const rest = mapTexts({ ...withoutSecrets(profile), tenants: {} }, (text) => pseudonyms.text(text))
  return { ...(rest as object), tenants: Object.fromEntries(tenants) }
}

/** SHA-256 of a profile without its secrets: the same file has the same digest in every run. */
export const profileDigest = (profile: TargetProfile): string => {
  const hide = (text: string): string =>
    secretsOf(profile).reduce((shown, secret) => (secret === '' ? shown : shown.replaceAll(secret, '<secret>')), text)
  return digestOf(mapTexts({ ...withoutSecrets(profile), tenants: Object.keys(profile.tenants) }, hide))
}
