/** Turns callbacks into an async iterable. Events are kept until the reader takes them, so that none is lost. */
interface EventQueue<T> extends AsyncIterable<T> {
  readonly push: (event: T) => void
  /** No more events come. */
  readonly end: () => void
}

/** Makes an empty queue for one reader. */
export function createEventQueue<T>(): EventQueue<T> {
  const waiting: T[] = []
  let ended = false
  let wake = (): void => {}
  return {
    push: (event) => {
      waiting.push(event)
      wake()
    },
    end: () => {
      ended = true
      wake()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const events = waiting.splice(0)
        yield* events
        if (waiting.length > 0) continue
        if (ended) return
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
