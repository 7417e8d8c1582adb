/**
 * Nothing leaves the mock that is not written down: answers wait at a gate while the world's ledger has unwritten effects.
 * So no client ever knows of a message that a killed mock would forget.
 */
import { createGate } from '../faults/backpressure-gate.ts'
import type { Sink } from '../http/sink.ts'
import { warnOf } from '../warning.ts'
import type { WorldLog } from './world-log.ts'

/**
 * A sink before the client's that waits for the ledger. When the ledger cannot write, `refuse` answers instead; an answer
 * that has begun breaks off.
 */
export function durableSink(client: Sink, log: Pick<WorldLog, 'settled'>, refuse: () => void): Sink {
  let begun = false
  let over = false
  const gate = createGate(client)
  let latest: Promise<void> | null = null
  const giveUp = () => {
    if (over) return
    over = true
    gate.drop()
    if (begun) client.reset()
    else refuse()
  }
  const release = () => {
    try {
      gate.release()
    } catch (cause) {
      warnOf('an answer could not be sent', cause)
      client.reset()
    }
  }
  const wait = () => {
    const settled = log.settled()
    if (settled === null || settled === latest) return
    latest = settled
    gate.hold()
    settled.then(
      () => {
        if (latest === settled) release()
      },
      () => {
        if (latest === settled) giveUp()
      },
    )
  }
  return {
    head(head) {
      wait()
      gate.inTurn(() => {
        begun = true
        client.head(head)
      })
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
