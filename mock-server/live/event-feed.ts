/**
 * Hands events to everybody who listens, as lines of NDJSON.
 * What a slow reader has not taken is bounded: beyond that, events are left out and counted.
 */

/** Characters that wait for one reader at most. */
const mostWaiting = 1_048_576

interface EventFeed<Event extends object> {
  /** Whether anybody listens; what nobody hears need not be made. */
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

/** A feed that nobody listens to yet. */
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
