/** Oracles of chapter auth: no success without a known key in its header. */
import type { OperationId, TestableId } from '../../../../spec/index.ts'
import { operationIds, operations } from '../../../../spec/index.ts'
import { textField } from '../../read/json.ts'
import { documentOf, isAccepted } from '../../read/parsed-exchange.ts'
import { judgeAcceptance } from '../support/acceptance.ts'
import { acceptsNothing } from '../support/confounders.ts'
import { type Oracle, perTrace, type ScopedOracle } from '../support/oracle.ts'
import { refusalOf } from '../support/refusals.ts'
import { keysAllListed, keysOfOneTenant } from '../tenancy/keys-of-one-tenant.ts'

const keyed: readonly OperationId[] = operationIds.filter(
  (id) => operations[id].profile === 'contract' && operations[id].path !== null,
)

const headerNameAnyCase: Oracle = (analysis, observe) => {
  for (const parsed of analysis.of('listAssistants')) {
    const odd = parsed.exchange.request.headers.some(([name]) => name !== 'api-key' && name.toLowerCase() === 'api-key')
    const { validity } = analysis.requestOf(parsed)
    // What a redirect led to may have a slash at its end.
    if (odd && validity === 'unsure' && parsed.key === 'sent' && isAccepted(parsed))
      observe.held('listAssistants', null, parsed.id)
    else if (odd && validity === 'valid') {
      if (acceptsNothing(analysis, 'listAssistants'))
        observe.ambiguous('listAssistants', null, parsed.id, 'No list is served.')
      else judgeAcceptance(observe, parsed, null, 'a request that writes the name of the header in another case')
    }
  }
}

const keyNamesTenant: Oracle = (analysis, observe) => {
  keysOfTwoTenants(analysis, observe)
  keysOfOneTenant(analysis, observe)
  keysAllListed(analysis, observe)
}

const keysOfTwoTenants: Oracle = (analysis, observe) => {
  const records = analysis.of('listMyApiKeys').filter((parsed) => textField(documentOf(parsed), 'id') !== null)
  const [first] = records.filter(({ tenant }) => tenant === 'primary')
  if (first === undefined) return
  for (const other of records) {
    if (other.tenant !== 'secondary') continue
    const id = textField(documentOf(other), 'id')
    if (id !== textField(documentOf(first), 'id')) observe.held('listMyApiKeys', null, first.id, other.id)
    else {
      observe.contradicted('listMyApiKeys', null, {
        exchanges: [first.id, other.id],
        expected: 'another tenant for the key of another tenant',
        actual: `the same tenant ${id}`,
        pointer: '/id',
        because: `${first.id} and ${other.id} use the keys of two tenants, and both read the same tenant record.`,
        headline: 'keys of two tenants read the same tenant record',
      })
    }
  }
}

/** The oracles of chapter auth. */
export const authOracles: Readonly<Record<TestableId<'auth'>, ScopedOracle>> = {
  'auth.key-required': refusalOf(keyed, 'a request without a key', { 'key-missing': null }),
  'auth.unknown-key-refused': refusalOf(keyed, 'a request with an API key that does not exist', {
    'key-unknown': null,
  }),
  'auth.header-name-any-case': perTrace(headerNameAnyCase),
  'auth.key-names-tenant': perTrace(keyNamesTenant),
}
