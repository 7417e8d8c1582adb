/** Globals of Node that the engine uses; the browser build adds them to every file that names them. */
export { Buffer } from './buffer.ts'

const { warn } = console
const channel = new MessageChannel()
const waiting = new Map<number, () => void>()
let lastHandle = 0

// Set so and not by a listener, which would have to be started.
Object.assign(channel.port1, {
  onmessage({ data }: { readonly data: number }) {
    const act = waiting.get(data)
    waiting.delete(data)
    act?.()
  },
})

/** As in Node: soon, in order, and not after the four milliseconds of a nested timer. */
export function setImmediate(act: () => void): number {
  lastHandle += 1
  waiting.set(lastHandle, act)
  channel.port2.postMessage(lastHandle)
  return lastHandle
}

/** As in Node. */
export function clearImmediate(handle: number): void {
  waiting.delete(handle)
}

/** The warnings of the process. */
export const process = {
  emitWarning: (text: string, { type }: { readonly type: string }) => warn(`${type}: ${text}`),
}
