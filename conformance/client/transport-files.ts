/** Reads the certificates that a transport names. */
import { readFileSync } from 'node:fs'
import { createSecureContext, rootCertificates, type SecureContextOptions } from 'node:tls'
import type { TransportProfile } from '../profile/target-profile.ts'

/** The trusted authorities: the usual ones, and that of the profile. Throws the system's error. */
export const trustOf = ({ ca }: TransportProfile): SecureContextOptions =>
  ca === undefined ? {} : { ca: [...rootCertificates, authorityIn(ca)] }

/** The text of a PEM file; Node silently ignores a text without a certificate. */
const authorityIn = (file: string): string => {
  const text = readFileSync(file, 'utf8')
  if (!/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/.test(text)) throw new Error('it holds no certificate')
  return text
}

/** The certificate that the suite shows. Throws the system's error. */
export const identityOf = ({ clientCert, clientKey, clientKeyPassphrase }: TransportProfile): SecureContextOptions => {
  if (clientCert === undefined || clientKey === undefined) return {}
  const pair = { cert: readFileSync(clientCert, 'utf8'), key: readFileSync(clientKey, 'utf8') }
  return clientKeyPassphrase === undefined ? pair : { ...pair, passphrase: clientKeyPassphrase }
}

/** The problem with the files of a transport, or `null`. */
export const transportFileProblem = (transport: TransportProfile): string | null => {
  const { ca, clientCert, clientKey } = transport
  try {
    createSecureContext({ ...trustOf(transport), ...identityOf(transport) })
    return null
  } catch (cause) {
    const { code, path, message } = cause as NodeJS.ErrnoException
    if (path !== undefined) return `${path}: cannot be read (${code}); name a PEM file`
    const files = [ca, clientCert, clientKey].filter((file) => file !== undefined)
    return `${files.join(', ')}: cannot be used (${message}); name PEM files that belong together`
  }
}
