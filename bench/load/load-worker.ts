/**
 * The load generator's process: a closed loop over some connections, first to warm up, then for the window that counts.
 * Takes a LoadJob as its argument and prints a LoadResult; an answer that is no success fails the run.
 */
import { createHistogram } from 'node:perf_hooks'
import { type Answer, type Connection, openConnection } from './connection.ts'
import type { LoadJob, LoadResult } from './load.ts'
import { lineCounter } from './ndjson-lines.ts'
import { requestBytes } from './request-bytes.ts'

const job = JSON.parse(process.argv[2] ?? '') as LoadJob
const requests = job.requests.map(requestBytes)
const latencies = createHistogram()
let counting = false
let answers = 0
let bodyBytes = 0
let lines = 0

const fail = (problem: string): never => {
  console.error(problem)
  process.exit(1)
}

const onAnswer = ({ status, bodyBytes: size, startedAt }: Answer) => {
  if (status < 200 || status > 299) fail(`${job.url} answered ${status}`)
  if (!counting) return
  answers += 1
  bodyBytes += size
  latencies.record(Math.max(1, Math.round((performance.now() - startedAt) * 1000)))
}

const connections: Connection[] = []
for (let index = 0; index < job.connections; index += 1) {
  const request = requests[index % requests.length] ?? fail('no request to send')
  const linesIn = lineCounter()
  const piece = (bytes: Buffer) => {
    const found = linesIn(bytes)
    if (counting) lines += found
  }
  const connection = openConnection(Number(new URL(job.url).port), {
    opened: ({ send }) => send(request),
    answered(answer) {
      onAnswer(answer)
      connection.send(request)
    },
    ...(job.countLines ? { piece } : {}),
    failed: (error) => fail(`${job.url}: ${error.message}`),
  })
  connections.push(connection)
}

setTimeout(() => {
  counting = true
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  setTimeout(() => {
    counting = false
    const seconds = (performance.now() - startedAt) / 1000
    const cpu = process.cpuUsage(cpuBefore)
    for (const { close } of connections) close()
    const result: LoadResult = {
      answersPerSecond: answers / seconds,
      linesPerSecond: lines / seconds,
      bytesPerAnswer: answers === 0 ? 0 : bodyBytes / answers,
      answers,
      p50Ms: latencies.percentile(50) / 1000,
      p99Ms: latencies.percentile(99) / 1000,
      generatorCores: (cpu.user + cpu.system) / 1e6 / seconds,
    }
    console.log(JSON.stringify(result))
  }, job.windowMs)
}, job.warmUpMs)
