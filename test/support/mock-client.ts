/**
 * Sends JSON requests to a mock without a socket and gives status and JSON.
 * Apart from the tests because all of them use it.
 */
import type { MessageDraft } from '../../mock-server/machine/command.ts'
import type { Mock } from '../../mock-server/mock.ts'
import type { WorldHandle } from '../../mock-server/worlds/world-handle.ts'

/** An answer as a test looks at it. */
export interface MockResponse {
  readonly status: number
  /** Value of `x-acs-reason`. */
  readonly reason: string | null
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  readonly json: any
  readonly text: string
  readonly headers: Headers
}

export interface MockClient {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<MockResponse>
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<MockResponse>
  /** A new thread's id. */
  thread(assistant?: string): Promise<string>
  say(thread: string, message: MessageDraft): Promise<MockResponse>
  /** Lines of a streamed answer. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read lines of every shape
  stream(path: string, body: unknown): Promise<readonly any[]>
  /** Id of an assistant of the tenant by its name. */
  assistant(name: string): string
}

/** Speaks with the key of a demo tenant. */
export function mockClient(to: Mock | WorldHandle, mock: Mock, tenant = 'primary'): MockClient {
  const key = `acs-demo-${tenant}`
  const assistants = mock.scenario.tenants.find(({ name }) => name === tenant)?.assistants ?? []
  const assistant = (name: string) => assistants.find((one) => one.name === name)?.id ?? 'no such assistant'
  const send = async (method: string, path: string, body: unknown, headers = {}): Promise<MockResponse> => {
    const init = { method, headers: { 'api-key': key, ...headers } }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return responseOf(await to.fetch(path, body === undefined ? init : { ...init, body: text }))
  }
  const self: MockClient = {
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    assistant,
    async thread(name) {
      return (await self.post('/v1/threads', name === undefined ? {} : { assistant_id: assistant(name) })).json.id
    },
    say: (thread, message) => self.post(`/v1/threads/${thread}/messages`, message),
    async stream(path, body) {
      const { text } = await self.post(path, body)
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    },
  }
  return self
}

async function responseOf(response: Response): Promise<MockResponse> {
  const text = await response.text()
  const streamed = response.headers.get('content-type')?.includes('ndjson') === true
  return {
    status: response.status,
    reason: response.headers.get('x-acs-reason'),
    json: text === '' || streamed ? null : JSON.parse(text),
    text,
    headers: response.headers,
  }
}
