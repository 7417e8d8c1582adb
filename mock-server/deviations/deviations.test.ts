/** Deviations are complete, do something, and do it only where they say. */
import { expect, test } from 'vitest'
import { chapterOf, chapters, isTestable, requirementOf, requirements } from '../../spec/index.ts'
import { conversations, everydayConversation } from '../../test/mock/conversations/conversations.ts'
import { notesOf } from '../../test/mock/conversations/speaker.ts'
import { mockClient } from '../../test/support/mock-client.ts'
import { sampleOf } from '../../test/support/samples.ts'
import { createMock } from '../mock.ts'
import collateral from './collateral.json' with { type: 'json' }
import { deviationOf, deviations, deviationsOf, withoutDeviation } from './deviations.ts'

test('every testable requirement has a deviation, or the reason why it has none', () => {
  const bare = requirements.filter((row) => isTestable(row) && deviationsOf(row.id).length === 0)
  expect(bare.map(({ id }) => id)).toEqual([...withoutDeviation.keys()])
  expect(deviations.length).toBeGreaterThanOrEqual(250)
  expect(deviations.filter(({ trigger }) => trigger !== undefined).length).toBeGreaterThanOrEqual(40)
})

test('a deviation is found by its id, which starts with its chapter', () => {
  for (const deviation of deviations) {
    expect(deviationOf(deviation.id)).toBe(deviation)
    expect(deviation.id).toMatch(/^[a-z]+\.[a-z0-9-]+$/)
    expect(chapterOf(deviation.id)).toBe(chapterOf(deviation.requirement))
  }
  expect(new Set(deviations.map(({ id }) => id)).size).toBe(deviations.length)
})

test('what a deviation also violates is testable, and not its own requirement', () => {
  for (const { requirement, alsoViolates = [] } of deviations) {
    const rows = alsoViolates.map((id) => requirementOf(id))
    expect(rows.every((row) => row !== undefined && isTestable(row))).toBe(true)
    expect(alsoViolates).not.toContain(requirement)
  }
  expect(Object.keys(collateral).filter((id) => deviationOf(id) === undefined)).toEqual([])
})

/** Shows only where time passes between two requests, which it does not on a frozen clock. */
const raced = 'threads.concurrent-creates'

test.each(sampleOf('chapters whose deviations change an answer', chapters))(
  'every deviation of %s changes an answer, and none breaks the mock',
  async (chapter) => {
    const faithful = await notesOf(conversations[chapter], [])
    expect(faithful.faults).toEqual([])
    const idle: string[] = []
    const ofChapter = deviations.filter(({ id }) => chapterOf(id) === chapter)
    for (const deviation of ofChapter.filter(({ requirement }) => requirement !== raced)) {
      const { differs, faults } = await notesOf(conversations[chapter], [deviation], faithful.notes)
      expect([deviation.id, ...faults]).toEqual([deviation.id])
      if (!differs) idle.push(deviation.id)
    }
    expect(idle).toEqual([])
  },
)

/** These make ids otherwise from the first one on; what is wrong with them shows when their trigger comes. */
const otherIds = [
  'resources.id-of-content',
  'resources.id-counts-per-thread',
  'completions.same-question-same-thread',
  'files.id-of-filename',
  'files.id-of-user',
]

test('a deviation with a trigger changes nothing without it', async () => {
  const faithful = await notesOf(everydayConversation, [])
  const showing: string[] = []
  for (const deviation of deviations.filter(({ trigger }) => trigger !== undefined)) {
    const { differs } = await notesOf(everydayConversation, [deviation], faithful.notes)
    if (differs) showing.push(deviation.id)
  }
  expect(showing).toEqual(otherIds)
})

test('creations that overtake one another are lost or doubled, and one after another they are not', async () => {
  const raceless = ['a', 'b', 'c', 'd', 'e']
  for (const deviation of [null, ...deviationsOf(raced)]) {
    await using mock = await createMock({ deviations: deviation === null ? [] : [deviation] })
    const { thread, say, get } = mockClient(mock, mock)
    const [calm, busy] = [await thread(), await thread()]
    for (const content of raceless) await say(calm, { role: 'user', content })
    await Promise.all(raceless.map((content) => say(busy, { role: 'user', content })))
    const idsIn = async (id: string): Promise<readonly string[]> =>
      (await get(`/v1/threads/${id}/messages`)).json.items.map((message: { id: string }) => message.id)
    const sound = (ids: readonly string[]) => ids.length === 5 && new Set(ids).size === 5
    expect([deviation?.id, sound(await idsIn(calm)), sound(await idsIn(busy))]).toEqual([
      deviation?.id,
      true,
      deviation === null,
    ])
  }
})

test('a mock takes deviations by their ids, and names the closest one for an unknown id', async () => {
  const [first] = deviations
  const noted = async (chosen: string | typeof first) => {
    await using mock = await createMock({ clock: { mode: 'frozen' }, deviations: chosen === undefined ? [] : [chosen] })
    return (await mock.fetch('/v1/assistants', { headers: { 'api-key': 'acs-demo-primary' } })).text()
  }
  const assistants = deviations.filter(({ id }) => id.startsWith('assistants.'))
  const [listed] = assistants
  expect(await noted(listed?.id ?? '')).toBe(await noted(listed))
  await expect(createMock({ deviations: [`${first?.id}x`] })).rejects.toThrow(`did you mean "${first?.id}"?`)
})
