/**
 * Holds answers back until the effects of their world are written.
 * So no client knows of a message that a killed mock would forget.
 */
import { createGate } from '../exchange/backpressure-gate.ts'
import type { Admission } from '../exchange/served-request.ts'
import type { Sink } from '../exchange/sink.ts'
import { warnOf } from '../warning.ts'
import type { WorldLog } from './world-log.ts'

/**
 * A sink before the client's that waits for the log. When the log cannot write, `refuse` answers instead; an answer
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

/** Admits requests to a world whose log is kept: none begins while the log cannot be written. */
export function durableAdmission(log: Pick<WorldLog, 'settled' | 'isFailing'>): Admission {
  return (client, begin, refuse) => {
    const proceed = () => begin(durableSink(client, log, refuse))
    if (!log.isFailing()) proceed()
    // The write that failed is tried again, and the request waits for that.
    else (log.settled() ?? Promise.resolve()).then(proceed, refuse)
  }
}
