/**
 * The entry point `acs-kit/playwright`: a `test` with a world for each test, for pages and for server-rendered content.
 * Streams reach the page chunk by chunk, since its requests are led to the mock's own listener.
 */
import { type BrowserContext, test as base, type Page, type Route } from '@playwright/test'
import type { Listener } from '../listener/listener.ts'
import { createMock, type Mock } from '../mock.ts'
import type { MockOptions } from '../worlds/mock-options.ts'
import type { WorldHandle } from '../worlds/world-handle.ts'

export { expect } from '@playwright/test'

/** Options of `use` in the configuration, of a project or of a test. */
export interface AcsOptions {
  /** The origin that the pages call; the mock answers in its place. Default: only requests with the world's header. */
  readonly acsOrigin: string | undefined
}

export interface AcsFixtures {
  /** The world of this test: threads, files, clock, faults, journal, and `fetch`. */
  readonly acs: WorldHandle
}

export interface AcsWorkerOptions {
  /** Seed, clock, scenario, deviations. */
  readonly acsMock: MockOptions
  /** The port for a server that renders pages; worker n listens n ports above. Default 0: any port. */
  readonly acsPort: number
  /** The mock of the worker. */
  readonly acsServer: { readonly mock: Mock; readonly listener: Listener }
}

/** Routes the requests of a page or context to `origin` into a world. */
export async function routeToWorld(
  from: Page | BrowserContext,
  origin: string,
  { listener, world }: { readonly listener: Pick<Listener, 'url'>; readonly world: WorldHandle },
): Promise<void> {
  const { origin: answered, host } = new URL(origin)
  const isAnswered = (url: URL) => url.origin === answered
  await from.route(isAnswered, (route) =>
    answered.startsWith('https:') ? answerWhole(route, world) : lead(route, { to: listener.url, host, world }),
  )
}

/** Forwards the request, so that chunks arrive as they are written and the mock detects a disconnected reader. */
async function lead(
  route: Route,
  { to, host, world }: { readonly to: string; readonly host: string; readonly world: WorldHandle },
): Promise<void> {
  const { pathname, search } = new URL(route.request().url())
  const headers = { ...route.request().headers(), 'x-forwarded-host': host, ...world.headers }
  await route.continue({ url: to + pathname + search, headers })
}

/** Playwright changes no scheme, so behind https the answer comes in one piece. */
async function answerWhole(route: Route, world: WorldHandle): Promise<void> {
  const request = route.request()
  const sent = request.postDataBuffer()
  const init = { method: request.method(), headers: request.headers(), body: sent && new Uint8Array(sent) }
  try {
    const response = await world.fetch(request.url(), init)
    const headers = { 'access-control-expose-headers': '*', ...Object.fromEntries(response.headers) }
    await route.fulfill({ status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) })
  } catch {
    await route.abort('connectionreset')
  }
}

/** Playwright's `test` with the fixture `acs`. */
export const test = base.extend<AcsFixtures & AcsOptions, AcsWorkerOptions>({
  acsOrigin: [undefined, { option: true }],
  acsMock: [{}, { option: true, scope: 'worker' }],
  acsPort: [0, { option: true, scope: 'worker' }],
  acsServer: [
    async ({ acsMock, acsPort }, use, { parallelIndex }) => {
      await using mock = await createMock(acsMock)
      const listener = await mock.listen({ port: acsPort === 0 ? 0 : acsPort + parallelIndex })
      await use({ mock, listener })
    },
    { scope: 'worker' },
  ],
  acs: async ({ acsServer: { mock } }, use) => {
    await using world = mock.world()
    await use(world)
  },
  // A server that renders the page passes the header on, and is then in the same world.
  extraHTTPHeaders: async ({ extraHTTPHeaders, acs }, use) => use({ ...extraHTTPHeaders, ...acs.headers }),
  context: async ({ acs, acsOrigin, acsServer, context }, use) => {
    if (acsOrigin !== undefined) await routeToWorld(context, acsOrigin, { listener: acsServer.listener, world: acs })
    await use(context)
  },
})
