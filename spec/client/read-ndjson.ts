/** Reads a stream of JSON lines as it arrives, with any borders between its chunks. */

export interface ReadNdjsonOptions {
  /** Ends the reading and the download; the loop then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/** What can be read: a response of `fetch`, or the stream of its bytes. */
export type NdjsonSource = Pick<Response, 'body'> | ReadableStream<Uint8Array>

/**
 * Each line as a value, as soon as it is whole; leaving the loop ends the download.
 * Throws a SyntaxError that names the line which is not JSON, a TypeError for bytes that are not UTF-8, and what the stream throws.
 */
export async function* readNdjson<Item>(
  source: NdjsonSource,
  { signal }: ReadNdjsonOptions = {},
): AsyncGenerator<Item, void, undefined> {
  const body = 'getReader' in source ? source : source.body
  if (body === null) return
  const reader = body.getReader()
  const cancel = () => {
    // A stream that failed refuses to be cancelled; there is nothing left to end.
    reader.cancel(signal?.reason).catch(() => {})
  }
  signal?.addEventListener('abort', cancel)
  try {
    let number = 0
    for await (const line of linesOf(reader)) {
      signal?.throwIfAborted()
      number += 1
      if (line.trim() !== '') yield parsed(line, number) as Item
    }
    signal?.throwIfAborted()
  } finally {
    signal?.removeEventListener('abort', cancel)
    cancel()
    reader.releaseLock()
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** The lines without their ends; the last one may lack it. */
async function* linesOf(reader: Reader): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let begun = ''
  for (;;) {
    const { done, value } = await reader.read()
    const [first = '', ...others] = (done ? decoder.decode() : decoder.decode(value, { stream: true })).split('\n')
    begun += first
    for (const next of others) {
      yield begun
      begun = next
    }
    if (done) break
  }
  if (begun !== '') yield begun
}

function parsed(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new SyntaxError(`line ${number} of the stream is not JSON: ${line.slice(0, 80)}`, { cause })
  }
}
