/**
 * The meter in the transport: hard caps on exchanges, model calls and rate that refuse before anything is sent.
 * It reserves on admission and settles on the answer, so that neither retries nor concurrency can overspend.
 */
import { setTimeout as sleepMs } from 'node:timers/promises'
import { createBurstPace } from './burst-pace.ts'

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
  /**
   * `repetition` spends the reserve first; `refusal`, which may be refused and then costs no model call, spends it last.
   * Default `planned`, which never spends it.
   */
  readonly kind?: 'planned' | 'repetition' | 'refusal'
  /** It was sent by an earlier run: it counts, and waits for no rate. */
  readonly isRecorded?: boolean
  /** Ends the wait for the rate; the promise rejects with its reason. */
  readonly signal?: AbortSignal
  /** Whose share pays, see `MeterOptions.shares`. */
  readonly sender?: string | undefined
}

export interface Meter {
  /** Waits for the rate, then reserves; rejects with BudgetExhausted. */
  readonly admit: (request: AdmissionRequest) => Promise<Admission>
  /**
   * Gives back the model call of a request that failed and, sent once more, was refused: then it cannot have reached the
   * model either.
   */
  readonly refund: (kind: 'first-attempt' | 'repetition') => void
  /** What was spent so far; a model call in flight counts as spent, one that is to be refused once it was not. */
  readonly cost: () => Cost
  /** What may still be sent beside the reserve and what the shares of others keep; `Infinity` without a cap. */
  readonly left: (sender?: string) => Cost
  /** Keeps a share for the sender if so much is left beside the shares of others; says whether. */
  readonly keep: (sender: string, share: Cost) => boolean
  /** The sender needs nothing more of its share. */
  readonly release: (sender: string) => void
  /** What repetitions may still spend beside the caps. */
  readonly leftForRepetitions: () => Cost
}

export interface MeterOptions {
  readonly maxExchanges?: number | undefined
  readonly maxModelCalls?: number | undefined
  /** What repetitions may spend on top of the caps; default nothing. */
  readonly reserve?: Cost | undefined
  /** What the plan keeps for each sender. Nobody is refused for it: it tells senders what is left for more than the plan. */
  readonly shares?: ReadonlyMap<string, Cost> | undefined
  /** Exchanges are spaced evenly, so that no window of a minute holds more; those asked for at once go out together. */
  readonly ratePerMinute?: number | undefined
  /** Monotonic milliseconds; default `performance.now`. */
  readonly clock?: () => number
  /** Default: a timer. */
  readonly sleep?: (waitMs: number, signal: AbortSignal | undefined) => Promise<unknown>
}

const timer = (waitMs: number, signal: AbortSignal | undefined): Promise<void> =>
  sleepMs(waitMs, undefined, signal === undefined ? {} : { signal })

/** A budget: how much is spent for good, how much is only reserved, and its limits. */
class Account {
  exchanges = 0
  spentCalls = 0
  reservedCalls = 0
  /** Those of `reservedCalls` that a refusal will give back. */
  refusalsOnTheirWay = 0
  readonly limit: Cost

  constructor(limit: Cost) {
    this.limit = limit
  }

  get usedCalls(): number {
    return this.spentCalls + this.reservedCalls
  }

  /** Without those that a refusal will give back: who pays would read them as spent. */
  get likelyCalls(): number {
    return this.usedCalls - this.refusalsOnTheirWay
  }

  hasRoom(callsModel: boolean, spared = 0): boolean {
    if (this.exchanges >= this.limit.exchanges) return false
    return !callsModel || this.usedCalls < this.limit.modelCalls - spared
  }

  take({ callsModel, kind }: AdmissionRequest): undefined {
    this.exchanges += 1
    if (!callsModel) return
    this.reservedCalls += 1
    if (kind === 'refusal') this.refusalsOnTheirWay += 1
  }

  settle({ kind }: AdmissionRequest, reachedModel: boolean): undefined {
    this.reservedCalls -= 1
    if (kind === 'refusal') this.refusalsOnTheirWay -= 1
    if (reachedModel) this.spentCalls += 1
  }

  /** What is on its way to be refused counts only when it was answered, so that the time of asking changes nothing. */
  left(): Cost {
    return {
      exchanges: this.limit.exchanges - this.exchanges,
      modelCalls: this.limit.modelCalls - this.likelyCalls,
    }
  }
}

/** What of the plan is still to be spent, by sender. */
class Shares {
  readonly #unspent: Map<string, Cost>

  constructor(planned: ReadonlyMap<string, Cost> = new Map()) {
    this.#unspent = new Map(planned)
  }

  /** Takes from the share of the sender; negative costs give back. */
  take(sender: string | undefined, { exchanges, modelCalls }: Cost): undefined {
    const unspent = this.#unspent.get(sender ?? '')
    if (sender === undefined || unspent === undefined) return
    this.#unspent.set(sender, {
      exchanges: unspent.exchanges - exchanges,
      modelCalls: unspent.modelCalls - modelCalls,
    })
  }

  keep(sender: string, share: Cost): undefined {
    this.#unspent.set(sender, share)
  }

  release(sender: string): undefined {
    this.#unspent.delete(sender)
  }

  /** What of so much others leave; who has spent more than its share keeps nothing from them. */
  leave(available: Cost, sender: string | undefined): Cost {
    const others = [...this.#unspent].filter(([owner]) => owner !== sender).map(([, unspent]) => unspent)
    const left = (unit: keyof Cost): number =>
      Math.max(
        0,
        others.reduce((sum, unspent) => sum - Math.max(0, unspent[unit]), available[unit]),
      )
    return { exchanges: left('exchanges'), modelCalls: left('modelCalls') }
  }
}

/** The caps of a run, and the reserve on top of them. */
class Purse {
  readonly main: Account
  readonly reserve: Account
  #waiting: (() => void)[] = []

  constructor({ maxExchanges = Infinity, maxModelCalls = Infinity, reserve }: MeterOptions) {
    this.main = new Account({ exchanges: maxExchanges, modelCalls: maxModelCalls })
    this.reserve = new Account(reserve ?? { exchanges: 0, modelCalls: 0 })
  }

  /**
   * The account that pays, or `null` when none has room. Repetitions leave a model call of the reserve to refusals, and refusals
   * leave to others the calls that their shares keep.
   */
  payerOf(request: AdmissionRequest, shares: Shares): Account | null {
    const { callsModel, kind = 'planned', sender } = request
    if (kind === 'repetition' && this.reserve.hasRoom(callsModel, 1)) return this.reserve
    const isKept = callsModel && shares.leave(this.main.left(), sender).modelCalls < 1
    if (kind === 'refusal' && isKept && this.reserve.hasRoom(callsModel)) return this.reserve
    if (this.main.hasRoom(callsModel)) return this.main
    return kind !== 'planned' && this.reserve.hasRoom(callsModel) ? this.reserve : null
  }

  /** The next change of what is reserved. */
  change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  settle(account: Account, request: AdmissionRequest, reachedModel: boolean): undefined {
    account.settle(request, reachedModel)
    this.#wake()
  }

  refund(kind: 'first-attempt' | 'repetition'): undefined {
    const usual = kind === 'repetition' ? this.reserve : this.main
    const account = usual.spentCalls > 0 ? usual : this.main
    account.spentCalls = Math.max(0, account.spentCalls - 1)
    this.#wake()
  }

  #wake(): undefined {
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }
}

/** Reserves in one synchronous step, so that no two requests can see the same last place. */
const reserve = async (purse: Purse, shares: Shares, request: AdmissionRequest): Promise<Admission> => {
  const { limit } = purse.main
  let payer = purse.payerOf(request, shares)
  for (; payer === null; payer = purse.payerOf(request, shares)) {
    if (purse.main.exchanges >= limit.exchanges) throw new BudgetExhausted('exchanges', limit.exchanges)
    if (purse.main.reservedCalls + purse.reserve.reservedCalls === 0)
      throw new BudgetExhausted('modelCalls', limit.modelCalls)
    await purse.change()
  }
  const account = payer
  account.take(request)
  // What the reserve pays is no part of the plan.
  const sender = account === purse.main ? request.sender : undefined
  const expected = request.callsModel && request.kind !== 'refusal' ? 1 : 0
  shares.take(sender, { exchanges: 1, modelCalls: expected })
  let open = request.callsModel
  const settle = (reachedModel: boolean): void => {
    if (open) purse.settle(account, request, reachedModel)
    if (open) shares.take(sender, { exchanges: 0, modelCalls: Number(reachedModel) - expected })
    open = false
  }
  return { settle }
}

/** Makes the meter of one run. */
export const createMeter = (options: MeterOptions = {}): Meter => {
  const { clock = () => performance.now(), sleep = timer } = options
  const purse = new Purse(options)
  const shares = new Shares(options.shares)
  const { main, reserve: extra } = purse
  const pace = createBurstPace(options.ratePerMinute, clock)
  return {
    admit: async (request) => {
      const admission = await reserve(purse, shares, request)
      if (request.isRecorded === true) return admission
      const waitMs = await pace()
      if (waitMs <= 0) return admission
      try {
        await sleep(waitMs, request.signal)
        return admission
      } catch (cause) {
        admission.settle(false)
        throw cause
      }
    },
    refund: (kind) => purse.refund(kind),
    cost: () => ({
      exchanges: main.exchanges + extra.exchanges,
      modelCalls: main.likelyCalls + extra.likelyCalls,
    }),
    leftForRepetitions: () => ({
      exchanges: extra.limit.exchanges - extra.exchanges,
      modelCalls: extra.limit.modelCalls - extra.usedCalls,
    }),
    left: (sender) => shares.leave(main.left(), sender),
    keep: (sender, share) => {
      const left = shares.leave(main.left(), sender)
      const fits = share.exchanges <= left.exchanges && share.modelCalls <= left.modelCalls
      if (fits) shares.keep(sender, share)
      return fits
    },
    release: (sender) => shares.release(sender),
  }
}
