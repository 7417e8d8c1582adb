/**
 * A buyer's policy file, YAML or JSON: which certificates are accepted. It fails closed: an unknown field, id or level is
 * a demand that cannot be checked, so the file is refused.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { conformanceLevels, gapOf, requirements } from '../../spec/index.ts'
import { type Demands, isMeant } from './demands.ts'
import { DemandError } from './demands-text.ts'
import schema from './policy.schema.json' with { type: 'json' }
import { keyIdOf, readPublicKey } from './signing-keys.ts'

/** A policy as it is written. */
interface WrittenPolicy extends Omit<Demands, 'outcome' | 'trustedKeyIds'> {
  readonly format: 'acs-policy/1'
  readonly outcome: 'conformant'
  readonly trusted: readonly { readonly keyId?: string; readonly publicKey?: string }[]
}

const isPolicy = new Ajv2020({ strict: true, allErrors: true }).compile<WrittenPolicy>(schema)

/** The demands of a policy file; throws DemandError. */
export function parsePolicy(text: string): Demands {
  const written = readYaml(text)
  if (!isPolicy(written)) {
    const told = (isPolicy.errors ?? []).slice(0, 3).map(({ instancePath, message, params }) => {
      const { additionalProperty: unknown, missingProperty: missing } = params
      const place = instancePath || 'the policy'
      if (typeof unknown === 'string') return `${place} has no field "${unknown}"`
      if (typeof missing === 'string')
        return `${place} lacks the field "${missing}"${instancePath === '' ? valueText(missing) : ''}`
      return `${place} ${message ?? 'is not valid'}`
    })
    throw new DemandError(told)
  }
  const { format: _, trusted, ...demands } = written
  refuseUnknown(written)
  return { ...demands, trustedKeyIds: trusted.map(keyIdFrom) }
}

/** The fix for a field of the policy that has only one value. */
function valueText(field: string): string {
  const { const: only } = Object(Object(schema.properties)[field]) as { readonly const?: string }
  return only === undefined ? '' : `; add ${field}: ${only}`
}

function readYaml(text: string): unknown {
  try {
    return parse(text, { uniqueKeys: true, maxAliasCount: 0 })
  } catch (cause) {
    const [line] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
    throw new DemandError(`not YAML or JSON: ${line}`, { cause })
  }
}

function refuseUnknown({ levels = [], requirements: wanted = [], gapAnswers = {} }: WrittenPolicy): void {
  const ids = requirements.filter(({ excluded }) => excluded === undefined).map(({ id }) => id)
  const unknown = [
    ...levels.filter((level) => !(conformanceLevels as readonly string[]).includes(level)),
    ...wanted.filter((one) => !ids.some((id) => isMeant(one, id))),
    ...Object.keys(gapAnswers).filter((gap) => gapOf(gap) === undefined),
  ]
  if (unknown.length > 0) throw new DemandError(`not known to this suite: ${unknown.join(', ')}`)
}

function keyIdFrom({ keyId, publicKey }: WrittenPolicy['trusted'][number]): string {
  return keyId ?? keyIdOf(readPublicKey(publicKey ?? ''))
}
