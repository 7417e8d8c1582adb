/** Threads and files are changed in the inspector by the rules of the contract; a refusal shows the rule. */
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { axeFaults } from '../support/axe.ts'
import { chromiumIfAny } from '../support/chromium.ts'
import { mockClient } from '../support/mock-client.ts'
import { sampleOf } from '../support/samples.ts'
import { eventually, openInspector } from './inspector-page.ts'

const browser = await chromiumIfAny()
afterAll(() => browser?.close())
const inBrowser = test.skipIf(browser === null)

const open = (options: Parameters<typeof openInspector>[2] = {}) => {
  if (browser === null) throw new Error('skipped without a browser')
  return openInspector(browser, '#view=threads&world=default', options)
}

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).click()
const messages = (page: Page) => page.getByRole('article').locator('p:first-of-type').allTextContents()
const adding = (page: Page) => page.getByRole('region', { name: 'Add a message' })
/** The browser itself names every refusal in its console. */
const unexpected = (complaints: readonly string[]) => complaints.filter((line) => !line.includes('status of 422'))
const told = (page: Page, words: string) => page.locator('.message', { hasText: words }).waitFor()
const more = 'More fields (JSON)'

async function add(page: Page, role: string, content: string, fields?: string) {
  await adding(page).getByLabel('Role').selectOption(role)
  await adding(page).getByLabel('Content').fill(content)
  if (fields !== undefined) await adding(page).getByLabel(more).fill(fields)
  await press(page, 'Add message')
}

inBrowser('a thread is made, gets messages of each role and another assistant, and is deleted', async () => {
  await using inspector = await open()
  const { mock, page } = inspector
  await page.getByLabel('Assistant of a new thread').selectOption('Weather desk (primary)')
  await press(page, 'New thread')
  await eventually(() => mock.main.export().threads.length).toBe(3)
  await page.waitForURL(/item=/)
  const id = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('item') ?? ''
  const call = '{"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{}"}}'
  const seen: string[] = []
  const steps: readonly (readonly [string, string, string?])[] = [
    ['system', 'be short'],
    ['user', 'weather?'],
    ['assistant', 'one moment', `{"tool_calls":[${call}],"meta_data":{}}`],
    ['tool', 'sunny'],
  ]
  for (const [role, content, fields] of steps) {
    await add(page, role, content, fields)
    await eventually(() => messages(page)).toEqual([...seen, content])
    seen.push(content)
  }
  await page.getByText('answers call_1').waitFor()
  await page.getByRole('group', { name: 'Thread' }).getByLabel('Assistant').selectOption('Echo')
  await press(page, 'Bind')
  await eventually(() => mock.main.export().threads.find((thread) => thread.id === id)?.assistant).toBe('Echo')
  await press(page, 'Delete thread')
  await eventually(() => mock.main.export().threads.length).toBe(2)
  expect(unexpected(inspector.complaints)).toEqual([])
})

inBrowser('a message is changed and deleted, and what the rules forbid is refused with the rule', async () => {
  await using inspector = await open()
  const { mock, page, url } = inspector
  const call = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } } as const
  const { id } = mock.main.seedThread({
    messages: [
      { role: 'system', content: 'be short' },
      { role: 'user', content: 'weather?' },
      { role: 'assistant', content: 'one moment', tool_calls: [call] },
      { role: 'tool', content: 'sunny', tool_call_id: 'call_1' },
    ],
  })
  await page.goto(`${url}/_acs/ui#view=threads&world=default&item=${id}`)
  await press(page, 'Delete assistant message one moment')
  await told(page, 'answers the call call_1')
  await press(page, 'Edit user message weather?')
  const changing = page.getByRole('region', { name: 'Change the user message' })
  await changing.getByLabel('Content').fill('')
  await press(page, 'Save')
  await told(page, 'content of a message must not be empty')
  expect(await axeFaults(page)).toEqual([])
  await changing.getByLabel('Content').fill('weather in Graz?')
  await press(page, 'Save')
  await eventually(() => messages(page)).toEqual(['be short', 'weather in Graz?', 'one moment', 'sunny'])
  await press(page, 'Delete tool message sunny')
  await eventually(() => messages(page)).toEqual(['be short', 'weather in Graz?', 'one moment'])
  await add(page, 'tool', 'rain', '{"tool_call_id":"call_9"}')
  await told(page, 'tool call')
  const list = await mockClient(mock.main, mock).get(`/v1/threads/${id}/messages`)
  expect(list.json.items.map(({ content }: { content: string }) => content)).toEqual([
    'one moment',
    'weather in Graz?',
    'be short',
  ])
  expect(unexpected(inspector.complaints)).toEqual([])
})

inBrowser('the messages of a completion are changed, its thread takes none, and it is deleted', async () => {
  await using inspector = await open()
  const { mock, page, url } = inspector
  const client = mockClient(mock.main, mock)
  const sent = { assistant_id: client.assistant('Echo'), messages: [{ role: 'user', content: 'x' }] }
  const { thread_id: id } = (await client.post('/v1/chat/completions', sent)).json
  await page.goto(`${url}/_acs/ui#view=threads&world=default&item=${id}`)
  await page.getByText('takes more messages with another completion only').waitFor()
  expect(await adding(page).count()).toBe(0)
  await press(page, 'Edit user message x')
  await page.getByRole('region', { name: 'Change the user message' }).getByLabel('Content').fill('y')
  await press(page, 'Save')
  await eventually(() => messages(page)).toEqual(['y', 'You said: x'])
  await press(page, 'Delete assistant message You said: x')
  await eventually(() => messages(page)).toEqual(['y'])
  await press(page, 'Delete user message y')
  await told(page, 'is the last user message')
  await press(page, 'Delete thread')
  await eventually(() => mock.main.export().threads.map((thread) => thread.id)).not.toContain(id)
})

for (const colorScheme of sampleOf('themes of pages in a browser', ['light', 'dark'] as const)) {
  inBrowser(`a file is made, uploaded, attached, renamed, removed; ${colorScheme}, on a phone`, async () => {
    const viewport = { width: 390, height: 844 }
    await using inspector = await open({ browser: { viewport, colorScheme } })
    const { mock, page, url } = inspector
    const { id } = mock.main.seedThread({ messages: [{ role: 'user', content: 'read this' }] })
    const file = () => mock.main.export().files.find(({ filename }) => filename.startsWith('notes'))
    await press(page, 'New file')
    await page.getByLabel('Content to upload (text)').fill('some text')
    await page.getByLabel('Status').selectOption('ready')
    await press(page, 'Save file')
    await page.getByLabel('Content to upload (text)').waitFor({ state: 'detached' })
    expect(file()?.upload?.size).toBe(9)
    await page.getByLabel('Status').selectOption('removed')
    // What was chosen is kept while something else changes.
    mock.main.seedThread({ messages: [{ role: 'user', content: 'meanwhile' }] })
    await page.getByText('user: meanwhile').waitFor({ state: 'attached' })
    await press(page, 'Save file')
    await told(page, 'persist is true')
    expect(await axeFaults(page)).toEqual([])
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390)
    await page.getByLabel('Name', { exact: true }).fill('notes-2.txt')
    await page.getByLabel('Status').selectOption('ready')
    await press(page, 'Save file')
    await eventually(() => file()?.filename).toBe('notes-2.txt')

    const own = page.url()
    await page.goto(`${url}/_acs/ui#view=threads&world=default&item=${id}`)
    await adding(page).getByLabel('Attach').selectOption('notes-2.txt')
    await adding(page).getByLabel('Content').fill('with a file')
    await press(page, 'Add message')
    await page.getByText(`file ${file()?.id}`).waitFor()
    await page.goto(own)
    await press(page, 'Delete file')
    await told(page, 'is attached to a message')
    mock.main.editThread(id, null)
    await press(page, 'Delete file')
    await eventually(file).toBe(undefined)
    expect(unexpected(inspector.complaints)).toEqual([])
  })
}
