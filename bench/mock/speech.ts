/** Text for a given number of chunks in the stream benchmarks, and the request that asks for it. */
import type { AcsMock } from '../competitors.ts'
import type { WireRequest } from '../load/request-bytes.ts'

/** Mean length of a fragment that the mock cuts answers into, characters. */
const fragmentLength = 14
const sentence = 'A call may be recorded when everyone on the line has agreed to it beforehand. '

/** A text that makes about so many chunks. */
export const speech = (chunks: number): string => {
  const length = chunks * fragmentLength
  return sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length)
}

/** A completion by the speaker, streamed. */
export const streamedCompletion = ({ facts, headers }: AcsMock): WireRequest => ({
  method: 'POST',
  path: '/v1/chat/completions/stream',
  headers,
  body: { assistant_id: facts.assistantId, messages: [{ role: 'user', content: 'Tell me about recorded calls.' }] },
})
