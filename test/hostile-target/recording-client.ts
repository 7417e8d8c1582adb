/** Creates a client with one tenant and short limits that keeps what it recorded. */
import { type Client, createClient } from '../../conformance/client/client.ts'
import { createMeter, type MeterOptions } from '../../conformance/client/meter.ts'
import type { ClientOptions } from '../../conformance/client/send-request.ts'
import type { Budget, TargetProfile } from '../../conformance/profile/target-profile.ts'
import { createPseudonyms, type Pseudonyms } from '../../conformance/pseudonyms/pseudonyms.ts'
import type { Exchange } from '../../conformance/trace/exchange.ts'

/** A profile with one tenant and short limits. */
export const profileFor = (baseUrl: string, budget: Partial<Budget> = {}): TargetProfile => ({
  baseUrl,
  tenants: { primary: { key: 'key-of-primary-1' } },
  claims: ['core'],
  threads: null,
  runBody: {},
  assistants: {},
  tools: null,
  throttle: null,
  provoke: {},
  declares: {},
  budget: { timeoutMs: 2_000, maxBodyBytes: 1_000_000, ...budget },
})

interface RecordingClientOptions extends Partial<Omit<ClientOptions, 'meter'>> {
  readonly meter?: MeterOptions
  readonly budget?: Partial<Budget>
}

/** A client that remembers every exchange and hardly waits before it tries again. */
export const recordingClient = (
  baseUrl: string,
  { meter, budget, ...options }: RecordingClientOptions = {},
): { client: Client; seen: Exchange[]; pseudonyms: Pseudonyms } => {
  const seen: Exchange[] = []
  const profile = profileFor(baseUrl, budget)
  const pseudonyms = createPseudonyms({ secrets: [profile.tenants.primary.key] })
  const client = createClient({
    profile,
    pseudonyms,
    meter: createMeter(meter),
    retryPolicy: { firstWaitMs: 1 },
    onExchange: (exchange) => seen.push(exchange),
    ...options,
  })
  return { client, seen, pseudonyms }
}
