/** A run of the suite over HTTP against the mock, written to a trace file and read back. */
import { referenceProfile } from '../cli/reference-profile.ts'
import { decodeTrace, encodeTrace, type RunOptions, run, type TargetProfile, type Trace } from '../conformance/index.ts'
import { createMock } from '../mock-server/index.ts'

/** The trace of one run against a profile's target. */
export async function traceOfRun(profile: TargetProfile, options: RunOptions): Promise<Trace> {
  for await (const event of run(profile, options)) {
    if (event.type === 'finished') return decodeTrace(encodeTrace(event.trace))
  }
  throw new Error('the run ended without a trace')
}

/** The trace of one run against the faithful mock. */
export async function recordRun(options: RunOptions, change: Partial<TargetProfile> = {}): Promise<Trace> {
  await using mock = await createMock({})
  const listener = await mock.listen({ port: 0, host: '127.0.0.1' })
  try {
    return await traceOfRun({ ...referenceProfile(listener.url), ...change }, options)
  } finally {
    await listener.close()
  }
}
