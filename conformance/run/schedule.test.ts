/** Which probes may overlap follows from the plan alone. */
import { expect, test } from 'vitest'
import { playOrder } from '../planning/play-order.ts'
import { allProbes } from '../probes/registry.ts'
import { minimalProfile } from '../profile/minimal-profile.ts'
import { playInOrder, scheduleOf } from './schedule.ts'

const profile = minimalProfile('http://acs.test', { primary: { key: 'k' } })
const gateProbes = allProbes.filter(({ from }) => from === 'gate' || from === 'smoke')
const isLate = ({ late }: (typeof gateProbes)[number]): boolean => late === true
const isStandby = ({ standby }: (typeof gateProbes)[number]): boolean => standby === true
const planned = gateProbes.filter((one) => !isStandby(one))
const registered = [
  ...planned.filter((one) => !isLate(one)),
  ...planned.filter(isLate),
  ...gateProbes.filter(isStandby),
]
const inRegistry = scheduleOf(registered, profile, 'gate')
const sequence = playOrder(registered, 7)
const schedule = scheduleOf(sequence, profile, 'gate')
const probe = (id: string) => sequence.find((one) => one.id === id) ?? expect.fail(id)

test('probes that use the same thread play in the order that they are given in', () => {
  expect([...inRegistry.waitsFor(probe('threads.run'))]).toContain('threads.run-stream')
  expect([...inRegistry.waitsFor(probe('pagination.walk'))]).toContain('threads.messages')
})

test('a probe that shares nothing waits for no other but those that it names and the opening', () => {
  expect(inRegistry.waitsFor(probe('completions.field-refusals'))).toEqual(new Set(['completions.answer']))
  const opened = scheduleOf(registered, profile, 'gate', { opening: new Set(['threads.messages']) })
  expect([...opened.waitsFor(probe('completions.field-refusals'))]).toContain('threads.messages')
})

test('nothing overlaps with what exhausts a quota, nor with the last look', () => {
  const place = (id: string): number => sequence.findIndex((one) => one.id === id)
  for (const id of ['errors.rate-limit', 'threads.final-look'])
    for (const { id: other } of sequence) {
      const [first, second] = place(id) < place(other) ? [id, other] : [other, id]
      if (first !== second) expect(schedule.placesFor(probe(second))(first)).not.toBeNull()
    }
})

test('a probe knows the threads only of probes that are surely over', () => {
  const placeFor = inRegistry.placesFor(probe('completions.continue'))
  expect(placeFor('completions.answer')).not.toBeNull()
  expect(placeFor('streams.text')).toBeNull()
})

test('probes that wait for each other end the run as a fault of the suite, and do not shorten it', async () => {
  const [one, other] = [probe('threads.run'), probe('threads.run-stream')]
  const knot = {
    ...schedule,
    waitsFor: ({ id }: { readonly id: string }) => new Set([id === one.id ? other.id : one.id]),
  }
  await expect(playInOrder([one, other], knot, 1, async () => true)).rejects.toThrow('wait for each other')
})

test('with several workers every probe still plays once, and behind those that it waits for', async () => {
  const over: string[] = []
  await playInOrder(sequence, schedule, 8, async (one) => {
    for (const id of schedule.waitsFor(one)) expect(over).toContain(id)
    await Promise.resolve()
    over.push(one.id)
    return true
  })
  expect(over.toSorted()).toEqual(sequence.map(({ id }) => id).toSorted())
})

test('a slow probe plays early, so that others play beside it', () => {
  for (const seed of [1, 7, 100]) {
    const order = playOrder(registered, seed).map(({ id }) => id)
    const place = order.indexOf('pagination.long-thread')
    expect(order.indexOf('threads.fragile-texts')).toBeLessThan(place)
    expect(order.slice(place).filter((id) => id.startsWith('completions.')).length).toBeGreaterThan(5)
  }
})

test('a probe that needs quiet is the first of the late ones, or the last on standby', () => {
  for (const seed of [1, 7, 100]) {
    const order = playOrder(registered, seed)
    const late = order.filter((one) => isLate(one) && one.last !== true)
    const waiting = order.filter(isStandby)
    expect([late[0]?.id, waiting.at(-1)?.id]).toEqual(['errors.rate-limit', 'threads.beside-many'])
  }
})
