/**
 * Tests that servers which cannot be conformant never look conformant, and fail where they have to.
 * These are a stock mock without state, constant answers, right shapes without memory, and a dead port.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { referenceProfile } from '../../cli/reference-profile.ts'
import { type FetchHandler, fetchClient, type Judgement, judge, run } from '../../conformance/index.ts'
import { chapterOf, loadDocument, renderDocument } from '../../spec/index.ts'
import { slowTest } from '../support/slow-test.ts'
import { statelessAnswer } from './stateless-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-controls-'))
const children: ChildProcess[] = []

afterAll(() => {
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true })
})

const judged = async (url: string, handler?: FetchHandler): Promise<Judgement> => {
  const client = handler === undefined ? {} : { client: fetchClient(handler) }
  for await (const event of run(referenceProfile(url), { tier: 'gate', seed: 1, ...client })) {
    if (event.type === 'finished') return judge(event.trace)
  }
  throw new Error('the run ended without a trace')
}

/** Chapters in which something blocking is violated, sorted. */
const brokenChapters = ({ verdicts }: Judgement): readonly string[] => {
  const broken = verdicts.filter(
    ({ outcome, level, basis }) => outcome === 'violated' && level === 'must' && basis === 'stated',
  )
  return [...new Set(broken.map(({ requirement }) => chapterOf(requirement)))].sort()
}

const always =
  (status: number, body: string): FetchHandler =>
  () =>
    new Response(body, { status, headers: { 'content-type': 'application/json' } })

test('a server that answers {} to everything breaks the chapters that show a resource', async () => {
  const judgement = await judged('http://empty.test', always(200, '{}'))
  expect(judgement.exitCode).toBe(1)
  expect(brokenChapters(judgement)).toEqual(['assistants', 'errors', 'files', 'pagination', 'resources', 'tenancy'])
})

test('a server that fails on everything serves no operation', async () => {
  const judgement = await judged('http://failing.test', always(500, '{"error":"Internal Server Error"}'))
  const served = judgement.verdicts.filter(({ requirement }) => requirement === 'http.operation-served')
  expect(judgement.exitCode).toBe(1)
  expect(served.filter(({ outcome }) => outcome === 'upheld')).toEqual([])
  // What needs an assistant or a thread cannot be asked; what can is named, and not once more for every rule about it.
  const broken = served.filter(({ outcome }) => outcome === 'violated').map(({ operation }) => operation)
  expect(broken.sort()).toEqual(['createUploadGrant', 'listAssistants', 'listMyApiKeys'])
  expect(brokenChapters(judgement)).toEqual(['errors', 'http', 'threads'])
})

/** What only a server with a memory gets right. */
const chaptersOfState = ['auth', 'completions', 'pagination', 'streams', 'threads']

slowTest('right shapes without state break the chapters of state, and no rule about shapes', async () => {
  const judgement = await judged('http://stateless.test', statelessAnswer)
  expect(judgement.exitCode).toBe(1)
  // It accepts what it should refuse, which spends the model calls: in some orders no stream is left to be asked.
  const reached = chaptersOfState.filter((chapter) => chapter !== 'streams')
  expect(brokenChapters(judgement)).toEqual(expect.arrayContaining([...reached, 'tools']))
  // It answers from examples of the right shape; that the same example comes again and again is a matter of state.
  const shapes = ['resources.id-is-uuid', 'resources.timestamp-format', 'resources.message-fields']
  const broken = judgement.verdicts
    .filter(({ outcome }) => outcome === 'violated')
    .map(({ requirement }) => requirement)
  expect(broken.filter((requirement) => shapes.includes(requirement))).toEqual([])
})

slowTest('stock prism mock breaks the chapters of state, and no rule about shapes', async () => {
  const judgement = await judged(await startPrism())
  expect(judgement.exitCode).toBe(1)
  // It hands the same thread out again and again, so there is none of which the suite knows what its pages hold.
  const shown = chaptersOfState.filter((chapter) => chapter !== 'pagination')
  expect(brokenChapters(judgement)).toEqual(expect.arrayContaining(shown))
  // It answers from examples of the right shape; that the same example comes again and again is a matter of state.
  const shapes = ['resources.id-is-uuid', 'resources.timestamp-format', 'resources.message-fields']
  const broken = judgement.verdicts
    .filter(({ outcome }) => outcome === 'violated')
    .map(({ requirement }) => requirement)
  expect(broken.filter((requirement) => shapes.includes(requirement))).toEqual([])
})

slowTest(
  'a dead port is an invalid run that ends within seconds',
  async () => {
    const child = spawn(process.execPath, [cli, 'test', 'http://127.0.0.1:1', '-o', folder], {
      stdio: 'ignore',
      env: { ...process.env, ACS_API_KEY: 'a-key-of-tests' },
    })
    children.push(child)
    const exitCode = await new Promise((resolve) => child.once('exit', resolve))
    expect(exitCode).toBe(3)
  },
  15_000,
)

const cli = fileURLToPath(new URL('../../cli/bin.ts', import.meta.url))
const prismBin = fileURLToPath(new URL('../../node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url))

/** Serves the reference document, and resolves to the URL once Prism listens. */
async function startPrism(): Promise<string> {
  const file = join(folder, 'reference.yaml')
  writeFileSync(file, renderDocument(await loadDocument({ profile: 'reference' }), 'yaml'))
  const child = spawn(process.execPath, [prismBin, 'mock', '--port', '0', file], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  return new Promise((resolve, reject) => {
    let said = ''
    const listen = (data: Buffer): void => {
      said += data.toString()
      const url = /listening on (http:\/\/[\d.:]+)/.exec(said)?.[1]
      if (url !== undefined) resolve(url)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('exit', () => reject(new Error(`prism ended: ${said}`)))
  })
}
