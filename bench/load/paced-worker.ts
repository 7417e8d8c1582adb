/**
 * Reads many paced streams at once and notes when each chunk came. Streams are opened one after another within
 * `openingMs`, so that their chunks fall due all over the time and not in one beat.
 * Takes a PacedJob as its argument and prints a PacedResult.
 */
import { createHistogram } from 'node:perf_hooks'
import { type Connection, openConnection } from './connection.ts'
import { lineCounter } from './ndjson-lines.ts'
import type { PacedJob, PacedResult } from './paced.ts'
import { requestBytes } from './request-bytes.ts'

const job = JSON.parse(process.argv[2] ?? '') as PacedJob
const request = requestBytes(job.request)
const latenessUs = createHistogram()
let chunks = 0
let ended = 0
let firstSeenBeforeSecond = 0
let compared = 0

const fail = (problem: string): never => {
  console.error(problem)
  process.exit(1)
}

const epochUs = (): number => (performance.timeOrigin + performance.now()) * 1000

/** `created_at` in µs since the epoch, of every chunk in a piece. */
const stampsIn = (text: string): readonly number[] =>
  [...text.matchAll(/"created_at":"([^"]{23})(\d{3})Z"/g)].map(
    ([, upToMs = '', micros = '']) => Date.parse(`${upToMs}Z`) * 1000 + Number(micros),
  )

interface Stream {
  readonly startedAt: number
  seen: number
  firstAtUs: number
  opening: string
}

const onPiece = (stream: Stream, bytes: Buffer, lines: number) => {
  const now = performance.now()
  for (let index = 0; index < lines; index += 1) {
    const dueMs = job.firstChunkMs + (stream.seen + index) * job.pauseMs
    const lateMs = now - stream.startedAt - dueMs
    latenessUs.record(Math.max(1, Math.round(lateMs * 1000)))
  }
  if (stream.seen === 0 && lines > 0) stream.firstAtUs = epochUs()
  if (stream.seen < 2) stream.opening += bytes.toString('latin1')
  if (stream.seen < 2 && stream.seen + lines >= 2) compareStamps(stream)
  stream.seen += lines
  chunks += lines
}

const compareStamps = (stream: Stream) => {
  const second = stampsIn(stream.opening)[1]
  if (second === undefined) return
  compared += 1
  if (stream.firstAtUs < second) firstSeenBeforeSecond += 1
}

const finish = (connections: readonly Connection[], startedAt: number, cpuBefore: NodeJS.CpuUsage) => {
  const seconds = (performance.now() - startedAt) / 1000
  const cpu = process.cpuUsage(cpuBefore)
  for (const { close } of connections) close()
  const result: PacedResult = {
    chunks,
    p50Ms: latenessUs.percentile(50) / 1000,
    p99Ms: latenessUs.percentile(99) / 1000,
    maxMs: latenessUs.max / 1000,
    firstBeforeSecond: compared === 0 ? 0 : firstSeenBeforeSecond / compared,
    seconds,
    generatorCores: (cpu.user + cpu.system) / 1e6 / seconds,
  }
  console.log(JSON.stringify(result))
}

const openAll = (): Promise<readonly ((stream: Stream) => void)[]> => {
  const port = Number(new URL(job.url).port)
  const connections: Connection[] = []
  const opening = Array.from({ length: job.streams }, () => {
    let stream: Stream | null = null
    const linesIn = lineCounter()
    return new Promise<(fresh: Stream) => void>((resolve) => {
      const connection = openConnection(port, {
        opened: () =>
          resolve((fresh) => {
            stream = fresh
            connection.send(request)
          }),
        piece: (bytes) => {
          if (stream !== null) onPiece(stream, bytes, linesIn(bytes))
        },
        answered({ status }) {
          if (status !== 200) fail(`${job.url} answered ${status}`)
          ended += 1
          if (ended === job.streams) finish(connections, startedAt, cpuBefore)
        },
        failed: (error) => fail(`${job.url}: ${error.message}`),
      })
      connections.push(connection)
    })
  })
  return Promise.all(opening)
}

const starters = await openAll()
const startedAt = performance.now()
const cpuBefore = process.cpuUsage()
for (const [index, start] of starters.entries()) {
  setTimeout(
    () => start({ startedAt: performance.now(), seen: 0, firstAtUs: 0, opening: '' }),
    (index * job.openingMs) / job.streams,
  )
}
