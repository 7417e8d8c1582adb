/** Oracles of chapter auth: no success without a known key in its header. */
import type { OperationId, TestableId } from '../../spec/index.ts'
import { operationIds, operations } from '../../spec/index.ts'
import { textField } from '../classify/json.ts'
import { documentOf } from '../classify/reading.ts'
import { servesNothing } from './alike.ts'
import { judgeAcceptance, mustBeRefused, type Oracle } from './oracle.ts'

const keyed: readonly OperationId[] = operationIds.filter(
  (id) => operations[id].profile === 'contract' && operations[id].path !== null,
)

const headerNameAnyCase: Oracle = (docket, testify) => {
  for (const reading of docket.of('listAssistants')) {
    const odd = reading.exchange.request.headers.some(
      ([name]) => name !== 'api-key' && name.toLowerCase() === 'api-key',
    )
    if (odd && docket.requestOf(reading).validity === 'valid') {
      if (servesNothing(docket, 'listAssistants'))
        testify.ambiguous('listAssistants', null, reading.id, 'No list is served.')
      else judgeAcceptance(testify, reading, null, 'a request that writes the name of the header in another case')
    }
  }
}

const keyNamesTenant: Oracle = (docket, testify) => {
  const records = docket.of('listMyApiKeys').filter((reading) => textField(documentOf(reading), 'id') !== null)
  const [first] = records.filter(({ tenant }) => tenant === 'primary')
  if (first === undefined) return
  for (const other of records) {
    if (other.tenant !== 'secondary') continue
    const id = textField(documentOf(other), 'id')
    if (id !== textField(documentOf(first), 'id')) testify.held('listMyApiKeys', null, first.id, other.id)
    else {
      testify.contradicted('listMyApiKeys', null, {
        exchanges: [first.id, other.id],
        expected: 'another tenant for the key of another tenant',
        actual: `the same tenant ${id}`,
        pointer: '/id',
        because: `${first.id} and ${other.id} use the keys of two tenants, and both read the same tenant record.`,
      })
    }
  }
}

/** The oracles of chapter auth. */
export const authOracles: Readonly<Record<TestableId<'auth'>, Oracle>> = {
  'auth.key-required': (docket, testify) =>
    mustBeRefused(docket, testify, {
      operations: keyed,
      faults: { 'key-missing': null },
      what: 'a request without a key',
    }),
  'auth.unknown-key-refused': (docket, testify) =>
    mustBeRefused(docket, testify, {
      operations: keyed,
      faults: { 'key-unknown': null },
      what: 'a request with a made-up key',
    }),
  'auth.header-name-any-case': headerNameAnyCase,
  'auth.key-names-tenant': keyNamesTenant,
}
