/**
 * Signs and verifies DSSE envelopes: a signature over the type and the exact bytes of a payload. Nothing has to be made
 * canonical before it is verified. The few lines of the standard stand here since its maintained package needs a newer
 * Node than ours.
 */
import { type KeyObject, sign, verify } from 'node:crypto'
import { keyIdOf } from './signing-keys.ts'

export interface DsseEnvelope {
  readonly payloadType: string
  readonly payload: string
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[]
}

const payloadType = 'application/vnd.in-toto+json'

/** The signed envelope around a payload. */
export function signEnvelope(payload: string, privateKey: KeyObject): DsseEnvelope {
  const body = Buffer.from(payload, 'utf8')
  const sig = sign(null, preAuthEncoding(payloadType, body), privateKey).toString('base64')
  return { payloadType, payload: body.toString('base64'), signatures: [{ keyid: keyIdOf(privateKey), sig }] }
}

/** The payload when the signature is this key's, else why not. */
export function openEnvelope(
  envelope: DsseEnvelope,
  publicKey: KeyObject,
): { readonly payload: string } | { readonly fault: string } {
  const [signature, ...others] = envelope.signatures
  if (signature === undefined || others.length > 0) return { fault: 'it does not have exactly one signature' }
  if (envelope.payloadType !== payloadType) return { fault: `its payload type is not ${payloadType}` }
  if (signature.keyid !== keyIdOf(publicKey))
    return { fault: `it names the key ${signature.keyid}, not ${keyIdOf(publicKey)}` }
  const body = strictBase64(envelope.payload)
  const sig = strictBase64(signature.sig)
  if (body === null || sig === null) return { fault: 'its base64 is not canonical' }
  const genuine = verify(null, preAuthEncoding(envelope.payloadType, body), publicKey, sig)
  return genuine ? { payload: body.toString('utf8') } : { fault: 'the signature does not fit the statement' }
}

/** DSSE's PAE: lengths in front, so that no two (type, body) pairs encode alike. */
function preAuthEncoding(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.length} `), body])
}

/** Node's decoder skips what is no base64; here every character has to count. */
function strictBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}
