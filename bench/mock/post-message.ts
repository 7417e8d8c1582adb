/**
 * Measures POST of a message on our mock, on a bare server and on the peers.
 * Ours validates, journals and stores; the bare server parses, validates and answers; the peers answer from an example or a
 * fixture.
 */
import { bar, type Findings, fact, type Goal, type Label, missingBar } from '../bar.ts'
import type { ChildServer } from '../child-server.ts'
import { availablePeers, postMessage, startAcsMock, startBareJson } from '../competitors.ts'
import { type Loaded, load, steadyRate } from '../load/load.ts'
import type { WireRequest } from '../load/request-bytes.ts'
import { type Chapter, type Plan, steadyRounds } from '../plan.ts'

interface Competitor {
  readonly server: ChildServer
  readonly requests: readonly WireRequest[]
}

type Rounds = Awaited<ReturnType<typeof race>>

const threadsInUse = 16

/** Throughput and p99 of POST /v1/threads/{thread_id}/messages. */
export const postMessageChapter: Chapter = {
  name: 'post-message',
  async measure(plan) {
    await using stack = new AsyncDisposableStack()
    const ours = stack.use(await startAcsMock({ threads: Array.from({ length: threadsInUse }, () => 0) }))
    const requests = ours.facts.threadIds.map((id) => postMessage(id, ours.headers))
    const { bytesPerAnswer } = await load(ours.server, { requests, windowMs: 200 })
    const bare = stack.use(await startBareJson({ bodyBytes: Math.round(bytesPerAnswer), validates: true }))
    const competitors: Record<string, Competitor> = {
      bare: { server: bare, requests },
      ours: { server: ours.server, requests },
    }
    const { peers, missing } = availablePeers(plan.say)
    for (const { name, start, request } of peers) {
      competitors[name] = { server: stack.use(await start()), requests: [request] }
    }
    return findings(await race(competitors, plan), missing)
  },
}

const race = (competitors: Readonly<Record<string, Competitor>>, { rounds, windowMs }: Plan) =>
  steadyRounds<string, Loaded>(
    rounds,
    Object.fromEntries(
      Object.entries(competitors).map(([name, { server, requests }]) => [
        name,
        () => load(server, { requests, windowMs }),
      ]),
    ) as Record<string, () => Promise<Loaded>>,
    steadyRate,
  )

const findings = ({ rounds, noise }: Rounds, missing: ReadonlyMap<string, string>): Findings => {
  const ratio = (over: string, figure: keyof Loaded) =>
    rounds.map((round) => (round.ours?.[figure] ?? 0) / (round[over]?.[figure] ?? 0))
  const against = (peer: string, label: Label, goal: Goal) => {
    const reason = missing.get(peer)
    return reason === undefined
      ? bar(label, goal, ratio(peer, 'answersPerSecond'), noise)
      : missingBar(label, goal, reason)
  }
  const names = Object.keys(rounds[0] ?? {})
  return {
    bars: [
      against('bare', { name: 'POST message, throughput', unit: '× bare' }, { atLeast: 0.85 }),
      against('prism', { name: 'POST message, throughput', unit: '× Prism' }, { atLeast: 9 }),
      against('aimock', { name: 'POST message, throughput', unit: '× aimock' }, { atLeast: 3.5 }),
      bar({ name: 'POST message, p99', unit: '× bare' }, { atMost: 2.5 }, ratio('bare', 'p99Ms'), noise),
    ],
    facts: names.flatMap((name) => {
      const all = (figure: keyof Loaded) => rounds.map((round) => round[name]?.[figure] ?? 0)
      return [
        fact({ name: `POST message, ${name}`, unit: 'answers/s' }, all('answersPerSecond')),
        fact({ name: `POST message, ${name}, p99`, unit: 'ms' }, all('p99Ms')),
        fact({ name: `POST message, ${name}, size of the answer`, unit: 'B' }, all('bytesPerAnswer')),
        fact({ name: `POST message, ${name}, CPU of the server`, unit: 'cores' }, all('serverCores')),
        fact({ name: `POST message, ${name}, CPU of an answer`, unit: 'µs' }, all('serverUsPerAnswer')),
        fact({ name: `POST message, ${name}, CPU of the generator`, unit: 'cores' }, all('generatorCores')),
      ]
    }),
  }
}
