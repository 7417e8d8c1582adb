/** The chat in a browser, each test in a world of its own. */
import { expect, test } from 'acs-kit/playwright'

test.beforeEach(async ({ acs, page }) => {
  const [assistant] = await (await acs.fetch('/v1/assistants', { headers: { 'api-key': 'acs-demo-primary' } })).json()
  await page.goto(`?assistant=${assistant.id}`)
  await page.getByLabel('Message').fill('Hello')
})

test('an answer is streamed', async ({ acs, page }) => {
  await page.getByText('Send').click()
  await expect(page.getByRole('listitem').last()).toHaveText('You said: Hello')
  const [entry] = await acs.journal.wait({ operation: 'streamChatCompletion' })
  expect(entry?.outcome).toBe('read-all')
})

test('the page shows that the service did not answer in time', async ({ acs, page }) => {
  acs.faults.add({ fault: 'api_timeout_error', match: { operation: 'streamChatCompletion' }, times: 1 })
  await page.getByText('Send').click()
  await expect(page.getByRole('alert')).toContainText('api_timeout_error')
})

test('chunks arrive one by one, and the journal says that the reader left', async ({ acs, page }) => {
  acs.faults.add({ fault: 'stall:ms=600000,after=1', match: { operation: 'streamChatCompletion' } })
  await page.getByText('Send').click()
  await expect(page.locator('output')).toHaveText(/^You/)
  await page.getByText('Stop').click()
  const [entry] = await acs.journal.wait({ operation: 'streamChatCompletion' })
  expect(entry?.outcome).toBe('left')
})

test('a file is uploaded, and one of another type is refused', async ({ acs, page }) => {
  const file = (name: string, mimeType: string) => ({ name, mimeType, buffer: Buffer.from('hello') })
  await page.getByLabel('File').setInputFiles(file('a.txt', 'text/plain'))
  await expect(page.getByText('uploaded a.txt')).toBeVisible()
  await page.getByLabel('File').setInputFiles(file('a.png', 'image/png'))
  await expect(page.getByRole('alert')).toContainText('validation_error')
  expect(acs.journal.query({ operation: 'uploadFile' }).map(({ status }) => status)).toEqual([200, 422])
})
