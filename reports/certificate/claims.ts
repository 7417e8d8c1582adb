/**
 * Lists the facts that a genuine certificate shows and those that it cannot show, in sentences. Both lists are part of
 * the answer.
 */
import { countOutcomes } from '../severity.ts'
import { clockDifference, clocksInWords } from './recording-times.ts'
import type { JudgedAgain } from './rejudge.ts'
import type { CertificateClaims } from './statement.ts'

interface Shown {
  readonly claims: CertificateClaims
  readonly judged: JudgedAgain
  readonly keyId: string
  /** Whether the verifier supplied a trusted key. */
  readonly isTrusted: boolean
  /** Whether the verifier gave the nonce. */
  readonly isAsked: boolean
  /** By the verifier's clock, ISO 8601. */
  readonly now: string
}

/** The facts that follow from the files alone. */
export function provenBy({ claims, judged, keyId, isTrusted }: Shown): readonly string[] {
  const { run, verdicts, exchanges } = judged.report
  const { upheld, violated } = countOutcomes(verdicts)
  const signer = isTrusted ? 'the key that you trust' : 'the key inside the bundle'
  return [
    `These files are the ones that ${signer} (${keyId.slice(0, 16)}…) signed; not a byte differs.`,
    `All ${verdicts.length} verdicts (${upheld} passed, ${violated} failed) follow from the ${exchanges.length} recorded exchanges: they were judged again here.`,
    `All ${exchanges.length} requests are those that the suite sends for the seed ${run.seed}, tier ${run.tier}: they were made again here, and none was left out.`,
    run.granted.length === run.claimed.length
      ? `Granted: all claimed levels (${run.granted.join(', ') || 'none'}).`
      : `Granted: ${run.granted.join(', ') || 'no capability'}, of the claimed ${run.claimed.join(', ')}.`,
    ...(claims.nonce === null
      ? []
      : [
          `The requests follow from the nonce ${claims.nonce}, so the recording was written after the nonce was known to its maker.`,
        ]),
  ]
}

const notableDifferenceMs = 5 * 60_000

/** The facts that no file can show. */
export function notProvenBy({ claims, judged, isTrusted, isAsked, now }: Shown): readonly string[] {
  const { report, times, sameWording } = judged
  const { unexercised, inconclusive } = countOutcomes(report.verdicts)
  const unclear = inconclusive === 0 ? '' : `, about ${inconclusive} whose evidence was ambiguous`
  const advice = isAsked
    ? 'Run the suite yourself to see.'
    : 'Certify with a nonce of your own, or run the suite yourself, to see.'
  const product = claims.product && [claims.product.name, claims.product.version ?? ''].join(' ').trim()
  const disagree = (clockDifference(times) ?? 0) > notableDifferenceMs ? 'The clocks disagree. ' : ''
  return [
    ...(isTrusted ? [] : ['Who signed: give the public key that you got from the vendor to check that.']),
    `That the answers come from ${report.run.target}: the holder of the key vouches for it. ${advice}`,
    ...(product === undefined ? [] : [`That the recorded service is ${product}: the vendor says so.`]),
    ...(claims.nonce === null ? ['That the recording was made for you: there is no nonce in it.'] : []),
    `When it was made: clocks can be set. ${disagree}${clocksInWords(times, now)}`,
    'That it was the first attempt: runs that showed less need not be shown.',
    ...(sameWording
      ? []
      : [
          'The wording of notices and reasons in report.json: this suite words them otherwise; acs judge makes your own.',
        ]),
    `Anything about the ${unexercised} obligations that were not tested${unclear}, and about requests that were not sent.`,
  ]
}
