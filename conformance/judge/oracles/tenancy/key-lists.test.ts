/** Proof of tenancy.keys-are-own: lists of keys of two tenants, in any order and read again. */
import { key, keys } from '../../../../test/trace-builder/key-lists.ts'
import { proveOracles, unexercised, upholds, violates } from '../../../../test/trace-builder/prove-oracles.ts'
import { uuid } from '../../../../test/trace-builder/sample-data.ts'
import { tenancyOracles } from './tenancy.ts'

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
  violates('tenancy.keys-are-own', 'listMyApiKeys', 'a shared key that a third key has listed before', (s) => {
    const shared = key(s)
    for (const as of ['throttled', 'primary', 'secondary']) keys(s, { as, with: { api_keys: [shared] } })
  }),
])
