/**
 * The head of a trace: which suite, which contract and which profile made the evidence. The profile goes in redacted, and
 * its digest is taken without the keys, so that the same profile has the same digest in every run.
 */
import { existsSync, readFileSync } from 'node:fs'
import { contractDigest } from '../spec/index.ts'
import type { TraceHeader } from './exchange.ts'
import { profileDigest, redactProfile } from './profile/redact-profile.ts'
import type { TargetProfile } from './profile/target-profile.ts'
import type { Pseudonyms } from './pseudonyms.ts'

/** The header of a run of the suite. */
export function traceHeader(profile: TargetProfile, pseudonyms: Pseudonyms, seed: number): TraceHeader {
  return {
    kind: 'header',
    format: 'acs-trace/1',
    suiteVersion,
    contractDigest: contractDigest(),
    profileDigest: profileDigest(profile),
    profile: redactProfile(profile, pseudonyms),
    seed,
    startedAt: new Date().toISOString(),
    target: pseudonyms.text(profile.baseUrl),
    source: 'suite',
  }
}

/** package.json is one level up in the sources and two levels up in dist. */
const manifest = ['../package.json', '../../package.json']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url))

/** The version of the suite. */
export const suiteVersion: string =
  manifest === undefined ? '0.0.0' : (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
