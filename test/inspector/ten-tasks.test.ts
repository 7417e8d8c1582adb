/** Ten things that a newcomer does in the inspector, in a real browser. What none of them needs is not in the page. */
import { exec } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { createMock, loadScenario, type Mock } from '../../mock-server/index.ts'
import { chromiumIfAny } from '../support/chromium.ts'
import { mockClient } from '../support/mock-client.ts'
import { slowTest } from '../support/slow-test.ts'
import { eventually, openInspector } from './inspector-page.ts'

const browser = await chromiumIfAny()
afterAll(() => browser?.close())
const key = { 'api-key': 'acs-demo-primary' }

/** A test with a browser, skipped without one. */
const task = (name: string, act: (open: (hash?: string) => ReturnType<typeof openInspector>) => Promise<void>) =>
  (browser === null ? test.skip : slowTest)(name, async () => {
    if (browser !== null) await act((hash) => openInspector(browser, hash))
  })

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const view = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click()
const why = (page: Page) => page.getByRole('region', { name: 'Why' })
const row = (page: Page, text: string) =>
  page.getByRole('list', { name: 'Exchanges' }).getByRole('link').filter({ hasText: text })

/** Sends a stream of an assistant that takes its time; the promise is for its text. */
function slowStream(mock: Mock, url: string, content: string): Promise<string> {
  const assistant_id = mockClient(mock.main, mock).assistant('Slow echo')
  const body = JSON.stringify({ assistant_id, messages: [{ role: 'user', content }] })
  return fetch(`${url}/v1/chat/completions/stream`, { method: 'POST', headers: key, body }).then((answer) =>
    answer.text(),
  )
}

/** Runs the text of a test file with one test. */
async function runTest(text: string): Promise<void> {
  const runs: Promise<void>[] = []
  const body = text.replaceAll(/^import .*$/gm, '')
  const collect = (_name: string, act: () => Promise<void>) => runs.push(act())
  new Function('createMock', 'expect', 'test', body)(createMock, expect, collect)
  expect(runs).toHaveLength(1)
  await Promise.all(runs)
}

task('1: find why a request was refused, and what it nearly was', async (open) => {
  await using inspector = await open()
  const { mock, page, url } = inspector
  const { id } = mock.main.seedThread({ assistant: 'Weather desk', messages: [{ role: 'user', content: 'weather?' }] })
  const run = () => fetch(`${url}/v1/threads/${id}/run`, { method: 'POST', headers: key, body: '{}' })
  const { tool_calls: calls } = (await (await run()).json()) as { tool_calls: { id: string }[] }
  await run()
  await row(page, 'open-tool-calls').click()
  await eventually(() => why(page).textContent()).toContain('every tool call of the thread must be answered')
  expect(await why(page).textContent()).toContain('Endpoints / POST /v1/threads/{thread_id}/run')
  expect(await why(page).textContent()).toContain(`The tool call ${calls[0]?.id} is not answered.`)
  await fetch(`${url}/v1/assistant`, { headers: key })
  await row(page, 'unknown-route').click()
  await eventually(() => why(page).textContent()).toContain('The nearest operation is GET /v1/assistants.')
  await row(page, 'POST').first().click()
  await eventually(() => why(page).textContent()).toContain('Weather desk answered: turn 2 of its script')
  expect(inspector.complaints).toEqual([])
})

task('2: copy an exchange as curl, fetch, test and seed; the copies do what it did', async (open) => {
  await using inspector = await open()
  const { mock, page, url } = inspector
  const { id } = mock.main.seedThread({ assistant: 'Echo', messages: [{ role: 'user', content: "It's <b>me</b>" }] })
  const body = '{"meta":"it\'s"}'
  await fetch(`${url}/v1/threads/${id}/run`, { method: 'POST', headers: key, body })
  await row(page, '/run').click()
  const copy = async (name: string) => {
    await press(page, name)
    await page.getByRole('button', { name, exact: true }).waitFor({ state: 'detached' })
    return inspector.copied()
  }
  const curl = await copy('curl')
  const { stdout } = await promisify(exec)(`${curl} -s`)
  expect(JSON.parse(stdout)).toMatchObject({ role: 'assistant', content: "You said: It's <b>me</b>" })
  expect(await copy('fetch')).toContain(`await fetch('${url}/v1/threads/${id}/run'`)
  const copiedTest = await copy('vitest test')
  expect(copiedTest).toContain('expect(response.status).toBe(200)')
  await runTest(copiedTest)
  const seeded = await mock.fetch('/_acs/worlds/copy/threads', { method: 'POST', body: await copy('seed') })
  expect(seeded.status).toBe(200)
  expect(await seeded.json()).toMatchObject({ messages: [{ content: "It's <b>me</b>" }, { role: 'assistant' }] })
})

task('3: fork a world, and find its threads and files in the fork', async (open) => {
  await using inspector = await open('#view=threads&world=default')
  const { mock, page } = inspector
  await page.getByText('lease.txt').waitFor()
  await press(page, 'Fork')
  await page.getByText('world-1 holds everything that default held.').waitFor()
  await eventually(() => page.getByRole('combobox', { name: 'World' }).inputValue()).toBe('world-1')
  await page.getByText('lease.txt').waitFor()
  const threads = page.getByRole('navigation', { name: 'Threads' }).getByRole('link')
  expect(await threads.count()).toBe(2)
  await threads.first().click()
  await page.getByRole('article').filter({ hasText: 'Hello' }).waitFor()
  expect(page.url()).toContain('world=world-1')
  expect(mock.worlds().map(({ name }) => name)).toEqual(['default', 'world-1'])
})

task('4: arm a 429 once, and see it hit one request and not the next', async (open) => {
  await using inspector = await open('#view=faults&world=default')
  const { page, url } = inspector
  await press(page, 'rate_limit_gateway')
  await page.getByLabel('Fault', { exact: true }).fill('rate_limit_gateway:30')
  await press(page, 'Arm')
  const armed = page.getByRole('row').filter({ hasText: 'rate_limit_gateway:30' })
  await armed.waitFor()
  const statuses = [
    await fetch(`${url}/v1/assistants`, { headers: key }),
    await fetch(`${url}/v1/assistants`, { headers: key }),
  ]
  expect(statuses.map(({ status }) => status)).toEqual([429, 200])
  await eventually(() => armed.getByRole('cell').nth(3).textContent()).toBe('1')
  await view(page, 'Exchanges')
  await row(page, '429').click()
  await eventually(() => why(page).textContent()).toContain('rate_limit_gateway:30 by rule-1 (armed 1×): applied')
  await view(page, 'Faults')
  await page.getByRole('button', { name: 'Disarm rate_limit_gateway:30' }).click()
  await page.getByText('Nothing is armed in this world.').waitFor()
})

task('5: freeze the clock, set it, and step a stream chunk by chunk', async (open) => {
  await using inspector = await open()
  const { mock, page, url } = inspector
  const clock = page.getByRole('combobox', { name: 'Clock' })
  await clock.selectOption('stepped')
  await page.getByLabel('Time to set (UTC)').fill('2031-02-03T04:05:06')
  await press(page, 'Set')
  await eventually(() => page.locator('.now').textContent()).toBe('2031-02-03 04:05:06.000')
  await press(page, '+1 min')
  await eventually(() => page.locator('.now').textContent()).toBe('2031-02-03 04:06:06.000')
  const text = slowStream(mock, url, 'one two three four')
  await row(page, '···').click()
  await press(page, 'Next chunk')
  const frames = page.getByRole('table', { name: 'Frames of the stream' }).locator('tbody tr')
  await eventually(() => frames.count()).toBe(1)
  await clock.selectOption('real')
  await eventually(() => page.getByRole('heading', { level: 2 }).textContent()).toContain('200')
  expect((await text).split('\n')[0]).toContain('"created_at":"2031-02-03T04:06:06')
  await clock.selectOption('frozen')
  await eventually(() => mock.clock.mode).toBe('frozen')
})

task('6: watch the gaps of a running stream; pause, send, change, insert, drop and close it', async (open) => {
  await using inspector = await open()
  const { mock, page, url } = inspector
  mock.clock.adjust({ mode: 'stepped' })
  const text = slowStream(mock, url, 'one two three four five six seven eight nine ten '.repeat(4))
  const brokenOff = expect(text).rejects.toThrow()
  await row(page, '···').click()
  const frames = page.getByRole('table', { name: 'Frames of the stream' }).locator('tbody tr')
  await press(page, 'Pause')
  await page.getByText('Paused here before chunk 1 of').waitFor()
  expect(mock.clock.advanceToNext()).toBe(false)
  await press(page, 'Send next')
  await eventually(() => frames.count()).toBe(1)
  await press(page, 'Drop next')
  await press(page, 'Send next')
  await eventually(() => frames.count()).toBe(2)
  await press(page, 'Continue')
  await press(page, 'Next chunk')
  await eventually(() => frames.count()).toBe(3)
  expect(await frames.last().locator('td').nth(2).textContent()).toMatch(/ms$/)
  await page.getByLabel('Text of a chunk').fill('inserted here')
  await press(page, 'Insert')
  await eventually(() => frames.last().textContent()).toContain('inserted here')
  await page.getByLabel('Text of a chunk').fill('said instead')
  await press(page, 'Change next')
  await press(page, 'Next chunk')
  await eventually(() => frames.last().textContent()).toContain('said instead')
  await press(page, 'Close')
  await brokenOff
  await eventually(() => why(page).textContent()).toContain('The connection was broken off before the end.')
  expect(mock.journal.query()[0]?.chunkTimesUs).toHaveLength(5)
})

task('7: chat with an assistant that asks for a tool, and read the thread', async (open) => {
  await using inspector = await open('#view=chat&world=default')
  const { page } = inspector
  await page.getByLabel('Assistant').selectOption('Weather desk (primary)')
  await page.getByLabel('Message').fill('What about the weather?')
  await press(page, 'Send')
  await page.getByText('asks for get_weather({"place":"Vienna"})').waitFor()
  await page.getByLabel('Result of get_weather').fill('sunny')
  await page.keyboard.press('Enter')
  await page.getByRole('article').filter({ hasText: 'The tool says: sunny' }).filter({ hasText: 'sources' }).waitFor()
  await view(page, 'Threads')
  await page
    .getByRole('navigation', { name: 'Threads' })
    .getByRole('link')
    .filter({ hasText: 'The tool says: sunny' })
    .click()
  await eventually(() => page.getByRole('article').count()).toBe(4)
  expect(inspector.complaints).toEqual([])
})

task('8: dry-run a changed scenario, read its problems, apply it, and see a file that was saved', async (open) => {
  await using inspector = await open('#view=scenario&world=default')
  const { mock, page } = inspector
  const yaml = page.getByLabel('Scenario as YAML')
  await eventually(() => yaml.inputValue()).toContain('You said: {{user}}')
  const before = await yaml.inputValue()
  await yaml.fill(before.replace('- Echo', '- Ecko'))
  await press(page, 'Dry run')
  await page.getByText(/scenario:\d+:\d+: .* names no assistant: "Ecko"; did you mean "Echo"\?/).waitFor()
  await yaml.fill(before.replace('You said: {{user}}', 'I heard: {{user}}'))
  await page.getByLabel('saying').fill('hello')
  await press(page, 'Dry run')
  await page.getByText('I heard: hello').waitFor()
  const said = async () => {
    const client = mockClient(mock.main, mock)
    const sent = { assistant_id: client.assistant('Echo'), messages: [{ role: 'user', content: 'hello' }] }
    return (await client.post('/v1/chat/completions', sent)).json.content
  }
  expect(await said()).toBe('You said: hello')
  await press(page, 'Apply')
  await page.getByText('All worlds play the changed scenario now.').waitFor()
  expect(await said()).toBe('I heard: hello')
  await press(page, 'Discard changes')
  const saved = (words: string) => loadScenario(before.replace('You said', words), { file: 'saved.yaml' })
  await mock.reload(await saved('I read'))
  await eventually(() => yaml.inputValue()).toContain('I read: {{user}}')
  await yaml.fill(before)
  await mock.reload(await saved('I see'))
  await page.getByText('Another scenario is played now.').waitFor()
  expect(await yaml.inputValue()).toBe(before)
})

task('9: take a snapshot, reset the world, undo that, restore, export and import', async (open) => {
  await using inspector = await open('#view=threads&world=default')
  const { mock, page } = inspector
  const threads = page.getByRole('navigation', { name: 'Threads' }).getByRole('link')
  await eventually(() => threads.count()).toBe(2)
  await press(page, 'Snapshot')
  await press(page, 'Reset')
  await page.getByText('No thread in this world.').waitFor()
  await press(page, 'Undo')
  await eventually(() => threads.count()).toBe(2)
  await press(page, 'Reset')
  await page.getByText('No thread in this world.').waitFor()
  await press(page, 'Restore')
  await eventually(() => threads.count()).toBe(2)
  expect(mock.main.snapshot().state.threads.size).toBe(2)
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Export')])
  expect(download.suggestedFilename()).toBe('default.json')
  await press(page, 'Reset')
  await page.getByText('No thread in this world.').waitFor()
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, 'Import')])
  await chooser.setFiles(await download.path())
  await page.getByText('default holds what the file held.').waitFor()
  await eventually(() => threads.count()).toBe(2)
})

task('10: try an operation of the API document, and find it by the filter', async (open) => {
  await using inspector = await open('#view=api&world=default')
  const { page, url } = inspector
  await page.getByText('/v1/threads/{thread_id}/messages').first().click()
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByRole('region', { name: 'Answer' }).waitFor()
  await fetch(`${url}/v1/assistants`, { headers: key })
  await fetch(`${url}/v1/nowhere`, { headers: key })
  await view(page, 'Exchanges')
  await eventually(() => row(page, '').count()).toBe(3)
  await page.getByLabel('Filter').fill('messages 200')
  await eventually(() => row(page, '').count()).toBe(1)
  await page.getByLabel('Filter').fill('')
  await page.getByLabel('Kind').selectOption('refused')
  await eventually(() => row(page, '').allTextContents()).toEqual([expect.stringContaining('unknown-route')])
})
