/**
 * Group commit: what is put while a write is under way goes out together with the next one, in order. Who must not speak
 * before it is written waits on `settled`.
 */

/** One change of the database. */
export type Change =
  | { readonly type: 'put'; readonly key: string; readonly value: string }
  | { readonly type: 'del'; readonly key: string }

export interface Writer {
  put(key: string, value: string): void
  remove(key: string): void
  /** Resolves once all that was put so far is written; `null` when it is. Rejects for good when a write has failed. */
  settled(): Promise<void> | null
}

interface Waiter {
  readonly upTo: number
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (cause: unknown) => void
}

/** A writer over a database's batch operation. */
export function createWriter(write: (changes: readonly Change[]) => Promise<void>): Writer {
  let pending: Change[] = []
  let put = 0
  let written = 0
  let busy = false
  let failure: Promise<never> | null = null
  let waiters: Waiter[] = []
  const flush = async () => {
    try {
      while (pending.length > 0) {
        const group = pending
        pending = []
        await write(group)
        written += group.length
        wake()
      }
      busy = false
    } catch (cause) {
      failure = Promise.reject(cause)
      failure.catch(() => {})
      for (const { reject } of waiters) reject(cause)
    }
  }
  const wake = () => {
    const ready = waiters.filter(({ upTo }) => upTo <= written)
    waiters = waiters.filter(({ upTo }) => upTo > written)
    for (const { resolve } of ready) resolve()
  }
  const add = (change: Change) => {
    pending.push(change)
    put += 1
    if (busy) return
    busy = true
    // A turn later, so that all requests of this turn share one write.
    setImmediate(() => void flush())
  }
  return {
    put: (key, value) => add({ type: 'put', key, value }),
    remove: (key) => add({ type: 'del', key }),
    settled() {
      if (failure !== null) return failure
      if (written === put) return null
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
