/**
 * The meter in the transport: hard caps on exchanges, model calls and rate that refuse before anything is sent.
 * It reserves on admission and settles on the answer, so that neither retries nor concurrency can overspend.
 */
import { setTimeout as sleepMs } from 'node:timers/promises'
import { createBurstPace } from './burst-pace.ts'
import { Account, type AdmissionRequest, type Cost, Shares } from './meter-accounts.ts'

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
  /** Called once; says whether the request could have reached the model. */
  readonly settle: (reachedModel: boolean) => void
}

export interface Meter {
  /** Waits for the rate, then reserves; rejects with BudgetExhausted. */
  readonly admit: (request: AdmissionRequest) => Promise<Admission>
  /**
   * Gives back the model call of a request that failed and was refused when it was sent again: the first attempt cannot
   * have reached the model either.
   */
  readonly refund: (kind: 'first-attempt' | 'repetition') => void
  /** The cost so far; a model call in flight counts as spent, a request that is to be refused only if it was not refused. */
  readonly cost: () => Cost
  /** The remaining budget without the reserve and the shares of others; `Infinity` without a cap. */
  readonly left: (sender?: string) => Cost
  /** Keeps a share for the sender if the remaining budget allows it beside the shares of others; returns whether it did. */
  readonly keep: (sender: string, share: Cost) => boolean
  /** Releases the rest of the sender's share. */
  readonly release: (sender: string) => void
  /** The remaining budget of repetitions, beside the caps. */
  readonly leftForRepetitions: () => Cost
}

export interface MeterOptions {
  readonly maxExchanges?: number | undefined
  readonly maxModelCalls?: number | undefined
  /** The budget of repetitions on top of the caps; default nothing. */
  readonly reserve?: Cost | undefined
  /**
   * The share that the plan keeps for each sender. No request is refused because of it: it tells senders how much is
   * left beyond the plan.
   */
  readonly shares?: ReadonlyMap<string, Cost> | undefined
  /** Exchanges are spaced evenly, so that no window of a minute holds more; requests made at once are sent together. */
  readonly ratePerMinute?: number | undefined
  /** Monotonic milliseconds; default `performance.now`. */
  readonly clock?: () => number
  /** Default: a timer. */
  readonly sleep?: (waitMs: number, signal: AbortSignal | undefined) => Promise<unknown>
}

const timer = (waitMs: number, signal: AbortSignal | undefined): Promise<void> =>
  sleepMs(waitMs, undefined, signal === undefined ? {} : { signal })

/** The caps of a run, and the reserve on top of them. */
class Purse {
  readonly main: Account
  readonly reserve: Account
  /** Refusals that were answered and that the plan has paid for. */
  answeredRefusals = 0
  #waiting: (() => void)[] = []

  constructor({ maxExchanges = Infinity, maxModelCalls = Infinity, reserve }: MeterOptions) {
    this.main = new Account({ exchanges: maxExchanges, modelCalls: maxModelCalls })
    this.reserve = new Account(reserve ?? { exchanges: 0, modelCalls: 0 })
  }

  /**
   * The account that pays the model call, or `null` when none has room. Repetitions leave one model call of the reserve to
   * refusals, and refusals leave the shares of others untouched.
   */
  payerOf(request: AdmissionRequest, shares: Shares): Account | null {
    const { callsModel, kind = 'planned', sender } = request
    if (kind === 'repetition' && this.reserve.hasRoom(callsModel, 1)) return this.reserve
    const isKept = callsModel && shares.leave(this.main.left(), sender).modelCalls < 1
    const isRefusal = kind === 'refusal' && callsModel && (this.main.hasExchange || this.reserve.hasExchange)
    if (isRefusal && isKept && this.reserve.hasCall()) return this.reserve
    if (this.main.hasRoom(callsModel)) return this.main
    if (isRefusal && this.reserve.hasCall()) return this.reserve
    return kind !== 'planned' && this.reserve.hasRoom(callsModel) ? this.reserve : null
  }

  /**
   * Books a request and returns the account that pays its exchange: a refusal is planned, regardless of the account
   * that pays its model call.
   */
  take(account: Account, request: AdmissionRequest): Account {
    const payer = request.kind === 'refusal' && this.main.hasExchange ? this.main : account
    payer.exchanges += 1
    account.takeCall(request)
    return payer
  }

  /**
   * The reserve pays for refusals that were answered if the remaining calls do not suffice for the shares: of several
   * requests in flight, it was unknown which would be answered.
   */
  spare(shares: Shares): undefined {
    while (this.answeredRefusals > 0 && this.reserve.hasCall() && shares.lack(this.main.left())) {
      this.answeredRefusals -= 1
      this.main.spentCalls -= 1
      this.reserve.spentCalls += 1
    }
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
  // Requests paid by the reserve are not part of the plan.
  const planned = (payer: Account): string | undefined => (payer === purse.main ? request.sender : undefined)
  shares.take(planned(purse.take(account, request)), { exchanges: 1, modelCalls: 0 })
  const sender = planned(account)
  const isRefusal = request.kind === 'refusal'
  const expected = request.callsModel && !isRefusal ? 1 : 0
  shares.take(sender, { exchanges: 0, modelCalls: expected })
  let open = request.callsModel
  const settle = (reachedModel: boolean): void => {
    if (!open) return
    open = false
    purse.settle(account, request, reachedModel)
    shares.take(sender, { exchanges: 0, modelCalls: Number(reachedModel) - expected })
    if (isRefusal && reachedModel && account === purse.main) purse.answeredRefusals += 1
    purse.spare(shares)
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
