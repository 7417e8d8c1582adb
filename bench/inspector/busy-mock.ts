/** A mock that is kept busy: the mixture of requests that the inspector is measured with, and their pace. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Mock } from '../../mock-server/index.ts'

const meta_data_response_schema = { title: 'Nothing', type: 'object', properties: {}, required: [] }

/** A scenario with a short stream, and one of 200 chunks a second that lasts so many seconds. */
export const busyScenario = (streamSeconds: number) => ({
  name: 'measured',
  tenants: [{ name: 'primary', keys: [{ key: 'acs-demo-primary' }], assistants: ['Short', 'Long'] }],
  assistants: [
    { name: 'Short', streaming: true, meta_data_response_schema, turns: [{ answer: 'You said: {{user}}' }] },
    {
      name: 'Long',
      streaming: true,
      meta_data_response_schema,
      latency: { first_chunk_ms: 10, chunks_per_second: 200, jitter: 0 },
      turns: [{ chunks: Array.from({ length: 200 * streamSeconds }, (_, index) => `word ${index} `) }],
    },
  ],
})

const headers = { 'api-key': 'acs-demo-primary', 'content-type': 'application/json' }

/** What can be sent; each promise ends when the answer has been read. */
export interface Mixture {
  /** One of ten is a short stream and one is refused. */
  readonly next: (number: number) => Promise<unknown>
  readonly longStream: () => Promise<unknown>
}

/** The requests of the mixture. */
export const mixtureOf = async (mock: Mock): Promise<Mixture> => {
  const read = async (path: string, init: RequestInit): Promise<string> => (await mock.fetch(path, init)).text()
  const assistants = JSON.parse(await read('/v1/assistants', { headers })) as readonly { readonly id: string }[]
  const stream = (assistant: number): Promise<string> => {
    const messages = [{ role: 'user', content: 'Hello' }]
    const body = JSON.stringify({ assistant_id: assistants[assistant]?.id, messages })
    return read('/v1/chat/completions/stream', { method: 'POST', headers, body })
  }
  const nobody = '/v1/threads/0e0e0e0e-0e0e-4e0e-8e0e-0e0e0e0e0e0e/messages'
  return {
    next: (number) =>
      number % 10 === 0 ? stream(0) : read(number % 10 === 1 ? nobody : '/v1/assistants', { headers }),
    longStream: () => stream(1),
  }
}

/** Sends so many requests a second as the machine lets it; gives how many a second there were. */
export const sendSteadily = async ({ next }: Mixture, perSecond: number, windowMs: number): Promise<number> => {
  const startedMs = performance.now()
  const elapsedMs = (): number => performance.now() - startedMs
  const running = new Set<Promise<unknown>>()
  let sent = 0
  while (elapsedMs() < windowMs) {
    for (const wanted = Math.floor((elapsedMs() / 1000) * perSecond); sent < wanted; sent += 1) {
      const one = next(sent).finally(() => running.delete(one))
      running.add(one)
    }
    await pause(1)
  }
  await Promise.all(running)
  return (sent * 1000) / elapsedMs()
}
