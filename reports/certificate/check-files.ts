/**
 * The first half of a verification: it checks that these are the signed files. Every difference is named with its file and
 * place. Verdicts are not checked here.
 */
import type { Bundle } from './bundle.ts'
import { type DsseEnvelope, openEnvelope } from './dsse-envelope.ts'
import { fileDigests } from './file-digests.ts'
import { parseStatement } from './parse-statement.ts'
import { keyIdOf, readPublicKey } from './signing-keys.ts'
import { blockBytes, blockDigests, type Statement } from './statement.ts'

interface CheckedFiles {
  /** The signed statement, or `null` when it cannot be trusted. */
  readonly statement: Statement | null
  readonly keyId: string | null
  readonly problems: readonly string[]
}

/** Checks signature and digests; `publicKey` is the key that the verifier trusts, if any. */
export function checkFiles(bundle: Bundle, publicKey: string | undefined): CheckedFiles {
  try {
    const key = readPublicKey(publicKey ?? bundle['public-key.pem'])
    const envelope = envelopeOf(bundle['statement.dsse.json'])
    if (envelope === null) return nothing('statement.dsse.json is not a DSSE envelope as a bundle holds it')
    const opened = openEnvelope(envelope, key)
    if ('fault' in opened) return nothing(`statement.dsse.json: ${opened.fault}`)
    const parsed = parseStatement(opened.payload)
    if ('fault' in parsed) return nothing(`statement.dsse.json: ${parsed.fault}`)
    return { ...parsed, keyId: keyIdOf(key), problems: digestProblems(bundle, parsed.statement) }
  } catch (cause) {
    return nothing(`public-key.pem: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

function nothing(problem: string): CheckedFiles {
  return { statement: null, keyId: null, problems: [problem] }
}

/** Written again it must be the same text: a change that parsing would forgive, or a further member, is a change. */
function envelopeOf(text: string): DsseEnvelope | null {
  try {
    const { payloadType, payload, signatures } = JSON.parse(text) as DsseEnvelope
    const envelope = { payloadType, payload, signatures: signatures.map(({ keyid, sig }) => ({ keyid, sig })) }
    const isText = [payloadType, payload, ...envelope.signatures.flatMap(({ keyid, sig }) => [keyid, sig])].every(
      (part) => typeof part === 'string',
    )
    return isText && `${JSON.stringify(envelope)}\n` === text ? envelope : null
  } catch {
    return null
  }
}

function digestProblems(bundle: Bundle, { subject, predicate }: Statement): readonly string[] {
  return fileDigests(bundle).flatMap(({ name, bytes, sha256 }) => {
    const signed = subject.find((one) => one.name === name)?.digest.sha256
    if (signed === undefined) return [`${name} is not covered by the statement`]
    if (sha256 === signed) return []
    return [`${name} is not the signed file: ${changedPlace(bytes, predicate.blocks[name] ?? [])}`]
  })
}

function changedPlace(bytes: Buffer, signedBlocks: readonly string[]): string {
  const blocks = blockDigests(bytes)
  const changed = blocks.findIndex((digest, index) => digest !== signedBlocks[index])
  if (changed === -1) return `it ends after byte ${bytes.length}, too early`
  const start = changed * blockBytes
  const line = bytes.subarray(0, start).toString('utf8').split('\n').length
  return `it differs within bytes ${start} to ${start + blockBytes - 1}, from line ${line} on`
}
