/** Tests that completions go without messages of roles that the target refuses, and with them to any other target. */
import { expect, test } from 'vitest'
import { createMessageRoles } from './message-roles.ts'
import type { Answer } from './probe-response.ts'
import type { RequestSpec } from './request-spec.ts'

const order = { role: 'system', content: 'Be brief' }
const user = { role: 'user', content: 'Hello' }
const history = [order, user, { role: 'assistant', content: 'Good day' }, user]
const ask: RequestSpec = { json: { messages: history } }
const answer = (outcome: Answer['outcome']): Answer =>
  ({ outcome, exchange: { response: { status: 422, pieces: [] }, ending: 'complete' } }) as unknown as Answer

type Takes = (roles: readonly string[]) => boolean

const lettersOf = (messages: readonly unknown[]): string =>
  (messages as typeof history).map(({ role }) => role.slice(0, 1)).join('')

/** What goes out for these requests, by the first letters of its roles, when the target answers by the roles that it gets. */
async function sentFor(asks: readonly RequestSpec[], takes: Takes) {
  const sent: string[] = []
  const { adapted, inTaken } = createMessageRoles()
  const send = adapted(async (_, { json } = {}) => {
    const { messages } = json as { messages: typeof history }
    const roles = messages.map(({ role }) => role)
    sent.push(lettersOf(messages))
    return answer(takes(roles) ? 'accepted' : 'rejected')
  })
  for (const one of asks) await send('createChatCompletion', one)
  return { sent, kept: lettersOf(inTaken(history)) }
}

test.each<[string, readonly RequestSpec[], Takes, readonly string[], string]>([
  ['a target that takes all', [ask, ask], () => true, ['suau', 'suau'], 'suau'],
  ['one without assistant', [ask, ask], (roles) => !roles.includes('assistant'), ['suau', 'suuu', 'suuu'], 'suuu'],
  ['one without system', [ask, ask], (roles) => !roles.includes('system'), ['suau', 'suuu', 'uuuu', 'uuuu'], 'uuuu'],
  [
    'one that refuses all',
    [ask, ask, ask],
    () => false,
    ['suau', 'suuu', 'uuuu', 'suau', 'suuu', 'uuuu', 'suau'],
    'suau',
  ],
  ['a request that has to be refused', [{ ...ask, expects: 'rejected' }], () => false, ['suau'], 'suau'],
  ['a history without them', [{ json: { messages: [user] } }], () => false, ['u'], 'suau'],
  [
    'one without system, asked without assistant',
    [{ json: { messages: [order, user] } }],
    (roles) => roles[0] === 'user',
    ['su', 'uu'],
    'uuau',
  ],
])('%s', async (_, asks, takes, sent, kept) => {
  expect(await sentFor(asks, takes)).toEqual({ sent, kept })
})

test('a target that took them once may refuse them later, and gets them again', async () => {
  let taken = 0
  const once = () => {
    taken += 1
    return taken === 1
  }
  expect(await sentFor([ask, ask, ask], once)).toEqual({ sent: ['suau', 'suau', 'suau'], kept: 'suau' })
})
