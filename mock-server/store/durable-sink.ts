/**
 * Nothing leaves the mock that is not written down: answers wait at a gate while the world's ledger has unwritten effects.
 * So no client ever knows of a message that a killed mock would forget.
 */
import { createGate } from '../faults/backpressure-gate.ts'
import type { Sink } from '../http/sink.ts'
import type { WorldLog } from './world-log.ts'

/** A sink before the client's that waits for the ledger. When the ledger cannot write, the connection breaks off. */
export function durableSink(client: Sink, log: Pick<WorldLog, 'settled'>): Sink {
  const gate = createGate(client)
  let latest: Promise<void> | null = null
  const wait = () => {
    const settled = log.settled()
    if (settled === null || settled === latest) return
    latest = settled
    gate.hold()
    settled.then(
      () => {
        if (latest === settled) gate.release()
      },
      () => gate.sink.reset(),
    )
  }
  return {
    head(head) {
      wait()
      gate.sink.head(head)
    },
    write(bytes) {
      wait()
      return gate.sink.write(bytes)
    },
    end(bytes, handedOn) {
      wait()
      gate.sink.end(bytes, handedOn)
    },
    reset: (how) => gate.inTurn(() => gate.sink.reset(how)),
    whenWritable: (resume) => gate.sink.whenWritable(resume),
    whenGone: (stop) => gate.sink.whenGone(stop),
  }
}
