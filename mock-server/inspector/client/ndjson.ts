/** Reads a stream of NDJSON: values as they arrive, independent of the borders of its pieces. */

/** The values of a stream, those of one piece together. */
export async function* ndjsonBatches<T>(stream: ReadableStream<Uint8Array>): AsyncGenerator<readonly T[]> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let rest = ''
  while (true) {
    const { done, value } = await reader.read()
    const lines = (rest + decoder.decode(value, { stream: !done })).split('\n')
    rest = done ? '' : (lines.pop() ?? '')
    const values = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T)
    if (values.length > 0) yield values
    if (done) return
  }
}
