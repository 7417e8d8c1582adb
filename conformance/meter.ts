/**
 * The meter in the transport: hard caps on exchanges, model calls and rate that refuse before anything is sent.
 * It reserves on admission and settles on the answer, so that neither retries nor concurrency can overspend.
 */
export interface Cost {
  readonly exchanges: number
  readonly modelCalls: number
}

/** Thrown by `client.send` before anything went out: the cap is reached. */
export class BudgetExhausted extends Error {
  override readonly name = 'BudgetExhausted'
  readonly code = 'budget'
  readonly cap: 'exchanges' | 'modelCalls'
  constructor(cap: 'exchanges' | 'modelCalls', limit: number) {
    super(`${cap === 'exchanges' ? 'exchanges' : 'model calls'}: the cap of ${limit} is reached`)
    this.cap = cap
  }
}

/** The right to send one exchange. */
export interface Admission {
  /** Called once, with whether the request could have reached the model after all. */
  readonly settle: (reachedModel: boolean) => void
}

export interface Meter {
  /** Waits for the rate, then reserves; rejects with BudgetExhausted. */
  readonly admit: (request: { readonly callsModel: boolean }) => Promise<Admission>
  /** What was spent so far; a model call in flight counts as spent. */
  readonly cost: () => Cost
  /** What may still be sent; `Infinity` without a cap. */
  readonly left: () => Cost
}
