/** Chapter http: paths and methods outside the contract, bodies that are not JSON, other content types. */
import { uniqueQuestion } from '../../probe-runtime/sample-texts.ts'
import { exercised, type Probe } from '../probe.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'

export const httpProbes = [
  {
    id: 'http.outside',
    chapter: 'http',
    from: 'deep',
    exercises: [],
    needs: {},
    cost: { exchanges: 2, modelCalls: 0 },
    play: async (stage) => {
      const grey = { expects: 'either' } as const
      await stage.send(null, { ...grey, path: '/v1/conversations', purpose: 'unknown-route' })
      await stage.send(null, { ...grey, method: 'DELETE', path: '/v1/assistants', purpose: 'wrong-method' })
    },
  },
  {
    id: 'http.not-json',
    chapter: 'http',
    from: 'gate',
    exercises: [exercised(['createChatCompletion'], 'errors.body-fields')],
    needs: {},
    cost: { exchanges: 2, modelCalls: 0 },
    play: async (stage) => {
      const assistant = await stage.assistant('plain')
      if (assistant === null) return
      const text = JSON.stringify(stage.completion(assistant))
      const bodies = { 'json:/body': text.slice(0, -1), 'type:/body': '[]' }
      for (const [purpose, body] of Object.entries(bodies)) {
        const { outcome } = await sendOneInvalid(stage, 'createChatCompletion', { purpose, body })
        if (outcome === 'accepted') return
      }
    },
  },
  {
    id: 'http.content-type',
    chapter: 'http',
    shares: ['workshop'],
    from: 'deep',
    exercises: [],
    needs: { claims: ['threads'], threads: true },
    cost: { exchanges: 2, modelCalls: 0 },
    play: async (stage) => {
      const thread = await stage.shared('workshop')
      if (thread === null) return
      const json = { role: 'user', content: uniqueQuestion(stage.random) }
      const ask = { in: { thread_id: thread.id }, json, purpose: 'content-type', expects: 'either' } as const
      await stage.send('createMessage', { ...ask, headers: [['content-type', 'text/plain']] })
      await stage.send('createMessage', { ...ask, leaveOut: ['content-type'] })
    },
  },
] as const satisfies readonly Probe[]
