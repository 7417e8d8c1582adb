/**
 * Follows the exchanges of a mock that have to wait, so that a watcher can step, hold or end them.
 * Exchanges that are answered at once appear when they have ended; without a watcher no events are built.
 */

import type { Alarm } from '../clock/timer-queue.ts'
import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import type { WaitActions, Waits } from '../exchange/waits.ts'
import { createEventFeed } from './event-feed.ts'
import type { LiveEvent, StreamAction, WorldChange } from './live-event.ts'
import { chunksFrom, endedView, runningView } from './live-view.ts'

export interface LiveExchanges extends Waits {
  /** Events from now on as lines of NDJSON, after one with the running exchanges. */
  events(signal: AbortSignal | null): AsyncGenerator<string>
  /** Reports a change of a world. */
  changed(world: string, change: WorldChange): void
  /** Reports that all worlds play another scenario. */
  reloaded(): void
  /** Acts on a running exchange of a world; `false` when it does not wait, or does not allow the action. */
  act(world: string, id: number, action: StreamAction, text?: string): boolean
  /** Ends every subscription. */
  end(): void
}

interface Waiting {
  readonly id: number
  readonly exchange: InFlightRequest
  dueUs: number
  act: () => void
  actions: WaitActions
  held: boolean
  /** Between two waits there is nothing that could be stepped. */
  idle: boolean
  /** Made once, as `rest` is, since a stream waits for every line. */
  readonly alarm: Alarm
  readonly rest: () => void
  /** Chunks that were published. */
  shown: number
}

/** The initial state: nothing runs, and there is no watcher. */
export function createLiveExchanges(): LiveExchanges {
  const feed = createEventFeed<LiveEvent>()
  const waiting = new Map<InFlightRequest, Waiting>()
  let ids = 0
  const enter = (exchange: InFlightRequest, dueUs: number, act: () => void, actions: WaitActions): Waiting => {
    ids += 1
    const one: Waiting = {
      id: ids,
      exchange,
      dueUs,
      act,
      actions,
      held: false,
      idle: false,
      alarm: exchange.world.clock.alarm(() => {
        one.idle = true
        one.act()
      }),
      rest: () => rest(one),
      shown: 0,
    }
    waiting.set(exchange, one)
    if (feed.isOpen()) feed.publish({ event: 'running', ...runningView(one) })
    return one
  }
  const publishChunks = (one: Waiting) => {
    for (const chunk of chunksFrom(one.id, one.exchange, one.shown)) {
      one.shown += 1
      feed.publish({ event: 'chunk', ...chunk })
    }
  }
  return {
    until(exchange, dueUs, act, actions) {
      const one = waiting.get(exchange) ?? enter(exchange, dueUs, act, actions)
      one.dueUs = dueUs
      one.act = act
      const other = (one.actions.drop === null) !== (actions.drop === null)
      one.actions = actions
      if (other) feed.publish({ event: 'running', ...runningView(one) })
      if (feed.isOpen()) publishChunks(one)
      one.idle = false
      if (!one.held) one.alarm.set(dueUs)
      return one.rest
    },
    breakOff(world) {
      for (const one of [...waiting.values()]) {
        if (one.exchange.world !== world || one.idle || one.exchange.outcome !== 'pending') continue
        rest(one)
        one.actions.breakOff()
      }
    },
    ended(exchange, number) {
      const one = waiting.size === 0 ? undefined : waiting.get(exchange)
      if (one !== undefined) waiting.delete(exchange)
      if (!feed.isOpen()) return
      if (one !== undefined) publishChunks(one)
      feed.publish({ event: 'exchange', ...endedView(one?.id ?? null, number, exchange) })
    },
    events(signal) {
      const all = [...waiting.values()]
      const sent = all.flatMap((one) => {
        const chunks = chunksFrom(one.id, one.exchange, 0)
        if (!feed.isOpen()) one.shown = chunks.length
        return chunks
      })
      return feed.subscribe(signal, {
        event: 'open',
        running: all.map(runningView),
        sent,
      })
    },
    changed: (world, change) => feed.publish({ event: 'world', world, change }),
    reloaded: () => feed.publish({ event: 'scenario' }),
    act(world, id, action, text) {
      const one = [...waiting.values()].find((candidate) => candidate.id === id)
      if (one === undefined || one.exchange.world.name !== world || one.idle) return false
      if (!perform(one, action, text)) return false
      if (feed.isOpen()) publishChunks(one)
      if (action === 'hold' || action === 'release') {
        feed.publish({ event: 'running', ...runningView(one) })
      }
      return true
    },
    end: feed.end,
  }
}

/** It no longer waits. */
function rest(one: Waiting): void {
  one.idle = true
  one.alarm.clear()
}

function perform(one: Waiting, action: StreamAction, text = ''): boolean {
  const { actions } = one
  if (action === 'hold') {
    one.held = true
    one.alarm.clear()
    return true
  }
  if (action === 'release') {
    if (one.held) one.alarm.set(one.dueUs)
    one.held = false
    return true
  }
  if (action === 'edit' || action === 'inject') {
    actions.say?.(text, action)
    return actions.say !== null
  }
  if (action === 'drop' && actions.drop === null) return false
  rest(one)
  if (action === 'drop') actions.drop?.()
  else if (action === 'step') actions.proceed()
  else actions.breakOff()
  return true
}
