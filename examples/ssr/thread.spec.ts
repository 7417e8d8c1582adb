/** A page that a server renders from a world of the mock. */
import { expect, test } from 'acs-kit/playwright'

const greeting = { role: 'user', content: 'Hello from <this> world' } as const

test('the server renders what is in the world of the test', async ({ acs, page }) => {
  const { id } = acs.seedThread({ assistant: 'Echo', messages: [greeting] })
  await page.goto(`/${id}`)
  await expect(page.getByRole('listitem')).toHaveText('Hello from <this> world')
})

test('another test starts with an empty world', async ({ acs, page }) => {
  const other = acs.fork()
  const { id } = other.seedThread({ assistant: 'Echo', messages: [greeting] })
  await page.goto(`/${id}`)
  await expect(page.getByRole('alert')).toHaveText('no such thread')
})
