/**
 * Plain fetch for the tests of the two servers: one request in, status, headers and parsed body out.
 * It knows the profile of a target and nothing of any server.
 */
import { strict as assert } from 'node:assert'
import type { TargetProfile, TenantName } from '../../conformance/profile/target-profile.ts'

/** A JSON object as it came over the wire. */
export type Json = Readonly<Record<string, unknown>>

/** What a test sends. */
interface Sent {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly tenant?: TenantName | null
}

/** What came back. */
interface Received {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** How many pieces the body arrived in. */
  readonly pieces: number
}

/** Whether a value is a JSON object. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as an object, or a failed test. */
export function asJson(value: unknown): Json {
  assert.ok(isJson(value), 'expected an object')
  return value
}

/** The value as an array of objects, or a failed test. */
export function asList(value: unknown): Json[] {
  assert.ok(Array.isArray(value), 'expected an array')
  return value.map(asJson)
}

async function collect(response: Response): Promise<{ text: string; pieces: number }> {
  const bytes: Uint8Array[] = []
  for await (const piece of response.body ?? []) bytes.push(piece)
  return { text: Buffer.concat(bytes).toString('utf8'), pieces: bytes.length }
}

/** Sends requests to one target. */
export class Wire {
  readonly #profile: TargetProfile

  constructor(profile: TargetProfile) {
    this.#profile = profile
  }

  /** Sends a request with the key of a tenant. */
  async send(path: string, { method = 'GET', body, headers = {}, tenant = 'primary' }: Sent = {}): Promise<Received> {
    const key = tenant === null ? undefined : this.#profile.tenants[tenant]?.key
    const response = await fetch(`${this.#profile.baseUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'api-key': key }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, ...(await collect(response)) }
  }

  /** Sends a POST. */
  post(path: string, body: unknown, sent: Sent = {}): Promise<Received> {
    return this.send(path, { ...sent, method: 'POST', body })
  }

  /** Opens a thread through the profile's thread source. */
  async openThread(assistantId: string): Promise<string> {
    const source = this.#profile.threads
    assert.ok(source?.kind === 'http', 'expected an http thread source')
    const body = JSON.parse(JSON.stringify(source.body).replace('{{assistant_id}}', assistantId))
    let value: unknown = json(await this.post(source.path, body))
    for (const segment of source.pointer.split('/').slice(1)) value = asJson(value)[segment]
    return String(value)
  }

  /** The first assistant of which the test holds. */
  async assistant(test: (record: Json) => boolean, tenant: TenantName = 'primary'): Promise<string> {
    const records = asList(JSON.parse((await this.send('/v1/assistants', { tenant })).text))
    return String(records.find(test)?.id)
  }
}

/** The body as an object. */
export function json(received: Received): Json {
  return asJson(JSON.parse(received.text))
}

/** The lines of a stream as objects. */
export function lines(received: Received): Json[] {
  return received.text.split(/\r?\n/).flatMap((line) => (line === '' ? [] : [asJson(JSON.parse(line))]))
}

/** The text fragments of a stream put together. */
export function joined(chunks: readonly Json[]): string {
  return chunks.map((chunk) => String(asJson(chunk.delta).content)).join('')
}
