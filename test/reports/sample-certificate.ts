/** Makes a certificate of the sample run, and replaces reading and judging its trace. */
import type { Trace, TraceRecord } from '../../conformance/index.ts'
import {
  type Bundle,
  createBundle,
  createReport,
  generateSigningKeys,
  type SigningKeys,
  seedFromNonce,
  type VerifyOptions,
} from '../../reports/index.ts'
import { sampleJudgement, sampleTrace } from './sample-report.ts'

export const issuedAt = '2026-11-21T03:00:00.000Z'
export const nonce = 'a verifier’s challenge'

/** The trace as NDJSON. */
function traceText({ header, exchanges, footer }: Trace): string {
  return [header, ...exchanges, footer].map((record) => `${JSON.stringify(record)}\n`).join('')
}

/** Reads the NDJSON back and judges it as the sample is judged. */
export const rejudge: VerifyOptions['rejudge'] = (text) => {
  const records = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceRecord)
  const header = records.find((record) => record.kind === 'header')
  const footer = records.find((record) => record.kind === 'footer') ?? null
  if (header === undefined) return Promise.reject(new Error('the trace has no header'))
  const trace: Trace = { header, exchanges: records.filter((record) => record.kind === 'exchange'), notes: [], footer }
  return Promise.resolve({ trace, judgement: sampleJudgement({ green: true }) })
}

/** The sample is no recording of a run, so its requests count as made again. */
export const reenact: VerifyOptions['reenact'] = ({ exchanges }) =>
  Promise.resolve({ outcome: 'same', requests: exchanges.length })

/** Keys, evidence and the bundle made of them. */
export function sampleCertificate(): { readonly bundle: Bundle; readonly keys: SigningKeys; readonly trace: Trace } {
  const plain = sampleTrace()
  const trace: Trace = { ...plain, header: { ...plain.header, seed: seedFromNonce(nonce) } }
  const report = createReport(trace, sampleJudgement({ green: true }), { tier: 'gate' })
  const keys = generateSigningKeys()
  const bundle = createBundle({
    trace,
    traceText: traceText(trace),
    report,
    privateKey: keys.privateKey,
    nonce,
    issuedAt,
  })
  return { bundle, keys, trace }
}
