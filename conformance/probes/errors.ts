/** Chapter errors: a burst over the quota, and the errors that the profile says how to provoke. */
import type { OperationId } from '../../spec/index.ts'
import type { HeaderLines } from '../exchange.ts'
import { on, type Probe } from './probe.ts'

export const errors = [
  {
    id: 'errors.provoked',
    chapter: 'errors',
    from: 'gate',
    exercises: [on(['createChatCompletion', 'listMessages', 'listMyApiKeys'], 'errors.code-*')],
    needs: {},
    cost: (profile) => ({ exchanges: 2 * Object.keys(profile.provoke).length, modelCalls: 0 }),
    play: async (stage) => {
      const card = await stage.assistant('plain')
      const thread = stage.touched().find(({ tenant }) => tenant === 'primary')
      if (card === null) return
      for (const [code, { headers }] of Object.entries(stage.profile.provoke)) {
        const ask = {
          headers: Object.entries(headers) as HeaderLines,
          purpose: `provoke:${code}`,
          expects: 'either',
          retry: 'none',
        } as const
        await stage.send('createChatCompletion', { ...ask, json: stage.completion(card) })
        const free: OperationId = thread === undefined ? 'listMyApiKeys' : 'listMessages'
        await stage.send(free, { ...ask, in: { thread_id: thread?.id ?? '' } })
      }
    },
  },
  {
    id: 'errors.rate-limit',
    chapter: 'errors',
    from: 'gate',
    exercises: [on(['listMyApiKeys'], 'errors.rate-limit', 'errors.code-rate-limit-gateway')],
    needs: { tenants: ['throttled'], throttle: true },
    // The number surely exceeds the quota, so half of it is a fair guess of what the burst takes.
    cost: (profile) => ({ exchanges: Math.ceil((profile.throttle?.requests ?? 0) / 2), modelCalls: 0 }),
    play: async (stage) => {
      const ask = { as: 'throttled', purpose: 'over-quota', expects: 'either', retry: 'none' } as const
      for (let sent = 0; sent < (stage.profile.throttle?.requests ?? 0); sent += 1) {
        const { errorCode } = await stage.send('listMyApiKeys', ask)
        if (errorCode === 'rate_limit_gateway') return
      }
      stage.note('refused-by-target', 'The number of requests that the profile gives did not reach the rate limit.')
    },
  },
] as const satisfies readonly Probe[]
