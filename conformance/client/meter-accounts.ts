/** Keeps the accounts of a run's budget: what is spent, what is reserved, and what the plan still needs. */

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
  /** It was sent by an earlier run: it counts, and waits for no rate. */
  readonly isRecorded?: boolean
  /** Ends the wait for the rate; the promise rejects with its reason. */
  readonly signal?: AbortSignal
  /** Whose share pays, see `MeterOptions.shares`. */
  readonly sender?: string | undefined
}

/** A budget: how much is spent for good, how much is only reserved, and its limits. */
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

  /** Without those that a refusal will give back: who pays would read them as spent. */
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

  /** What is on its way to be refused counts only when it was answered, so that the time of asking changes nothing. */
  left(): Cost {
    return {
      exchanges: this.limit.exchanges - this.exchanges,
      modelCalls: this.limit.modelCalls - this.likelyCalls,
    }
  }
}

/** What of the plan is still to be spent, by sender. */
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

  /** Whether so many calls do not suffice for all of them. */
  lack({ modelCalls }: Cost): boolean {
    return this.#kept('modelCalls', undefined) > modelCalls
  }

  /** What of so much others leave; who has spent more than its share keeps nothing from them. */
  leave(available: Cost, sender: string | undefined): Cost {
    const left = (unit: keyof Cost): number => Math.max(0, available[unit] - this.#kept(unit, sender))
    return { exchanges: left('exchanges'), modelCalls: left('modelCalls') }
  }

  /** What all keep, but for one sender. */
  #kept(unit: keyof Cost, sender: string | undefined): number {
    const others = [...this.#unspent].filter(([owner]) => owner !== sender)
    return others.reduce((sum, [, unspent]) => sum + Math.max(0, unspent[unit]), 0)
  }
}
