/** What is drawn has to be refused by every reading of the contract. */
import { expect, test } from 'vitest'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { seededRandom } from '../../probe-runtime/seeded-random.ts'
import { faultDrawer } from './drawn-faults.ts'

const seeds = Array.from({ length: 20 }, (_, seed) => seed)
const body = { role: 'user', content: 'Hello' }

/** The values that are drawn for a field of a message. */
function drawn(
  seed: number,
  name: keyof typeof body,
  operators: Parameters<ReturnType<typeof faultDrawer>>[0]['operators'],
) {
  const context = { random: seededRandom(seed, 'drawn') } as ProbeContext
  const draw = faultDrawer(context, { operation: 'createMessage', path: {}, query: [], headers: [], body })
  return Array.from({ length: 8 }, (_, turn) => draw({ pointer: `/${name}`, operators }, turn)).map(
    (fault) => JSON.parse(String(fault.body))[name],
  )
}

test('no role that is drawn is a known one in another spelling', () => {
  const roles = seeds.flatMap((seed) => drawn(seed, 'role', ['N-ENUM']))
  expect(new Set(roles).size).toBeGreaterThan(3)
  for (const role of roles) expect(role.trim().toLowerCase()).not.toBe('user')
})

test('the first of all wrong types of a text is a number, which careless code converts', () => {
  for (const seed of seeds) expect(typeof drawn(seed, 'content', ['N-TYPE'])[0]).toBe('number')
})
