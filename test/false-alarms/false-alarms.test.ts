/** Tests that nothing is said against a sound service, also when its listed threads are used again or shared. */
import { expect, test } from 'vitest'
import { sampleOf } from '../support/samples.ts'
import { complaints, forms } from './forms.ts'
import { servers, variants } from './services.ts'

const seed = 1
const timeout = 300_000
/** A plain run on every variant is a trial of `acs prove`. */
const listedForms = forms.filter((form) => form !== 'plain')

const onVariants = variants.flatMap((service) => listedForms.map((form) => ({ ...service, form })))
const onServers = servers.flatMap((service) => listedForms.map((form) => ({ ...service, form })))

test.concurrent.each([
  ...sampleOf('forms of runs on the variants', onVariants),
  ...sampleOf('forms of runs on the test servers', onServers),
])('nothing is said against $name: $form', { timeout }, async ({ start, form }) => {
  const service = await start()
  try {
    expect(await complaints(service, form, seed)).toEqual([])
  } finally {
    await service.close()
  }
})
