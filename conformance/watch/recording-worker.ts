/** The worker thread of a recording: turns exchanges into evidence, writes it, and judges it in pauses. */
import { parentPort, workerData } from 'node:worker_threads'
import { createLiveVerdicts } from './live-verdicts.ts'
import { evidenceOfPassed, type PackedExchange, unpackPassed } from './passed-exchange.ts'
import {
  kibibytesOf,
  type RecordingReply,
  type RecordingRequest,
  type RecordingWorkerData,
} from './recording-protocol.ts'
import { createRecording } from './traffic-recording.ts'

const reply = (message: RecordingReply): void => parentPort?.postMessage(message)

const { waitingKiB, ...options } = workerData as RecordingWorkerData
const recording = createRecording(options)
const live = createLiveVerdicts(recording, (line) => reply({ line }))

const add = async (packed: PackedExchange): Promise<void> => {
  const costs = kibibytesOf(packed)
  recording.add(await evidenceOfPassed(unpackPassed(packed), recording))
  Atomics.sub(waitingKiB, 0, costs)
  live.judgeSoon()
}

const answer = (ask: 'files' | 'end'): void => {
  if (ask === 'end') live.stop()
  const trace = recording.trace()
  if (trace === null) reply({ recorded: { files: recording.files() } })
  else reply({ recorded: ask === 'end' ? { trace } : null })
}

reply({ isReady: true })
let done = Promise.resolve()
parentPort?.on('message', (request: RecordingRequest) => {
  done = done.then(() => ('ask' in request ? answer(request.ask) : add(request)))
})
