/**
 * Parses the signed statement of a certificate. A signature makes nothing well-formed, so every member is checked
 * before it is used, and unknown ones are refused.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import schema from './statement.schema.json' with { type: 'json' }
import type { Statement } from './statement.ts'

const isStatement = new Ajv2020({ strict: true, allowUnionTypes: true }).compile<Statement>(schema)

/** The statement, or the problem with it. */
export function parseStatement(text: string): { readonly statement: Statement } | { readonly fault: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { fault: 'the payload is not JSON' }
  }
  if (!isStatement(value)) {
    const [first] = isStatement.errors ?? []
    const name: unknown = first?.params.additionalProperty
    const place = first?.instancePath === '' ? 'the statement' : (first?.instancePath ?? '')
    return { fault: `${place} ${first?.message ?? 'is not valid'}${typeof name === 'string' ? `: ${name}` : ''}` }
  }
  const { issuedAt, expiresAt } = value.predicate.acs
  if (!isInstant(issuedAt)) return { fault: `issuedAt is no point in time in ISO 8601 and UTC: ${issuedAt}` }
  if (!isInstant(expiresAt)) return { fault: `expiresAt is no point in time in ISO 8601 and UTC: ${expiresAt}` }
  return { statement: value }
}

/** As `Date.prototype.toISOString` writes it, within four-digit years. */
function isInstant(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return false
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text
}
