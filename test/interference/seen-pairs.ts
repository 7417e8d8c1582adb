/** Which kinds of pairs a trace really shows. */
import type { Exchange, Trace } from '../../conformance/index.ts'
import type { PairKind } from './pair-kinds.ts'

const threadOf = ({ request }: Exchange): string | null => /\/threads\/([^/]+)\//.exec(request.url)?.[1] ?? null
const operationOf = ({ intent }: Exchange): string | null => intent?.operation ?? null

/** Whether some two exchanges of the probe are a pair of this kind. */
export function isSeen(kind: PairKind, { exchanges }: Trace): boolean {
  const own = exchanges.filter(({ intent }) => intent?.probe === kind.probe)
  return own.some((first) =>
    exchanges.some((second) => first !== second && isPair(kind, first, second) && areRelated(kind, first, second)),
  )
}

function isPair(kind: PairKind, first: Exchange, second: Exchange): boolean {
  if (operationOf(first) !== kind.first || operationOf(second) !== kind.second) return false
  if (kind.broken === null) return first.sentAtMs < second.endedAtMs && second.sentAtMs < first.endedAtMs
  const hasLeft = first.ending === 'aborted' && (first.response === null) === (kind.broken === 'before-head')
  return hasLeft && second.ending === 'complete' && second.sentAtMs >= first.endedAtMs
}

function areRelated({ thread, tenant }: PairKind, first: Exchange, second: Exchange): boolean {
  if ((tenant === 'same') !== (first.credential === second.credential)) return false
  if (thread === 'none') return threadOf(first) === null || threadOf(second) === null
  return (thread === 'same') === (threadOf(first) === threadOf(second))
}
