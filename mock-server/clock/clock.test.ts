/** Laws of the world's clock, in its modes. */
import { expect, test } from 'vitest'
import { OptionError } from '../option-error.ts'
import { adjustable } from './adjustable-clock.ts'
import { type ClockOptions, createClock } from './clock.ts'
import { type Alarm, createTimerQueue } from './timer-queue.ts'
import { timestampOf } from './timestamp.ts'

/** Has something done once; returns what forgets it. */
const at = ({ alarm }: { alarm(act: () => void): Alarm }, dueUs: number, act: () => void) => {
  const { set, clear } = alarm(act)
  set(dueUs)
  return clear
}

test('a timestamp has microseconds and a trailing Z, also before the epoch', () => {
  expect(timestampOf(1_767_225_600_000_007)).toBe('2026-01-01T00:00:00.000007Z')
  expect(timestampOf(1_767_225_601_999_999)).toBe('2026-01-01T00:00:01.999999Z')
  expect(timestampOf(-1)).toBe('1969-12-31T23:59:59.999999Z')
})

test('a timer queue gives back what is due, earliest first and in order of arrival among equals', () => {
  const queue = createTimerQueue()
  const seen: string[] = []
  for (const [due, name] of [
    [5, 'e'],
    [1, 'a'],
    [3, 'c'],
    [3, 'd'],
    [2, 'b'],
    [9, 'z'],
  ] as const) {
    at(queue, due, () => seen.push(name))
  }
  at(queue, 4, () => seen.push('cancelled'))()
  for (let act = queue.take(5); act !== null; act = queue.take(5)) act()
  expect(seen.join('')).toBe('abcde')
  expect(queue.nextDueUs()).toBe(9)
})

test('a timer queue of ten thousand comes out sorted', () => {
  const queue = createTimerQueue()
  const seen: number[] = []
  for (let index = 0; index < 10_000; index += 1) {
    const due = (index * 7919) % 10_007
    at(queue, due, () => seen.push(due))
  }
  for (let act = queue.take(10_007); act !== null; act = queue.take(10_007)) act()
  expect(seen).toEqual([...seen].sort((left, right) => left - right))
  expect(seen).toHaveLength(10_000)
})

test('a frozen clock stands still and makes nobody wait', () => {
  const clock = createClock({ mode: 'frozen', startAt: '2026-01-01T00:00:00Z' })
  const now = clock.nowUs()
  expect(clock.ready(now + 5_000_000)).toBe(now + 5_000_000)
  expect(clock.nowUs()).toBe(now)
  clock.advance(1.5)
  expect(clock.nowUs()).toBe(now + 1500)
})

test('a stepped clock wakes what falls due on the way, each at its own time', () => {
  const clock = createClock({ mode: 'stepped' })
  const start = clock.nowUs()
  const seen: number[] = []
  at(clock, start + 2000, () => seen.push(clock.nowUs() - start))
  at(clock, start + 1000, () => {
    seen.push(clock.nowUs() - start)
    at(clock, start + 1500, () => seen.push(clock.nowUs() - start))
  })
  at(clock, start + 9000, () => seen.push(-1))
  clock.advance(5)
  expect(seen).toEqual([1000, 1500, 2000])
  expect(clock.nowUs() - start).toBe(5000)
})

test('a stepped clock goes to the next thing that waits, and says when there is none', () => {
  const clock = createClock({ mode: 'stepped' })
  const start = clock.nowUs()
  const seen: string[] = []
  at(clock, start + 1000, () => seen.push('first'))
  at(clock, start + 1000, () => seen.push('second'))
  expect(clock.advanceToNext()).toBe(true)
  expect(seen).toEqual(['first'])
  expect(clock.advanceToNext()).toBe(true)
  expect(seen).toEqual(['first', 'second'])
  expect(clock.advanceToNext()).toBe(false)
  expect(clock.nowUs() - start).toBe(1000)
})

test('a cancelled wait never wakes', () => {
  const clock = createClock({ mode: 'stepped' })
  const seen: string[] = []
  at(clock, clock.nowUs() + 1000, () => seen.push('woken'))()
  clock.advance(10)
  expect(seen).toEqual([])
})

test('a clock that follows the machine cannot be advanced, and bad options are refused', () => {
  expect(() => createClock().advance(1)).toThrow(/cannot be advanced/)
  expect(() => createClock({ mode: 'scaled', factor: 0 })).toThrow(/factor/)
  expect(() => createClock({ mode: 'frozen', startAt: 'yesterday' })).toThrow(/ISO 8601/)
  expect(() => createClock({ mode: 'frozen' }).advance(-1)).toThrow(/forward/)
})

test('a mode that is none is refused with those that are', () => {
  const adjusted = adjustable(createClock({ mode: 'frozen' }))
  const made = () => createClock({ mode: 'x10' as never })
  for (const act of [made, () => adjusted.adjust({ mode: 'x10' as never })]) {
    expect(act).toThrow('mode must be one of real, scaled, frozen, stepped, not "x10"')
    expect(act).toThrow('; use mode "scaled" with factor 10')
  }
  for (const [word, object] of [
    ['frozen', "{ mode: 'frozen' }"],
    ['x0.5', "{ mode: 'scaled', factor: 0.5 }"],
  ])
    expect(() => createClock(word as ClockOptions)).toThrow(`startUs, factor; use ${object}`)
  expect(adjusted.mode).toBe('frozen')
})

test('a setting that has no effect in a mode is refused, and the clock stays as it was', () => {
  const startAt = '2030-01-01T00:00:00Z'
  const ineffective: readonly ClockOptions[] = [
    { startAt },
    { mode: 'scaled', startAt },
    { factor: 5 },
    { mode: 'frozen', factor: 5 },
    { mode: 'stepped', startAt: 'nope' },
    { mode: 'stepped', startAt: '2251-01-01T00:00:00Z' },
    { mode: 'frozen', startat: startAt } as ClockOptions,
    'frozen' as ClockOptions,
  ]
  for (const options of ineffective) expect(() => createClock(options), JSON.stringify(options)).toThrow(OptionError)
  const adjusted = adjustable(createClock({ mode: 'scaled', factor: 3 }))
  expect(() => adjusted.adjust({ startAt })).toThrow(/startAt has no effect on a scaled clock/)
  expect(() => adjusted.adjust({ mode: 'real', factor: 3 })).toThrow(/factor has no effect on a real clock/)
  expect([adjusted.mode, adjusted.factor]).toEqual(['scaled', 3])
  adjusted.adjust({ mode: 'stepped', startAt })
  adjusted.adjust({ startAt: '2031-01-01T00:00:00Z' })
  expect(timestampOf(adjusted.nowUs())).toBe('2031-01-01T00:00:00.000000Z')
})

test('a scaled clock brings a wait of a world-minute to an end within real milliseconds', async () => {
  const clock = createClock({ mode: 'scaled', factor: 60_000 })
  const due = clock.nowUs() + 60_000_000
  await new Promise<void>((resolve) => at(clock, due, resolve))
  expect(clock.nowUs()).toBeGreaterThanOrEqual(due)
})

test('a fork shows the same time and then goes its own way', () => {
  const clock = createClock({ mode: 'stepped' })
  clock.advance(7)
  const fork = clock.fork()
  expect(fork.nowUs()).toBe(clock.nowUs())
  fork.advance(1)
  expect(fork.nowUs()).toBe(clock.nowUs() + 1000)
})

test('a clock that is adjusted goes on from where it is and carries along what waits', async () => {
  const clock = adjustable(createClock({ mode: 'stepped', startAt: '2030-01-01T00:00:00Z' }))
  const start = clock.nowUs()
  const acted: string[] = []
  at(clock, start + 2000, () => acted.push('second'))
  at(clock, start + 1000, () => acted.push('first'))
  at(clock, start + 1500, () => acted.push('never'))()
  clock.adjust({ mode: 'frozen' })
  expect([clock.mode, clock.nowUs()]).toEqual(['frozen', start])
  await new Promise((resolve) => setImmediate(resolve))
  expect(acted).toEqual(['first', 'second'])
  clock.adjust({ mode: 'stepped', startAt: '2031-01-01T00:00:00Z' })
  expect(clock.nowUs()).toBe(Date.parse('2031-01-01T00:00:00Z') * 1000)
  clock.adjust({ mode: 'scaled', factor: 1000 })
  expect(clock.nowUs()).toBeGreaterThanOrEqual(Date.parse('2031-01-01T00:00:00Z') * 1000)
  expect(() => clock.adjust({ mode: 'scaled', factor: -1 })).toThrow(RangeError)
  expect(clock.mode).toBe('scaled')
})

test('a move to a time that no stamp can show is refused before anything moves', () => {
  const clock = createClock({ mode: 'stepped', startAt: '2030-01-01T00:00:00Z' })
  const start = clock.nowUs()
  for (const far of [1e300, 1e13, Number.POSITIVE_INFINITY, Number.NaN])
    expect(() => clock.advance(far)).toThrow(RangeError)
  expect(() => clock.restore({ nowUs: 1e18 })).toThrow(RangeError)
  expect(clock.nowUs()).toBe(start)
  at(clock, start + 1e16, () => {})
  expect(() => clock.advanceToNext()).toThrow(RangeError)
  expect(clock.nowUs()).toBe(start)
  for (const startAt of ['-271821-04-20T00:00:00Z', '0001-01-01T00:00:00Z', '+275760-09-13T00:00:00Z']) {
    expect(() => createClock({ mode: 'frozen', startAt }), startAt).toThrow(/1700-01-01T00:00:00Z to 2250/)
  }
  expect(() => createClock({ mode: 'real', startUs: 1e17 })).toThrow(RangeError)
})

test('a start is a day of the calendar, in any form of ISO 8601, to the microsecond', () => {
  const startOf = (startAt: string) => timestampOf(createClock({ mode: 'frozen', startAt }).nowUs())
  expect(startOf('2030-01-01T00:00:00.000007Z')).toBe('2030-01-01T00:00:00.000007Z')
  expect(startOf('2030-01-01')).toBe('2030-01-01T00:00:00.000000Z')
  expect(startOf('2028-02-29T01:00+02:00')).toBe('2028-02-28T23:00:00.000000Z')
  for (const startAt of ['2030-02-30T00:00:00Z', '2030-02-29', '2030-13-01', 'March 7', 'nope'])
    expect(() => startOf(startAt), startAt).toThrow(/not an ISO 8601 time/)
})

test('a stamp that cannot be made leaves the next ones right', () => {
  const before = timestampOf(1_767_225_600_000_007)
  expect(() => timestampOf(9e21)).toThrow(RangeError)
  expect(() => timestampOf(9e21)).toThrow(RangeError)
  expect(timestampOf(1_767_225_600_000_007)).toBe(before)
})

test('a factor that no timer can keep is refused', () => {
  for (const factor of [1e-9, 1e9, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => createClock({ mode: 'scaled', factor })).toThrow(/factor must be from/)
  }
})

test('what is due in years waits, without a timer that overflows and fires at once', async () => {
  const warned: Error[] = []
  const hear = (warning: Error) => void warned.push(warning)
  process.on('warning', hear)
  let woken = 0
  const clock = createClock({ mode: 'scaled', factor: 0.001 })
  const cancel = at(clock, clock.nowUs() + 86_400_000_000, () => {
    woken += 1
  })
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1))
  cancel()
  process.off('warning', hear)
  expect([woken, warned.filter(({ name }) => name === 'TimeoutOverflowWarning')]).toEqual([0, []])
})

test('a scheduled callback that fails is warned of, and those behind it are kept', async () => {
  const clock = adjustable(createClock({ mode: 'stepped' }))
  const start = clock.nowUs()
  const seen: string[] = []
  at(clock, start + 1000, () => {
    throw new Error('deliberate')
  })
  at(clock, start + 2000, () => seen.push('behind'))
  const warning = new Promise<Error>((resolve) => process.once('warning', resolve))
  clock.advance(5)
  expect(seen).toEqual(['behind'])
  expect((await warning).message).toContain('a scheduled callback failed: Error: deliberate')
})

test('a timer queue forgets what is cleared or set anew at once, and keeps the order of the others', () => {
  const queue = createTimerQueue()
  const seen: number[] = []
  const alarms = Array.from({ length: 5000 }, (_, index) => queue.alarm(() => seen.push(index)))
  const due = (index: number) => (index * 7919) % 5003
  for (const [index, alarm] of alarms.entries()) alarm.set(index % 2 === 0 ? due(index) : due(index + 1))
  for (const [index, alarm] of alarms.entries()) {
    if (index % 5 !== 0) alarm.clear()
    else if (index % 2 === 1) alarm.set(due(index))
  }
  expect(queue.size()).toBe(1000)
  for (let act = queue.take(5003); act !== null; act = queue.take(5003)) act()
  expect(seen).toEqual([...seen].sort((left, right) => due(left) - due(right)))
  expect(seen).toHaveLength(1000)
})

test('an alarm acts as often as it is set, also under a clock that has changed since', async () => {
  const clock = adjustable(createClock({ mode: 'stepped', startAt: '2030-01-01T00:00:00Z' }))
  let acted = 0
  const alarm = clock.alarm(() => {
    acted += 1
  })
  alarm.set(clock.nowUs() + 1000)
  alarm.set(clock.nowUs() + 3000)
  clock.advance(2)
  expect(acted).toBe(0)
  clock.advance(2)
  expect(acted).toBe(1)
  clock.adjust({ mode: 'frozen' })
  alarm.set(clock.nowUs() + 1000)
  await new Promise((resolve) => setImmediate(resolve))
  expect(acted).toBe(2)
})
