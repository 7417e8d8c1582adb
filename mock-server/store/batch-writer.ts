/**
 * Group commit: changes put during a write are written together with the next one, in order. A caller that must not answer
 * before they are written waits on `settled`. A failed write is kept and retried on the next call of `settled`.
 */

/** One change of the database. */
export type Change =
  | { readonly type: 'put'; readonly key: string; readonly value: string }
  | { readonly type: 'del'; readonly key: string }

export interface Writer {
  put(key: string, value: string): void
  remove(key: string): void
  /**
   * Resolves once all changes so far are written; `null` when it is. Rejects when a write fails; the next call tries
   * again, so a disk that has room again is used again.
   */
  settled(): Promise<void> | null
  /** Whether the latest write failed. */
  isFailing(): boolean
}

interface WriterOptions {
  readonly write: (changes: readonly Change[]) => Promise<void>
  /** Called before a failed write is tried again. */
  readonly recover?: () => Promise<void>
  /** Called once each time writing starts to fail (`cause`) and works again (`null`). */
  readonly told?: (cause: unknown) => void
}

interface Waiter {
  readonly upTo: number
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (cause: unknown) => void
}

/** A writer over a database's batch operation. */
export function createWriter({ write, recover = async () => {}, told = () => {} }: WriterOptions): Writer {
  let pending: Change[] = []
  let put = 0
  let written = 0
  let busy = false
  let failing = false
  let waiters: Waiter[] = []
  const flush = async () => {
    let group: Change[] = []
    try {
      if (failing) await recover()
      while (pending.length > 0) {
        group = pending
        pending = []
        await write(group)
        written += group.length
        group = []
        if (failing) told(null)
        failing = false
        wake()
      }
    } catch (cause) {
      pending = group.concat(pending)
      if (!failing) told(cause)
      failing = true
      const refused = waiters
      waiters = []
      for (const { reject } of refused) reject(cause)
    }
    busy = false
  }
  const wake = () => {
    const ready = waiters.filter(({ upTo }) => upTo <= written)
    waiters = waiters.filter(({ upTo }) => upTo > written)
    for (const { resolve } of ready) resolve()
  }
  const start = () => {
    if (busy) return
    busy = true
    // A turn later, so that all requests of this turn share one write.
    setImmediate(() => void flush())
  }
  const add = (change: Change) => {
    pending.push(change)
    put += 1
    if (!failing) start()
  }
  return {
    put: (key, value) => add({ type: 'put', key, value }),
    remove: (key) => add({ type: 'del', key }),
    isFailing: () => failing,
    settled() {
      if (written === put) return null
      start()
      const last = waiters.at(-1)
      if (last?.upTo === put) return last.promise
      const waiter = waiterFor(put)
      waiters.push(waiter)
      return waiter.promise
    },
  }
}

function waiterFor(upTo: number): Waiter {
  let resolve: () => void = () => {}
  let reject: (cause: unknown) => void = () => {}
  const promise = new Promise<void>((resolved, rejected) => {
    resolve = resolved
    reject = rejected
  })
  promise.catch(() => {})
  return { upTo, promise, resolve, reject }
}
