/** Chapter http: paths and methods outside the contract, bodies that are not JSON, other content types. */

import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { uniqueQuestion } from '../../probe-runtime/sample-texts.ts'
import { exercised, type Probe } from '../probe.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'

/** A completion whose body is no JSON object. */
const otherBody = {
  chapter: 'http',
  from: 'gate',
  standby: true,
  exercises: [exercised(['createChatCompletion'], 'errors.body-fields')],
  needs: {},
  cost: { exchanges: 1, modelCalls: 0 },
} as const satisfies Partial<Probe>

export const httpProbes = [
  {
    id: 'http.outside',
    chapter: 'http',
    from: 'deep',
    exercises: [],
    needs: {},
    cost: { exchanges: 2, modelCalls: 0 },
    play: async (context) => {
      const grey = { expects: 'either' } as const
      await context.send(null, { ...grey, path: '/v1/conversations', purpose: 'unknown-route' })
      await context.send(null, { ...grey, method: 'DELETE', path: '/v1/assistants', purpose: 'wrong-method' })
    },
  },
  {
    ...otherBody,
    id: 'http.not-json',
    play: (context) => refuseBody(context, 'json:/body', (sound) => sound.slice(0, -1)),
  },
  {
    ...otherBody,
    id: 'http.not-an-object',
    play: (context) => refuseBody(context, 'type:/body', () => context.random.pick(['[]', 'null', '"text"'])),
  },
  {
    id: 'http.content-type',
    chapter: 'http',
    shares: ['workshop'],
    from: 'deep',
    exercises: [],
    needs: { claims: ['threads'], threads: true },
    cost: { exchanges: 2, modelCalls: 0 },
    play: async (context) => {
      const thread = await context.shared('workshop')
      if (thread === null) return
      const json = { role: 'user', content: uniqueQuestion(context.random) }
      const ask = { in: { thread_id: thread.id }, json, purpose: 'content-type', expects: 'either' } as const
      await context.send('createMessage', { ...ask, headers: [['content-type', 'text/plain']] })
      await context.send('createMessage', { ...ask, leaveOut: ['content-type'] })
    },
  },
] as const satisfies readonly Probe[]

/** Sends what the edit makes of the text of a sound body; it has to be refused. */
async function refuseBody(context: ProbeContext, purpose: string, edit: (sound: string) => string): Promise<void> {
  const assistant = await context.assistant('plain')
  if (assistant === null) return
  const body = edit(JSON.stringify(context.completion(assistant)))
  await sendOneInvalid(context, 'createChatCompletion', { purpose, body })
}
