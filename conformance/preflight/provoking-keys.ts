/**
 * Finds a key that should provoke an error and that the target does not know. It is answered like an unknown key, which
 * would look like a violation of the service.
 */
import { randomInt } from 'node:crypto'
import { errorRowOf } from '../../spec/index.ts'
import type { Client } from '../client/client.ts'
import { errorCodeOf } from '../client/transient-failure.ts'
import type { Provocation, TargetProfile } from '../profile/target-profile.ts'
import { answerJson } from '../trace/bytes.ts'
import type { Exchange, HeaderLines } from '../trace/exchange.ts'
import { isHeaderNamed } from '../trace/headers.ts'

interface ProvokingKey {
  readonly code: string
  readonly key: string
  readonly headers: HeaderLines
}

/** The keys that should provoke an error of the own keys, which costs nothing to ask for. */
export function provokingKeys({ provoke }: Pick<TargetProfile, 'provoke'>): readonly ProvokingKey[] {
  return Object.entries(provoke).flatMap(([code, provocation]) => {
    const { assistant, body, thread, headers = {} } = provocation
    const isAsked = errorRowOf(code)?.operations.includes('listMyApiKeys') === true
    const key = keyOf(provocation)
    if (!isAsked || key === undefined || assistant !== undefined || body !== undefined || thread !== undefined)
      return []
    return [{ code, key, headers: Object.entries(headers).filter((line) => !isKeyLine(line)) }]
  })
}

const isKeyLine = ([name]: HeaderLines[number]): boolean => isHeaderNamed(name, 'api-key')

const keyOf = ({ key, headers = {} }: Provocation): string | undefined =>
  key ?? Object.entries(headers).find(isKeyLine)?.[1]

/** The first key that is refused like a made-up key, with the refusal. */
export async function unknownProvokingKey(
  { send }: Pick<Client, 'send'>,
  profile: TargetProfile,
): Promise<{ readonly code: string; readonly seen: string } | null> {
  for (const { code, key, headers } of provokingKeys(profile)) {
    const ask = (raw: string) =>
      send({
        method: 'GET',
        path: '/v1/tenants/my-api-keys',
        credential: { raw },
        operation: 'listMyApiKeys',
        intent: null,
        headers,
        retry: 'none',
      })
    const given = refusalOf(await ask(key))
    if (given === null || given.code === code) continue
    const madeUp = refusalOf(await ask(inTheFormOf(key)))
    if (madeUp === null || JSON.stringify(madeUp) !== JSON.stringify(given)) continue
    return { code, seen: [given.status, given.code].filter((part) => part !== null).join(' ') }
  }
  return null
}

/** The identity of a refusal; `null` for other answers, and for those that may come from a gateway. */
function refusalOf(exchange: Exchange) {
  const { response, ending } = exchange
  if (response === null || ending !== 'complete') return null
  const { status } = response
  if (status < 400 || status === 429 || status >= 500) return null
  const json: object = Object(answerJson(exchange))
  return { status, code: errorCodeOf(exchange), detail: Reflect.get(json, 'detail') ?? null }
}

/** An unknown key of the same form: letters and digits of the same kinds. */
function inTheFormOf(key: string): string {
  const drawn = (first: string, count: number): string => String.fromCharCode(first.charCodeAt(0) + randomInt(count))
  return key.replace(/[a-z0-9]/gi, (letter) => {
    if (/\d/.test(letter)) return drawn('0', 10)
    return /[a-z]/.test(letter) ? drawn('a', 26) : drawn('A', 26)
  })
}
