/**
 * Draws strings of the formats of JSON Schema 2020-12, in several variants each.
 * A pattern next to the format then selects variants instead of filtering one value in ten thousand.
 */
import fc from 'fast-check'

const letters = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz')
const hex = fc.constantFrom(...'0123456789abcdef')
const label = fc.array(letters, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''))
const hostname = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.'))
const email = fc.tuple(label, hostname).map(([user, host]) => `${user}@${host}.example`)
const path = fc.array(label, { maxLength: 3 }).map((labels) => labels.map((one) => `/${one}`).join(''))
const uri = fc.tuple(fc.constantFrom('https', 'http', 'ftp'), hostname, path).map(([s, h, p]) => `${s}://${h}${p}`)
const pointer = fc
  .array(fc.oneof(label, fc.constantFrom('~0', '~1', '')), { maxLength: 3 })
  .map((parts) => parts.map((part) => `/${part}`).join(''))
const ipv4 = fc.array(fc.nat(255), { minLength: 4, maxLength: 4 }).map((parts) => parts.join('.'))
const ipv6 = fc
  .array(fc.nat(0xffff), { minLength: 8, maxLength: 8 })
  .map((parts) => parts.map((part) => part.toString(16)).join(':'))

const date = fc
  .tuple(fc.integer({ min: 1970, max: 2099 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 31 }))
  .map(([year, month, day]) => `${year}-${two(month)}-${two(Math.min(day, daysIn(year, month)))}`)
const clock = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59))
  .map(([hour, minute, second]) => `${two(hour)}:${two(minute)}:${two(second)}`)
const zones = [fc.constant('Z'), fc.constantFrom('+00:00', '-05:30', '+14:00')]
const fractions = [0, 6, 3, 1, 9].map((size) =>
  size === 0
    ? fc.constant('')
    : fc.array(fc.constantFrom(...'0123456789'), { minLength: size, maxLength: size }).map((all) => `.${all.join('')}`),
)
const times = zones.flatMap((zone) =>
  fractions.map((fraction) => fc.tuple(clock, fraction, zone).map((parts) => parts.join(''))),
)

const uuids = ['4', '7', '1'].map((version) =>
  fc
    .tuple(hexes(8), hexes(4), hexes(3), fc.constantFrom('8', '9', 'a', 'b'), hexes(3), hexes(12))
    .map(([a, b, c, variant, d, e]) => `${a}-${b}-${version}${c}-${variant}${d}-${e}`),
)
const rareUuids = fc.constantFrom('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff')

const duration = fc
  .tuple(fc.nat(9), fc.nat(11), fc.nat(59), fc.boolean())
  .map(([years, months, seconds, weeks]) => (weeks ? `P${months}W` : `P${years}Y${months}M1DT${seconds}S`))

const variants: Readonly<Record<string, readonly fc.Arbitrary<string>[]>> = {
  uuid: [...uuids, rareUuids],
  'date-time': times.map((time) => fc.tuple(date, time).map((parts) => parts.join('T'))),
  'iso-date-time': times.map((time) => fc.tuple(date, time).map((parts) => parts.join('T'))),
  date: [date],
  time: times,
  'iso-time': times,
  duration: [duration],
  email: [email],
  'idn-email': [email],
  hostname: [hostname],
  'idn-hostname': [hostname],
  ipv4: [ipv4],
  ipv6: [ipv6, fc.constantFrom('::1', '::', '2001:db8::1')],
  uri: [uri],
  url: [uri],
  iri: [uri],
  'uri-reference': [uri, path],
  'iri-reference': [uri, path],
  'uri-template': [fc.tuple(uri, label).map(([base, name]) => `${base}/{${name}}`), uri],
  'json-pointer': [pointer],
  'json-pointer-uri-fragment': [pointer.map((text) => `#${text}`)],
  'relative-json-pointer': [fc.tuple(fc.nat(5), pointer).map(([up, down]) => `${up}${down}`)],
  regex: [label.map((text) => `^${text}[0-9]+$`), fc.constantFrom('', '.*', '^$', 'a|b', '[^a-z]{2,}')],
  byte: [fc.base64String({ maxLength: 24 })],
}

/** Formats that any string satisfies. */
const free = new Set(['password', 'binary', 'float', 'double', 'int32', 'int64'])

/** The variants of a format; an empty list if any string satisfies it, `null` if it is unknown. */
export function formatVariants(format: string): readonly fc.Arbitrary<string>[] | null {
  if (free.has(format)) return []
  return Object.hasOwn(variants, format) ? (variants[format] ?? null) : null
}

function hexes(length: number): fc.Arbitrary<string> {
  return fc.array(hex, { minLength: length, maxLength: length }).map((parts) => parts.join(''))
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}
