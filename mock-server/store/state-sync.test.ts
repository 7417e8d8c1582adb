/**
 * Tests what survives a power cut: files lose what was written behind their last sync.
 * A cut is simulated by copies of the directory, each file as long as it was when a write last reached the disk.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { copyAfterCut, noteSyncs } from '../../test/support/power-cut.ts'
import { createMock, type Mock } from '../mock.ts'

const base = mkdtempSync(join(tmpdir(), 'acs-sync-'))
let copies = 0
afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

/** The directory as a cut leaves it, with `keep` of what was written to each file and not synced. */
const afterCut = (directory: string, synced: ReadonlyMap<string, number>, keep: number): string => {
  copies += 1
  const copy = join(base, `cut-${copies}`)
  copyAfterCut(directory, copy, { synced, keep })
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
  using syncs = noteSyncs(stateDir)
  const mock = await createMock({ clock: { mode: 'frozen' }, stateDir, stateSync: true })
  const thread = await mockClient(mock.main, mock).thread()
  const cuts: { readonly copy: string; readonly acknowledged: number }[] = []
  for (const [index, content] of said.entries()) {
    await say(mock, thread, content)
    if (index % 7 === 2) cuts.push({ copy: afterCut(stateDir, syncs.sizes(), 0), acknowledged: index + 1 })
  }
  expect(cuts).toHaveLength(4)
  for (const { copy, acknowledged } of cuts)
    expect((await contents(copy, thread)).toReversed()).toEqual(said.slice(0, acknowledged))
  await mock.close()
})

test('without it a power cut loses the newest, and never something before what it keeps', async () => {
  const stateDir = join(base, 'unsynced')
  using syncs = noteSyncs(stateDir)
  const mock = await createMock({ clock: { mode: 'frozen' }, stateDir })
  const thread = await mockClient(mock.main, mock).thread()
  for (const content of said) await say(mock, thread, content)
  expect(syncs.sizes().size).toBe(0)
  const kept = [0, 0.3, 0.55, 0.8, 0.999, 1].map((share) => afterCut(stateDir, syncs.sizes(), share))
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
