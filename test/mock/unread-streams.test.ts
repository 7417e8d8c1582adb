/**
 * The mock stays within its memory when 500 clients ask for long streams and read nothing.
 * It takes most of a minute, so only `npm run prove` runs it; what it rests on is tested beside stalled-streams.ts.
 */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { sampling } from '../support/samples.ts'
import { startMock } from './mock-process.ts'

const headers = { 'api-key': 'acs-demo-primary' }
const clients = 500
/** They store 500 MB and may hold 256 MiB; the rest is garbage of many prompts at once. Without a limit it is 5,000. */
const mostMegabytes = 2_500

/** Highest resident memory of a process so far, MB. */
function peakMegabytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** Sends a request, and reads nothing of its answer; resolves when the system has taken all of it. */
function sendOnly(port: string, request: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    socket.pause()
    socket.write(request, () => resolve(socket))
  })
}

// The figures are those of Linux.
test.runIf(sampling.whole && process.platform === 'linux')(
  'clients that never read cost what they stored, and a bounded rest',
  async () => {
    await using mock = await startMock()
    const { port } = new URL(mock.url)
    const get = () => fetch(`${mock.url}/v1/assistants`, { headers })
    const assistants = (await (await get()).json()) as readonly { readonly id: string; readonly name: string }[]
    const echo = assistants.find(({ name }) => name === 'Echo')?.id
    const body = JSON.stringify({ assistant_id: echo, messages: [{ role: 'user', content: 'x'.repeat(1_000_000) }] })
    const head = `POST /v1/chat/completions/stream HTTP/1.1\r\nhost: x\r\napi-key: ${headers['api-key']}\r\ncontent-length: ${body.length}`
    const sockets = await Promise.all(Array.from({ length: clients }, () => sendOnly(port, `${head}\r\n\r\n${body}`)))
    // Behind all that was sent before.
    expect((await get()).status).toBe(200)
    expect((await get()).status).toBe(200)
    expect(peakMegabytes(mock.pid)).toBeLessThan(mostMegabytes)
    for (const socket of sockets) socket.destroy()
    expect((await get()).status).toBe(200)
  },
)
