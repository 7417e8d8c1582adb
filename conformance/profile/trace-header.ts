/**
 * Builds the header of a trace: the suite, the contract and the profile behind the evidence. The profile goes in redacted,
 * and its digest is taken without the keys, so that the same profile has the same digest in every run.
 */
import { contractDigest, version } from '../../spec/index.ts'
import type { Pseudonyms } from '../pseudonyms/pseudonyms.ts'
import type { TraceHeader } from '../trace/exchange.ts'
import { profileDigest, redactProfile } from './redact-profile.ts'
import type { TargetProfile } from './target-profile.ts'

/** The header of a run of the suite. */
export function traceHeader(profile: TargetProfile, pseudonyms: Pseudonyms, seed: number): TraceHeader {
  return {
    kind: 'header',
    format: 'acs-trace/1',
    suiteVersion: version,
    contractDigest: contractDigest(),
    profileDigest: profileDigest(profile),
    profile: redactProfile(profile, pseudonyms),
    seed,
    startedAt: new Date().toISOString(),
    target: pseudonyms.text(profile.baseUrl),
    source: 'suite',
  }
}
