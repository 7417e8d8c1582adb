/** Many mocks behind a real balancer are one mock, as the page about scaling says. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type MockProcess, startMock } from '../mock/mock-process.ts'
import { freePort, listening } from '../support/nginx.ts'

const program = '/usr/sbin/haproxy'
const hasHaproxy = existsSync(program)
/** Told in the report of the tests. */
const note = hasHaproxy ? '' : ` (skipped, since ${program} is not installed)`

const folder = mkdtempSync(join(tmpdir(), 'acs-haproxy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'scaling.md'), 'utf8')
const recipe = /```haproxy\n(.*?)```/s.exec(page)?.[1] ?? ''
const waitingRecipe = recipe.replaceAll(' check inter 200ms fall 1', '')

interface Balanced extends AsyncDisposable {
  readonly url: string
  readonly mocks: MockProcess[]
  /** Ends a mock at once. */
  readonly kill: (mock: number) => Promise<void>
  readonly restart: (mock: number) => Promise<void>
}

/** Four mocks behind HAProxy with the configuration of the page. */
const balanced = async (configuration: string, optionsOf: (mock: number) => readonly string[]): Promise<Balanced> => {
  const mocks = await Promise.all([1, 2, 3, 4].map((mock) => startMock(...optionsOf(mock))))
  const port = await freePort()
  const config = mocks.reduce(
    (text, { url }, index) => text.replace(`127.0.0.1:401${index + 1}`, new URL(url).host),
    configuration.replace('127.0.0.1:4000', `127.0.0.1:${port}`),
  )
  const file = join(folder, `${port}.cfg`)
  writeFileSync(file, config)
  const child = spawn(program, ['-db', '-f', file], { stdio: 'ignore' })
  await listening(child, port)
  return {
    url: `http://127.0.0.1:${port}`,
    mocks,
    kill: (mock) => mocks[mock]?.end('SIGKILL') ?? Promise.resolve(),
    restart: async (mock) => {
      const old = new URL(mocks[mock]?.url ?? '')
      mocks[mock] = await startMock(...optionsOf(mock + 1), '--port', old.port)
    },
    [Symbol.asyncDispose]: async () => {
      await ended(child)
      await Promise.all(mocks.map((mock) => mock[Symbol.asyncDispose]()))
    },
  }
}

const ended = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

interface World {
  readonly name: string
  readonly thread: string
}

/** The three ways to name a world. */
const addressed = (url: string, name: string, way: number, path: string): readonly [string, Record<string, string>] =>
  way === 0
    ? [`${url}/w/${name}${path}`, { 'api-key': 'acs-demo-primary' }]
    : way === 1
      ? [`${url}${path}`, { 'api-key': 'acs-demo-primary', 'x-acs-world': name }]
      : [`${url}${path}`, { 'api-key': `acs-demo-primary@${name}` }]

const post = async (url: string, name: string, way: number, path: string, body: object): Promise<{ id: string }> => {
  const [address, headers] = addressed(url, name, way, path)
  const response = await fetch(address, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status).toBeLessThan(300)
  return (await response.json()) as { id: string }
}

/** Makes a thread in each of 200 worlds, and says the name of the world there. */
const fill = (url: string): Promise<readonly World[]> =>
  Promise.all(
    Array.from({ length: 200 }, async (_, number) => {
      const name = `world-${number}`
      const { id } = await post(url, name, number % 3, '/v1/threads', {})
      await post(url, name, (number + 1) % 3, `/v1/threads/${id}/messages`, { role: 'user', content: name })
      return { name, thread: id }
    }),
  )

/** What the thread of a world holds; `null` when the world does not know it. */
const contentsIn = async (url: string, { name, thread }: World, way = 0): Promise<readonly string[] | null> => {
  const [address, headers] = addressed(url, name, way, `/v1/threads/${thread}/messages`)
  const response = await fetch(address, { headers })
  if (response.status !== 200) return null
  const { items } = (await response.json()) as { items: readonly { content: string }[] }
  return items.map(({ content }) => content)
}

const keptBy = async (url: string, worlds: readonly World[], way = 0): Promise<readonly string[]> => {
  const found = await Promise.all(
    worlds.map(async (world) => ((await contentsIn(url, world, way)) === null ? [] : [world.name])),
  )
  return found.flat()
}

test.skipIf(!hasHaproxy)(`four mocks share 200 worlds, and one that ends takes only its own along${note}`, async () => {
  await using set = await balanced(recipe, () => [])
  const worlds = await fill(set.url)
  for (const way of [0, 1, 2]) {
    const contents = await Promise.all(worlds.map((world) => contentsIn(set.url, world, way)))
    expect(contents).toEqual(worlds.map(({ name }) => [name]))
  }
  const homes = await Promise.all(set.mocks.map(({ url }) => keptBy(url, worlds)))
  expect(homes.flat().sort()).toEqual(worlds.map(({ name }) => name).sort())
  for (const home of homes) expect(home.length).toBeGreaterThan(20)
  await set.kill(0)
  const lost = new Set(homes[0])
  await expect
    .poll(() => keptBy(set.url, worlds), { timeout: 20_000 })
    .toEqual(worlds.map(({ name }) => name).filter((name) => !lost.has(name)))
})

test.skipIf(!hasHaproxy)(`with state nothing is lost when a mock ends and is started again${note}`, async () => {
  await using set = await balanced(waitingRecipe, (mock) => ['--state', join(folder, `state-${mock}`)])
  const worlds = await fill(set.url)
  await set.kill(1)
  await set.restart(1)
  await expect.poll(() => keptBy(set.url, worlds), { timeout: 20_000 }).toEqual(worlds.map(({ name }) => name))
})
