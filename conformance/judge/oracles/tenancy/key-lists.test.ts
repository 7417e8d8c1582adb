/** Proof of tenancy.keys-are-own: lists of keys of two tenants, in any order and read again. */
import { proveOracles, unexercised, upholds, violates } from '../../../../test/trace-builder/prove-oracles.ts'
import { type Fields, uuid } from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { tenancyOracles } from './tenancy.ts'

const key = (s: TraceBuilder): Fields => ({
  id: s.id(),
  api_key: 'secret',
  created_at: s.stamp(),
  last_updated_at: s.stamp(),
})
const keys = (s: TraceBuilder, change: Change = {}, id: string = uuid(60)) =>
  s.send('listMyApiKeys', {}, { id, name: 'Tenant', api_keys: [{ ...key(s), id: id.replace('4000', '4001') }] }, change)
const other = { as: 'secondary' }

proveOracles({ 'tenancy.keys-are-own': tenancyOracles['tenancy.keys-are-own'] }, [
  upholds('tenancy.keys-are-own', 'listMyApiKeys', 'it matters not which key reads first', (s) => {
    keys(s, other, uuid(61))
    keys(s)
  }),
  unexercised('tenancy.keys-are-own', 'listMyApiKeys', 'one tenant alone tells nothing', (s) => keys(s, other)),
  violates('tenancy.keys-are-own', 'listMyApiKeys', 'one key in two spellings', (s) => {
    const id = uuid(62).replace('8000', '8abc')
    keys(s, { with: { api_keys: [{ ...key(s), id }] } })
    keys(s, { ...other, with: { api_keys: [{ ...key(s), id: id.toUpperCase() }] } }, uuid(61))
  }),
  violates(
    'tenancy.keys-are-own',
    'listMyApiKeys',
    'a later list holds the key that another tenant read in between',
    (s) => {
      const [own, foreign] = [key(s), key(s)]
      keys(s, { with: { api_keys: [own] } })
      keys(s, { ...other, with: { api_keys: [foreign] } }, uuid(61))
      keys(s, { with: { api_keys: [foreign, own] } })
    },
  ),
])
