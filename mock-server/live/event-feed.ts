/**
 * Sends events to all listeners, as lines of NDJSON. The backlog of a slow reader is bounded: beyond that, events are
 * dropped and counted.
 */

/** Characters that wait for one reader at most. */
const mostWaiting = 1_048_576

interface EventFeed<Event extends object> {
  /** Whether there is a listener; without one no event need be built. */
  isOpen(): boolean
  publish(event: Event): void
  /** Lines from now on, as many at once as have come, until the signal aborts or the feed ends; `first` comes before. */
  subscribe(signal: AbortSignal | null, first: Event): AsyncGenerator<string>
  /** Ends every subscription. */
  end(): void
}

interface Reader {
  waiting: string[]
  size: number
  missed: number
  ended: boolean
  wake: () => void
}

/** A feed without listeners. */
export function createEventFeed<Event extends object>(): EventFeed<Event> {
  const readers = new Set<Reader>()
  const endOf = (reader: Reader) => () => {
    reader.ended = true
    readers.delete(reader)
    reader.wake()
  }
  return {
    isOpen: () => readers.size > 0,
    publish(event) {
      if (readers.size === 0) return
      const line = lineOf(event)
      for (const reader of readers) take(reader, line)
    },
    subscribe(signal, first) {
      const reader: Reader = { waiting: [], size: 0, missed: 0, ended: signal?.aborted === true, wake: () => {} }
      const end = endOf(reader)
      take(reader, lineOf(first))
      if (!reader.ended) readers.add(reader)
      signal?.addEventListener('abort', end, { once: true })
      return linesOf(reader, end)
    },
    end() {
      for (const reader of [...readers]) endOf(reader)()
    },
  }
}

function lineOf(event: object): string {
  return `${JSON.stringify(event)}\n`
}

function take(reader: Reader, line: string): void {
  if (reader.size + line.length > mostWaiting && reader.size > 0) reader.missed += 1
  else {
    reader.waiting.push(line)
    reader.size += line.length
  }
  reader.wake()
}

async function* linesOf(reader: Reader, end: () => void): AsyncGenerator<string> {
  try {
    while (true) {
      const lines = reader.waiting.join('')
      const missed = reader.missed === 0 ? '' : lineOf({ event: 'missed', count: reader.missed })
      Object.assign(reader, { waiting: [], size: 0, missed: 0 })
      if (lines + missed !== '') yield lines + missed
      else if (reader.ended) return
      else await new Promise<void>((resolve) => Object.assign(reader, { wake: resolve }))
    }
  } finally {
    end()
  }
}
