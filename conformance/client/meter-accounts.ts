/** Keeps the accounts of a run's budget: the spent and the reserved part, and the remaining need of the plan. */

export interface Cost {
  readonly exchanges: number
  readonly modelCalls: number
}

export interface AdmissionRequest {
  readonly callsModel: boolean
  /**
   * `repetition` spends the reserve first; `refusal`, which may be refused and then costs no model call, spends it last.
   * Default `planned`, which never spends it.
   */
  readonly kind?: 'planned' | 'repetition' | 'refusal'
  /** The request was sent by an earlier run: it counts, and does not wait for the rate. */
  readonly isRecorded?: boolean
  /** Ends the wait for the rate; the promise rejects with its reason. */
  readonly signal?: AbortSignal
  /** The sender whose share pays, see `MeterOptions.shares`. */
  readonly sender?: string | undefined
}

/** A budget: the amounts spent and reserved, and its limits. */
export class Account {
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

  /** Used calls without those that a refusal will give back; the payer would count them as spent. */
  get likelyCalls(): number {
    return this.usedCalls - this.refusalsOnTheirWay
  }

  get hasExchange(): boolean {
    return this.exchanges < this.limit.exchanges
  }

  hasCall(spared = 0): boolean {
    return this.usedCalls < this.limit.modelCalls - spared
  }

  hasRoom(callsModel: boolean, spared = 0): boolean {
    return this.hasExchange && (!callsModel || this.hasCall(spared))
  }

  takeCall({ callsModel, kind }: AdmissionRequest): undefined {
    if (!callsModel) return
    this.reservedCalls += 1
    if (kind === 'refusal') this.refusalsOnTheirWay += 1
  }

  settle({ kind }: AdmissionRequest, reachedModel: boolean): undefined {
    this.reservedCalls -= 1
    if (kind === 'refusal') this.refusalsOnTheirWay -= 1
    if (reachedModel) this.spentCalls += 1
  }

  /** A request that is to be refused counts only once it was answered, so that the time of the query changes nothing. */
  left(): Cost {
    return {
      exchanges: this.limit.exchanges - this.exchanges,
      modelCalls: this.limit.modelCalls - this.likelyCalls,
    }
  }
}

/** The unspent part of the plan, by sender. */
export class Shares {
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

  /** Whether this many calls do not suffice for all shares. */
  lack({ modelCalls }: Cost): boolean {
    return this.#kept('modelCalls', undefined) > modelCalls
  }

  /** The part of `available` that the shares of others leave; an account over its share reserves nothing. */
  leave(available: Cost, sender: string | undefined): Cost {
    const left = (unit: keyof Cost): number => Math.max(0, available[unit] - this.#kept(unit, sender))
    return { exchanges: left('exchanges'), modelCalls: left('modelCalls') }
  }

  /** The sum of all shares except one sender's. */
  #kept(unit: keyof Cost, sender: string | undefined): number {
    const others = [...this.#unspent].filter(([owner]) => owner !== sender)
    return others.reduce((sum, [, unspent]) => sum + Math.max(0, unspent[unit]), 0)
  }
}
