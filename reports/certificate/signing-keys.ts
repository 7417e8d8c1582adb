/** Ed25519 keys for certificates, in the PEM forms that other tools read. The private one is only ever passed in. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'

export interface SigningKeys {
  /** PKCS #8 PEM. */
  readonly privateKey: string
  /** SPKI PEM. */
  readonly publicKey: string
  readonly keyId: string
}

/** Why a text is not a key for certificates. */
class KeyError extends Error {
  override readonly name = 'KeyError'
  readonly code = 'invalid-key'
}

/** A new pair of keys. */
export function generateSigningKeys(): SigningKeys {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    keyId: keyIdOf(publicKey),
  }
}

/** The private key in a PEM text; throws KeyError. */
export function readPrivateKey(pem: string): KeyObject {
  return ed25519(() => createPrivateKey(pem), 'private')
}

/** The public key in a PEM text; throws KeyError. */
export function readPublicKey(pem: string): KeyObject {
  return ed25519(() => createPublicKey(pem), 'public')
}

function ed25519(read: () => KeyObject, kind: string): KeyObject {
  try {
    const key = read()
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // Reported below: the error of a crypto library does not help with a wrong file.
  }
  throw new KeyError(`not an Ed25519 ${kind} key in PEM form; acs keygen makes one`)
}

/** The name of a key: the SHA-256 of its public part. */
export function keyIdOf(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}

/** The public part as SPKI PEM. */
export function publicPem(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
}
