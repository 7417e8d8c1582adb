/**
 * The digests of the files that a statement signs. A verification needs them twice, for the files and for the recomputed
 * statement, so those of one bundle are cached.
 */
import { hash } from 'node:crypto'
import { type Bundle, signedArtefacts } from './bundle.ts'

export type SignedFiles = Omit<Bundle, 'statement.dsse.json'>

interface FileDigest {
  readonly name: (typeof signedArtefacts)[number]
  readonly bytes: Buffer
  readonly sha256: string
}

const known = new WeakMap<SignedFiles, readonly FileDigest[]>()

/** Bytes and SHA-256 of each signed file; the same bundle is not read again. */
export function fileDigests(files: SignedFiles): readonly FileDigest[] {
  const digests = known.get(files) ?? signedArtefacts.map((name) => digestOfFile(name, files[name]))
  known.set(files, digests)
  return digests
}

function digestOfFile(name: FileDigest['name'], text: string): FileDigest {
  const bytes = Buffer.from(text, 'utf8')
  return { name, bytes, sha256: hash('sha256', bytes) }
}
