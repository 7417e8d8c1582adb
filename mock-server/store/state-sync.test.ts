/**
 * Tests what survives a power cut: files lose what was written behind their last sync.
 * A cut is simulated by copies of the directory, each file as long as it was when a write last reached the disk.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClassicLevel } from 'classic-level'
import { afterEach, expect, test, vi } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { createMock, type Mock } from '../mock.ts'

const base = mkdtempSync(join(tmpdir(), 'acs-sync-'))
let copies = 0
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(base, { recursive: true, force: true })
})

type Sizes = ReadonlyMap<string, number>

const sizesOf = (directory: string): Sizes =>
  new Map(readdirSync(directory).map((name) => [name, statSync(join(directory, name)).size]))

/** Notes how long each file is whenever a synced write has returned. */
const noteSyncs = (directory: string): (() => Sizes) => {
  let synced: Sizes = new Map()
  const write = ClassicLevel.prototype.batch as unknown as (...given: readonly unknown[]) => Promise<void>
  vi.spyOn(ClassicLevel.prototype, 'batch').mockImplementation(async function (this: unknown, ...given: unknown[]) {
    await write.apply(this, given)
    if ((given[1] as { readonly sync?: boolean }).sync === true) synced = sizesOf(directory)
  } as never)
  return () => synced
}

/** The directory as a cut leaves it, with `keep` of what was written to each file and not synced. */
const afterCut = (directory: string, synced: Sizes, keep: number): string => {
  copies += 1
  const copy = join(base, `cut-${copies}`)
  cpSync(directory, copy, { recursive: true })
  rmSync(join(copy, 'LOCK'), { force: true })
  for (const [name, size] of sizesOf(copy)) {
    const sure = name.endsWith('.log') ? (synced.get(name) ?? 0) : size
    truncateSync(join(copy, name), sure + Math.floor((size - sure) * keep))
  }
  return copy
}

const say = async (mock: Mock, thread: string, content: string): Promise<void> => {
  const answer = await mockClient(mock.main, mock).say(thread, { role: 'user', content })
  expect(answer.status).toBe(201)
}

const contents = async (stateDir: string, thread: string): Promise<readonly string[]> => {
  await using mock = await createMock({ clock: { mode: 'frozen' }, stateDir })
  const page = await mockClient(mock.main, mock).get(`/v1/threads/${thread}/messages?limit=100`)
  if (page.status !== 200) return []
  return page.json.items.map(({ content }: { readonly content: string }) => content)
}

const said = Array.from({ length: 30 }, (_, index) => `message ${index}`)

test('with stateSync a power cut at any acknowledgement loses nothing that was acknowledged', async () => {
  const stateDir = join(base, 'synced')
  const synced = noteSyncs(stateDir)
  const mock = await createMock({ clock: { mode: 'frozen' }, stateDir, stateSync: true })
  const thread = await mockClient(mock.main, mock).thread()
  const cuts: { readonly copy: string; readonly acknowledged: number }[] = []
  for (const [index, content] of said.entries()) {
    await say(mock, thread, content)
    if (index % 7 === 2) cuts.push({ copy: afterCut(stateDir, synced(), 0), acknowledged: index + 1 })
  }
  vi.restoreAllMocks()
  expect(cuts).toHaveLength(4)
  for (const { copy, acknowledged } of cuts)
    expect((await contents(copy, thread)).toReversed()).toEqual(said.slice(0, acknowledged))
  await mock.close()
})

test('without it a power cut loses the newest, and never something before what it keeps', async () => {
  const stateDir = join(base, 'unsynced')
  const synced = noteSyncs(stateDir)
  const mock = await createMock({ clock: { mode: 'frozen' }, stateDir })
  const thread = await mockClient(mock.main, mock).thread()
  for (const content of said) await say(mock, thread, content)
  expect(synced().size).toBe(0)
  const kept = [0, 0.3, 0.55, 0.8, 0.999, 1].map((share) => afterCut(stateDir, synced(), share))
  await mock.close()
  const counts: number[] = []
  for (const copy of kept) {
    const found = (await contents(copy, thread)).toReversed()
    expect(found).toEqual(said.slice(0, found.length))
    counts.push(found.length)
  }
  expect(counts.at(0)).toBe(0)
  expect(counts.at(-1)).toBe(said.length)
  expect(new Set(counts).size).toBeGreaterThan(3)
})
