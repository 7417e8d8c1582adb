/** What a valid certificate shows and what it cannot show, in sentences. The second list is as much part of the answer. */
import { countOutcomes } from '../severity.ts'
import type { JudgedAgain } from './rejudge.ts'
import { digestOf, requirementSet } from './requirement-set.ts'
import type { CertificateClaims } from './statement.ts'

export interface Shown {
  readonly claims: CertificateClaims
  readonly judged: JudgedAgain
  readonly keyId: string
  /** Whether the verifier brought the key that it trusts. */
  readonly isTrusted: boolean
  /** Whether the verifier gave the nonce. */
  readonly isAsked: boolean
}

/** What follows from the files alone. */
export function provenBy({ claims, judged, keyId, isTrusted }: Shown): readonly string[] {
  const { report, sameRequirements } = judged
  const { upheld, violated } = countOutcomes(report.verdicts)
  const signer = isTrusted ? 'the key that you trust' : 'the key inside the bundle'
  const by = sameRequirements ? '' : ' by the requirements that have not changed since'
  return [
    `These files are the ones that ${signer} (${keyId.slice(0, 16)}…) signed on ${claims.issuedAt.slice(0, 10)}; not a byte differs.`,
    `All ${report.verdicts.length} verdicts (${upheld} upheld, ${violated} violated) follow from the ${report.exchanges.length} recorded exchanges: they were judged again here${by}.`,
    `Granted of the claimed levels: ${claims.granted.join(', ') || 'none'} (claimed: ${claims.claimed.join(', ') || 'none'}).`,
    ...(claims.nonce === null ? [] : [`The seed of the recording is the one that the nonce ${claims.nonce} asks for.`]),
  ]
}

/** What no file can show. */
export function notProvenBy({ claims, judged, isTrusted, isAsked }: Shown): readonly string[] {
  const { unexercised } = countOutcomes(judged.report.verdicts)
  const advice = isAsked
    ? 'Run the suite yourself to see.'
    : 'Certify with a nonce of your own, or run the suite yourself, to see.'
  return [
    ...(isTrusted ? [] : ['Who signed: give the public key that you got from the vendor to check that.']),
    `That the recording comes from ${claims.target}: the holder of the key vouches for it. ${advice}`,
    ...(claims.nonce === null ? ['That the recording was made for you: there is no nonce in it.'] : []),
    ...(judged.sameRequirements
      ? []
      : [
          `Anything by requirements that came or changed since: the certificate has ${claims.requirementSetDigest.slice(0, 23)}…, this suite ${digestOf(requirementSet()).slice(0, 23)}…`,
        ]),
    `Anything about the ${unexercised} obligations that were not exercised, and about requests that were not sent.`,
  ]
}
