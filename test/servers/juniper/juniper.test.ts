/** Shows that juniper is sound by direct requests, and that each of its faults changes what a client observes. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sampleOf } from '../../support/samples.ts'
import { type AppOptions, buildApp } from './app.ts'
import { allChapters, type Chapter, observe } from './scenario.ts'

interface Named {
  readonly name: string
  readonly level?: string
}

const folder = import.meta.dirname
const table = (file: string): readonly Named[] => JSON.parse(readFileSync(join(folder, file), 'utf8'))
const code = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n')
const faults = table('faults.json')
const reserve = table('faults-reserve.json')
const main = { 'api-key': 'jp-fjord-Qm7Zr2-main' }
const json = { ...main, 'content-type': 'application/json' }
const counsel = 'b3c8d7e4-5a16-4f29-9c03-7e2a1d4b6f01'

async function withServer<Result>(options: AppOptions, use: (url: string) => Promise<Result>): Promise<Result> {
  const app = buildApp(options)
  try {
    return await use(await app.listen({ port: 0, host: '127.0.0.1' }))
  } finally {
    await app.close()
  }
}

const seen = (options: AppOptions, chapter: Chapter): Promise<readonly string[]> =>
  withServer(options, (url) => observe(url, chapter))

const soundViews = new Map<Chapter, Promise<readonly string[]>>()

function sound(chapter: Chapter): Promise<readonly string[]> {
  const view = soundViews.get(chapter) ?? seen({}, chapter)
  soundViews.set(chapter, view)
  return view
}

/** The first chapter in which a client observes something else than on a sound server. */
async function firstDifference(fault: string): Promise<Chapter | undefined> {
  for (const chapter of allChapters) {
    if (JSON.stringify(await seen({ fault }, chapter)) !== JSON.stringify(await sound(chapter))) return chapter
  }
  return undefined
}

describe('a sound juniper', () => {
  test('refuses a call without a key', () =>
    withServer({}, async (url) => {
      expect((await fetch(`${url}/v1/assistants`)).status).toBe(401)
      expect((await fetch(`${url}/v1/assistants`, { headers: main })).status).toBe(200)
    }))

  test('streams the text that it lists afterwards', () =>
    withServer({}, async (url) => {
      const body = JSON.stringify({ assistant_id: counsel, messages: [{ role: 'user', content: 'Wohin? 🌊' }] })
      const response = await fetch(`${url}/v1/chat/completions/stream`, { method: 'POST', headers: json, body })
      const chunks = (await response.text())
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      const listed = await fetch(`${url}/v1/threads/${chunks[0].thread_id}/messages`, { headers: main })
      const { items } = (await listed.json()) as { items: readonly { id: string; role: string; content: string }[] }
      expect(items.map(({ role }) => role)).toEqual(['assistant', 'user'])
      expect(items[0]?.content).toBe(chunks.map(({ delta }) => delta.content).join(''))
      expect(new Set(chunks.map(({ message_id }) => message_id))).toEqual(new Set([items[0]?.id]))
    }))

  test('names the missing assistant_id', () =>
    withServer({}, async (url) => {
      const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] })
      const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers: json, body })
      expect(await response.json()).toEqual({
        error_code: 'validation_error',
        detail: [{ loc: ['body', 'assistant_id'], message: 'Field required', type: 'missing' }],
      })
    }))

  test.each(allChapters)('shows the same to every client of %s', async (chapter) => {
    expect(await seen({}, chapter)).toEqual(await sound(chapter))
  })
})

describe('the tables of juniper', () => {
  test('hold a third of faults of each level', () => {
    for (const level of ['easy', 'medium', 'hard'])
      expect(faults.filter((fault) => fault.level === level)).toHaveLength(50)
  })

  test('name exactly the faults of the code', () => {
    const inCode = new Set([...code.matchAll(/fault [!=]== '(\w+)'/g)].map(([, name]) => name))
    expect(new Set([...faults, ...reserve].map(({ name }) => name))).toEqual(inCode)
  })

  test.each(table('legal.json'))('name the choice $name of the code', ({ name }) => {
    expect(code).toMatch(new RegExp(`has\\('${name}'\\)|^ {2}${name}: \\['`, 'm'))
  })
})

// Faults of overlap show within milliseconds, which a busy machine may miss.
describe('a client observes', { retry: 2 }, () => {
  test.concurrent.each(sampleOf('faults of juniper that a client observes', faults))(
    '$name',
    { timeout: 60_000 },
    async ({ name }) => {
      expect(await firstDifference(name)).toBeDefined()
    },
  )
})
