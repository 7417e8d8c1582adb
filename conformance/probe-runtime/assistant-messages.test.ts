/** Tests that completions go without messages of the assistant to a target that refuses them, and to no other. */
import { expect, test } from 'vitest'
import { createAssistantMessages } from './assistant-messages.ts'
import type { Answer } from './probe-response.ts'
import type { RequestSpec } from './request-spec.ts'

const user = { role: 'user', content: 'Hello' }
const history = [user, { role: 'assistant', content: 'Good day' }, user]
const ask: RequestSpec = { json: { messages: history } }
const answer = (outcome: Answer['outcome']): Answer =>
  ({ outcome, exchange: { response: { status: 422, pieces: [] }, ending: 'complete' } }) as unknown as Answer

/** What goes out for these requests, as numbers of messages, when the target answers by the messages that it gets. */
async function sentFor(asks: readonly RequestSpec[], takes: (messages: readonly unknown[]) => boolean) {
  const sent: number[] = []
  const { adapted, areRefused } = createAssistantMessages()
  const send = adapted(async (_, { json } = {}) => {
    const { messages } = json as { messages: readonly unknown[] }
    sent.push(messages.length)
    return answer(takes(messages) ? 'accepted' : 'rejected')
  })
  for (const one of asks) await send('createChatCompletion', one)
  return { sent, refused: areRefused() }
}

test.each<[string, readonly RequestSpec[], (messages: readonly unknown[]) => boolean, readonly number[], boolean]>([
  ['a target that takes them', [ask, ask], () => true, [3, 3], false],
  ['a target that takes only others', [ask, ask], (messages) => messages.length === 2, [3, 2, 2], true],
  ['a target that refuses all', [ask, ask, ask], () => false, [3, 2, 3, 2, 3], false],
  ['a request that has to be refused', [{ ...ask, expects: 'rejected' }], () => false, [3], false],
  ['a history without them', [{ json: { messages: [user] } }], () => false, [1], false],
])('%s', async (_, asks, takes, sent, refused) => {
  expect(await sentFor(asks, takes)).toEqual({ sent, refused })
})

test('a target that took them once may refuse them later, and gets them again', async () => {
  let taken = 0
  const once = () => {
    taken += 1
    return taken === 1
  }
  expect(await sentFor([ask, ask, ask], once)).toEqual({ sent: [3, 3, 3], refused: false })
})
