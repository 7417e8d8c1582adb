/**
 * The meter in the transport: hard caps on exchanges, model calls and rate that refuse before anything is sent.
 * It reserves on admission and settles on the answer, so that neither retries nor concurrency can overspend.
 */
import { setTimeout as sleepMs } from 'node:timers/promises'

export interface Cost {
  readonly exchanges: number
  readonly modelCalls: number
}

const capNames = { exchanges: 'exchanges', modelCalls: 'model calls', bodyBytes: 'bytes of bodies' } as const

/** Thrown by `client.send` before anything went out: the cap is reached. */
export class BudgetExhausted extends Error {
  override readonly name = 'BudgetExhausted'
  readonly code = 'budget'
  readonly cap: keyof typeof capNames
  constructor(cap: keyof typeof capNames, limit: number) {
    super(`${capNames[cap]}: the cap of ${limit} is reached`)
    this.cap = cap
  }
}

/** The right to send one exchange. */
export interface Admission {
  /** Called once, with whether the request could have reached the model after all. */
  readonly settle: (reachedModel: boolean) => void
}

export interface AdmissionRequest {
  readonly callsModel: boolean
  /** Ends the wait for the rate; the promise rejects with its reason. */
  readonly signal?: AbortSignal
}

export interface Meter {
  /** Waits for the rate, then reserves; rejects with BudgetExhausted. */
  readonly admit: (request: AdmissionRequest) => Promise<Admission>
  /** What was spent so far; a model call in flight counts as spent. */
  readonly cost: () => Cost
  /** What may still be sent; `Infinity` without a cap. */
  readonly left: () => Cost
}

export interface MeterOptions {
  readonly maxExchanges?: number | undefined
  readonly maxModelCalls?: number | undefined
  /** Exchanges are spaced evenly, so that no window of a minute holds more; those asked for at once go out together. */
  readonly ratePerMinute?: number | undefined
  /** Monotonic milliseconds; default `performance.now`. */
  readonly clock?: () => number
  /** Default: a timer. */
  readonly sleep?: (waitMs: number, signal: AbortSignal | undefined) => Promise<unknown>
}

const timer = (waitMs: number, signal: AbortSignal | undefined): Promise<void> =>
  sleepMs(waitMs, undefined, signal === undefined ? {} : { signal })

/** The account: how much is spent for good, how much is only reserved. */
class Account {
  exchanges = 0
  spentCalls = 0
  reservedCalls = 0
  #waiting: (() => void)[] = []

  /** The next change of what is reserved. */
  change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  settle(reachedModel: boolean): void {
    this.reservedCalls -= 1
    if (reachedModel) this.spentCalls += 1
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }
}

/** Requests that were asked for at the same time. */
interface Burst {
  size: number
  /** How long all of them have to wait, milliseconds. */
  readonly waitMs: Promise<number>
}

const endOfTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/**
 * A burst goes out together, since what overlaps is what it is there to show. It has the room of its size before it and
 * behind it, so that no window of a minute holds more than the rate, unless the burst alone is larger.
 */
const createPace = (ratePerMinute: number | undefined, clock: () => number): (() => Promise<number>) => {
  if (ratePerMinute === undefined) return async () => 0
  const intervalMs = 60_000 / ratePerMinute
  let freeAtMs = Number.NEGATIVE_INFINITY
  let open: Burst | null = null
  const closeBurst = async (): Promise<number> => {
    await endOfTurn()
    const size = open?.size ?? 1
    open = null
    const nowMs = clock()
    const startsAtMs = Math.max(nowMs, freeAtMs + (size - 1) * intervalMs)
    freeAtMs = startsAtMs + size * intervalMs
    return startsAtMs - nowMs
  }
  return () => {
    open ??= { size: 0, waitMs: closeBurst() }
    open.size += 1
    return open.waitMs
  }
}

/** Reserves in one synchronous step, so that no two requests can see the same last place. */
const reserve = async (account: Account, options: MeterOptions, callsModel: boolean): Promise<Admission> => {
  const { maxExchanges = Number.POSITIVE_INFINITY, maxModelCalls = Number.POSITIVE_INFINITY } = options
  for (;;) {
    if (account.exchanges >= maxExchanges) throw new BudgetExhausted('exchanges', maxExchanges)
    if (!callsModel || account.spentCalls + account.reservedCalls < maxModelCalls) break
    if (account.reservedCalls === 0) throw new BudgetExhausted('modelCalls', maxModelCalls)
    await account.change()
  }
  account.exchanges += 1
  if (callsModel) account.reservedCalls += 1
  let open = callsModel
  const settle = (reachedModel: boolean): void => {
    if (open) account.settle(reachedModel)
    open = false
  }
  return { settle }
}

/** Makes the meter of one run. */
export const createMeter = (options: MeterOptions = {}): Meter => {
  const { clock = () => performance.now(), sleep = timer } = options
  const account = new Account()
  const pace = createPace(options.ratePerMinute, clock)
  return {
    admit: async ({ callsModel, signal }) => {
      const admission = await reserve(account, options, callsModel)
      const waitMs = await pace()
      if (waitMs <= 0) return admission
      try {
        await sleep(waitMs, signal)
        return admission
      } catch (cause) {
        admission.settle(false)
        throw cause
      }
    },
    cost: () => ({ exchanges: account.exchanges, modelCalls: account.spentCalls + account.reservedCalls }),
    left: () => ({
      exchanges: (options.maxExchanges ?? Number.POSITIVE_INFINITY) - account.exchanges,
      modelCalls: (options.maxModelCalls ?? Number.POSITIVE_INFINITY) - account.spentCalls - account.reservedCalls,
    }),
  }
}
