/**
 * Writes a trace of any length by repeating a recorded gate run with fresh ids.
 * `node bench/suite/write-long-trace.ts <file> [--exchanges 1000000] [--bytes 6000]`; a header line of the answers is filled up,
 * so that an exchange has the wanted size on average.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { encodeRecord, type Trace } from '../../conformance/index.ts'
import { startAcsMock } from '../competitors.ts'
import { repetitions } from './long-trace.ts'
import { recordGate } from './record.ts'

/** Writes a long trace round by round; returns how many exchanges it holds. */
export const writeLongTrace = (file: string, recorded: Trace, wanted: { exchanges: number; bytes: number }): number => {
  const descriptor = openSync(file, 'w')
  try {
    writeSync(descriptor, encodeRecord(recorded.header))
    let written = 0
    const least = leastBytes(recorded, wanted.bytes)
    for (const exchanges of repetitions(recorded)) {
      const lines = exchanges
        .slice(0, wanted.exchanges - written)
        .map((exchange) => filled(encodeRecord(exchange), least))
      writeSync(descriptor, lines.join(''))
      written += lines.length
      if (written >= wanted.exchanges) break
    }
    const { modelCalls = 0, durationMs = 0 } = recorded.footer ?? {}
    writeSync(descriptor, encodeRecord({ kind: 'footer', exchanges: written, modelCalls, durationMs, complete: true }))
    return written
  } finally {
    closeSync(descriptor)
  }
}

/** Small exchanges are filled up to this length, so that all of them together have the wanted mean. */
const leastBytes = ({ exchanges }: Trace, mean: number): number => {
  const lengths = exchanges.map((exchange) => encodeRecord(exchange).length).sort((left, right) => left - right)
  let rest = mean * lengths.length - lengths.reduce((sum, length) => sum + length, 0)
  let least = 0
  for (const [at, length] of lengths.entries()) {
    if (rest <= at * (length - least)) return least + Math.max(0, rest) / Math.max(1, at)
    rest -= at * (length - least)
    least = length
  }
  return least + rest / lengths.length
}

/** A further header line, as gateways add them, brings an exchange to a length. */
const filled = (line: string, length: number): string => {
  const missing = Math.round(length - line.length - 20)
  if (missing <= 0) return line
  return line.replace(
    /"response":\{"status":\d+,"headers":\[/,
    (found) => `${found}["x-filled","${'x'.repeat(missing)}"]${line.includes(`${found}]`) ? '' : ','}`,
  )
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { exchanges: { type: 'string', default: '1000000' }, bytes: { type: 'string', default: '6000' } },
  })
  const [file] = positionals
  if (file === undefined) throw new Error('which file?')
  await using stack = new AsyncDisposableStack()
  const { server } = stack.use(await startAcsMock())
  const recorded = await recordGate(`${server.url}/w/long`, 1)
  const wanted = { exchanges: Number(values.exchanges), bytes: Number(values.bytes) }
  console.log(`${writeLongTrace(file, recorded, wanted)} exchanges in ${file}`)
}
