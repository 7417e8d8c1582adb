/** Chapter errors: a burst over the quota, and the errors that the profile says how to provoke. */
import { type ErrorRow, errorTable } from '../../spec/index.ts'
import type { HeaderLines } from '../exchange.ts'
import type { Ask } from '../staging/ask.ts'
import { on, type Probe } from './probe.ts'

/** Operations that cost nothing when they are refused, one at least for every code of the table. */
const provokedOn = ['createChatCompletion', 'listMessages', 'listMyApiKeys'] as const

export const errors = [
  {
    id: 'errors.provoked',
    chapter: 'errors',
    from: 'gate',
    exercises: [on(provokedOn, 'errors.code-*')],
    needs: {},
    cost: ({ provoke }) => ({ exchanges: Object.keys(provoke).flatMap(listedOn).length, modelCalls: 0 }),
    play: async (stage) => {
      const card = await stage.assistant('plain')
      const thread = stage.touched().find(({ tenant }) => tenant === 'primary')
      if (card === null) return
      const requests: Readonly<Record<(typeof provokedOn)[number], Ask | null>> = {
        createChatCompletion: { json: stage.completion(card) },
        listMessages: thread === undefined ? null : { in: { thread_id: thread.id } },
        listMyApiKeys: {},
      }
      for (const [code, { headers }] of Object.entries(stage.profile.provoke)) {
        const provoking = { purpose: `provoke:${code}`, expects: 'either', retry: 'none' } as const
        for (const operation of listedOn(code)) {
          const ask = requests[operation]
          if (ask !== null) await stage.send(operation, { ...ask, ...provoking, headers: linesOf(headers) })
        }
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

/** The operations of these on which the contract lists a code; all of them for a code that it does not know. */
function listedOn(code: string): readonly (typeof provokedOn)[number][] {
  const table: Readonly<Record<string, ErrorRow>> = errorTable
  const row = Object.hasOwn(table, code) ? table[code] : undefined
  return provokedOn.filter((operation) => row === undefined || row.operations.includes(operation))
}

function linesOf(headers: Readonly<Record<string, string>>): HeaderLines {
  return Object.entries(headers)
}
