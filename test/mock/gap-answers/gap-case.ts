/**
 * Gives each case of the gap table a fresh mock and short ways to speak to it.
 * A case answers its gap in the words of the row, made from what the mock did.
 */

import { createMock, type Mock } from '../../../mock-server/index.ts'
import type { GapId } from '../../../spec/index.ts'
import { type MockClient, type MockResponse, mockClient } from '../../support/mock-client.ts'

export interface GapSetup {
  readonly mock: Mock
  readonly client: MockClient
  /** Sends with other headers or another method; without the key unless the headers hold it. */
  send(path: string, init?: RequestInit): Promise<MockResponse>
  /** The body of a completion with the assistant of this name. */
  asks(content: string, more?: object, assistant?: string): object
  complete(body: unknown, query?: string): Promise<MockResponse>
  /** Adds a message, with fields beside the contract's. */
  add(thread: string, message: object, headers?: Readonly<Record<string, string>>): Promise<MockResponse>
  run(thread: string, body?: unknown): Promise<MockResponse>
  list(thread: string, query?: string): Promise<MockResponse>
  /** A thread with one user message. */
  asked(assistant?: string): Promise<string>
  grant(query?: string): Promise<MockResponse>
  put(url: string, init: RequestInit): Promise<MockResponse>
}

/** Gives the answer of the mock in the words of the row. */
export type GapCase = (setup: GapSetup) => Promise<string>
export type GapCases<Chapter extends string> = Readonly<Record<Extract<GapId, `${Chapter}.${string}`>, GapCase>>

export const key = { 'api-key': 'acs-demo-primary' } as const
export const unknownId = '11111111-1111-4111-8111-111111111111'

export const acceptance = ({ status }: MockResponse): 'accepted' | 'rejected' =>
  status < 300 ? 'accepted' : 'rejected'
export const statusAndCode = ({ status, json }: MockResponse): string => `${status} ${json?.error_code}`

/** The one value that all have; several are all named, so that no row can match. */
export const agreed = (values: Iterable<string | number>): string => [...new Set(values)].join(' or ')

/** A stepped clock holds a slow answer back until it is moved. */
export async function gapSetup(mode: 'frozen' | 'stepped' = 'frozen'): Promise<GapSetup & AsyncDisposable> {
  const mock = await createMock({ clock: { mode } })
  const client = mockClient(mock.main, mock)
  const send: GapSetup['send'] = async (path, init) => responseOf(await mock.fetch(path, init))
  const setup: GapSetup = {
    mock,
    client,
    send,
    asks: (content, more, assistant = 'Echo') => ({
      assistant_id: client.assistant(assistant),
      messages: [{ role: 'user', content }],
      ...more,
    }),
    complete: (body, query = '') => client.post(`/v1/chat/completions${query}`, body),
    add: (thread, message, headers) => client.post(`/v1/threads/${thread}/messages`, message, headers),
    run: (thread, body = {}) => client.post(`/v1/threads/${thread}/run`, body),
    list: (thread, query = '') => client.get(`/v1/threads/${thread}/messages${query}`),
    async asked(assistant) {
      const thread = await client.thread(assistant)
      await client.say(thread, { role: 'user', content: 'The weather?' })
      return thread
    },
    grant: (query = 'filename=a.txt') => client.get(`/v1/files/signed-url?${query}`, { 'user-id': 'ann' }),
    put: (url, init) => send(url, { method: 'PUT', ...init }),
  }
  return { ...setup, [Symbol.asyncDispose]: () => mock.close() }
}

async function responseOf(response: Response): Promise<MockResponse> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const { status, headers } = response
  return {
    status,
    headers,
    text,
    reason: headers.get('x-acs-reason'),
    json: isJson && text !== '' ? JSON.parse(text) : null,
  }
}
