/** Tests that an upload over the bare socket goes on where a client would. */
import { expect, test } from 'vitest'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import { uploadAtOnce } from './upload-to.ts'

const answerOf = (status: number, json: unknown = null): Answer =>
  ({ json, exchange: { ending: 'complete', response: { status, headers: [], pieces: [] } } }) as unknown as Answer

/** The ways in which uploads were sent to a target whose bare socket answers with this status. */
async function waysOf(status: number): Promise<readonly string[]> {
  const ways: string[] = []
  const way =
    (name: string, answer: Answer) =>
    (_: string, { path }: { readonly path: string }) => {
      ways.push(`${name} ${path}`)
      return Promise.resolve(answer)
    }
  const context = {
    send: way('client', answerOf(200)),
    sendRaw: way('socket', answerOf(status)),
    pause: () => Promise.resolve(),
  } as unknown as ProbeContext
  const [slow, quick] = ['http://acs.test/slow', 'http://acs.test/quick'].map((file_url) => answerOf(200, { file_url }))
  if (slow === undefined || quick === undefined) throw new Error('two grants are made')
  await uploadAtOnce(context, { slow: [slow, 'a', 'text/plain'], quick: [quick, 'b', 'text/plain'] })
  return ways.sort()
}

const once = ['client http://acs.test/quick', 'socket http://acs.test/slow']

test.each([200, 204, 400])('an upload that is answered with %i is sent once', async (status) => {
  expect(await waysOf(status)).toEqual(once)
})

test.each([307, 503])('an upload that is answered with %i is sent again by the client', async (status) => {
  expect(await waysOf(status)).toEqual(['client http://acs.test/quick', 'client http://acs.test/slow', once[1]])
})
