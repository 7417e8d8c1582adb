/** Proof of the oracles about the status of files, by a profile that maps it. It is polled until complete, and told for a day. */
import { complete, files, mapped, missing, poll, uploaded } from '../../../../test/trace-builder/file-exchanges.ts'
import {
  inconclusive,
  noViolation,
  type OracleCase,
  proveOracles,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { rejectedWith } from '../../../../test/trace-builder/sample-data.ts'
import type { TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { keptForADay, statusPolled } from './status.ts'

interface Overtaken {
  /** The status before the upload, and those behind it. */
  readonly early?: unknown
  readonly states?: readonly unknown[]
  /** The sixth and last request comes so late. */
  readonly lastAtMs?: number
  /** What the later file does; it is complete at once. */
  readonly later?: (s: TraceBuilder) => void
}

/** A file of which `early` is told before its upload, and one that is uploaded behind it. */
const overtaken =
  ({ early = 'WAIT', states = Array(6).fill('WAIT'), lastAtMs = 11_000, later = complete }: Overtaken = {}) =>
  (s: TraceBuilder): void => {
    const id = uploaded(s, undefined, {}, (id) => early !== null && poll(s, id, early))
    later(s)
    for (const [index, state] of states.entries()) {
      const atMs = lastAtMs - (states.length - 1 - index) * 100
      poll(s, id, state, { at: [atMs, atMs + 1] })
    }
  }

/** Two files whose uploads overlap; the second one is complete at once, and was asked for before. Gives the first. */
const together = (s: TraceBuilder): string => {
  let second = ''
  const first = uploaded(s, undefined, { at: [500, 700] }, () => {
    second = uploaded(s, undefined, { at: [600, 650] }, (id) => poll(s, id, 'WAIT'))
  })
  poll(s, second, 'DONE', { at: [800, 801] })
  return first
}
/** A file that is at WORK, and complete a moment later. */
const completeAfterWork = (s: TraceBuilder): void => {
  const id = uploaded(s)
  poll(s, id, 'WORK')
  poll(s, id)
}
const workAfterComplete = (s: TraceBuilder): void => poll(s, complete(s), 'WORK')
const workOfOther = (s: TraceBuilder): void => {
  complete(s)
  const id = uploaded(s, undefined, {}, undefined, 'secondary')
  for (const state of ['WORK', 'DONE']) poll(s, id, state, { as: 'secondary' })
}

const statusCases: readonly OracleCase[] = [
  upholds('files.status-polled', 'getFileStatus', 'a file is complete at once', (s) => complete(s), mapped),
  upholds(
    'files.status-polled',
    'getFileStatus',
    'a file is known later, in work, and then complete',
    (s) => {
      const id = uploaded(s)
      poll(s, id, '', missing)
      poll(s, id, 'WORK')
      poll(s, id)
    },
    mapped,
  ),
  ...[404, 405].map((status) =>
    inconclusive(
      'files.status-polled',
      'getFileStatus',
      `each request for the status is answered with ${status}, as for a path that nobody serves`,
      (s) => {
        const id = uploaded(s)
        for (let time = 0; time < 3; time += 1) poll(s, id, '', { status, body: {} })
        s.assistants()
      },
      mapped,
    ),
  ),
  ...[400, 500, 503].map((status) =>
    violates(
      'files.status-polled',
      'getFileStatus',
      `each request for the status is answered with ${status}`,
      (s) => {
        const id = uploaded(s)
        for (let time = 0; time < 3; time += 1) poll(s, id, '', { status, body: {} })
        s.assistants()
      },
      mapped,
    ),
  ),
  violates(
    'files.status-polled',
    'getFileStatus',
    'each request for the status finds no such file, in the words of the service',
    (s) => {
      const id = uploaded(s)
      for (let time = 0; time < 3; time += 1) poll(s, id, '', missing)
      s.assistants()
    },
    mapped,
  ),
  inconclusive(
    'files.status-polled',
    'getFileStatus',
    'a service that is down by then is only down',
    (s) => {
      const id = uploaded(s)
      for (let time = 0; time < 3; time += 1) poll(s, id, '', { status: 503, body: {} })
    },
    mapped,
  ),
  inconclusive(
    'files.status-polled',
    'getFileStatus',
    'two errors may be an accident',
    (s) => {
      const id = uploaded(s)
      for (let time = 0; time < 2; time += 1) poll(s, id, '', missing)
    },
    mapped,
  ),
  ...['WORK', 'BROKEN', 'done', null].map((state) =>
    inconclusive(
      'files.status-polled',
      'getFileStatus',
      `the values are the vendor's: ${state}`,
      (s) => {
        const id = uploaded(s)
        for (let time = 0; time < 4; time += 1) poll(s, id, state)
        poll(s, id, '', missing)
      },
      mapped,
    ),
  ),
  inconclusive(
    'files.status-polled',
    'getFileStatus',
    'a full quota is no error of the status',
    (s) => {
      const id = uploaded(s)
      for (let time = 0; time < 3; time += 1) poll(s, id, '', rejectedWith('rate_limit_gateway', 429))
    },
    mapped,
  ),
  unexercised(
    'files.status-polled',
    'getFileStatus',
    'before the upload nothing is promised',
    (s) => {
      const id = uploaded(s, undefined, { status: 503 })
      for (let time = 0; time < 3; time += 1) poll(s, id, '', missing)
    },
    mapped,
  ),
  violates(
    'files.status-polled',
    'getFileStatus',
    'a file stays as it was before its upload, while a later one is complete long since',
    overtaken(),
    mapped,
  ),
  violates(
    'files.status-polled',
    'getFileStatus',
    'a file stays as another one was before its upload, while one that was uploaded meanwhile is complete long since',
    (s) => {
      const stuck = together(s)
      for (let time = 0; time < 6; time += 1) poll(s, stuck, 'WAIT', { at: [11_000 + time * 100, 11_001 + time * 100] })
    },
    mapped,
  ),
  noViolation(
    'files.status-polled',
    'getFileStatus',
    'a file that shows work since its upload is only slow',
    (s) => {
      const stuck = together(s)
      for (let time = 0; time < 6; time += 1) poll(s, stuck, 'WORK', { at: [11_000 + time * 100, 11_001 + time * 100] })
    },
    mapped,
  ),
  ...(['WORK', 'OTHER'] as const).map((last) =>
    (last === 'WORK' ? violates : noViolation)(
      'files.status-polled',
      'getFileStatus',
      `a file stays at ${last}, while a later one is complete long since, which was at WORK as well`,
      overtaken({ early: null, states: [...Array(5).fill('WORK'), last], later: completeAfterWork }),
      mapped,
    ),
  ),
  ...(
    [
      ['another tenant’s file does not tell how those of this one are processed', { later: workOfOther }],
      ['a status that a file had once it was complete may end others', { later: workAfterComplete }],
      ['it shows another status for a while', { states: ['WORK', 'WORK', 'WORK', 'WORK', 'STEP', 'WORK'] }],
      ['it may be slow as long as the profile waits', { lastAtMs: 9000 }],
      ['the profile lists it as an end', { states: Array(6).fill('BROKEN') }],
    ] satisfies readonly (readonly [string, Overtaken])[]
  ).map(([what, parts]) =>
    noViolation(
      'files.status-polled',
      'getFileStatus',
      `at WORK, ${what}`,
      overtaken({ early: null, states: Array(6).fill('WORK'), later: completeAfterWork, ...parts }),
      mapped,
    ),
  ),
  upholds(
    'files.status-polled',
    'getFileStatus',
    'a file that was asked for early is complete at last',
    overtaken({ states: ['WAIT', 'WAIT', 'WAIT', 'DONE'], later: () => undefined }),
    mapped,
  ),
  ...(
    [
      ['another value than before the upload tells of work', { states: Array(6).fill('WORK') }],
      ['one other value tells of work as well', { states: ['WAIT', 'WAIT', 'WORK', 'WAIT'] }],
      [
        'a value that ends the processing may stand there from the start',
        { early: 'BROKEN', states: Array(6).fill('BROKEN') },
      ],
      ['what was not asked before the upload may mean anything', { early: null }],
      ['too few requests may be an accident', { states: ['WAIT', 'WAIT'] }],
      ['it may be slow as long as the profile waits', { lastAtMs: 9000 }],
      ['all files may be slow', { later: (s) => poll(s, uploaded(s), 'DONE', { at: [4000, 4001] }) }],
      ['nothing is known of a later file', { later: (s) => poll(s, uploaded(s), 'WORK') }],
    ] satisfies readonly (readonly [string, Overtaken])[]
  ).map(([what, parts]) => noViolation('files.status-polled', 'getFileStatus', what, overtaken(parts), mapped)),
  noViolation(
    'files.status-polled',
    'getFileStatus',
    'the later file was uploaded earlier',
    (s) => {
      complete(s)
      overtaken({ later: () => undefined })(s)
    },
    mapped,
  ),
  noViolation('files.status-polled', 'getFileStatus', 'the profile may say that it takes longer', overtaken(), {
    profile: { files: { ...files, status: { ...files.status, waitMs: 60_000 } } },
  }),
  noViolation('files.status-polled', '', 'without a mapping no address is that of a status', (s) => {
    const id = uploaded(s)
    for (let time = 0; time < 3; time += 1) poll(s, id, '', missing)
  }),
]

const passing = '?filename=a.txt&persist=false'
const dayCases: readonly OracleCase[] = [
  upholds(
    'files.kept-for-a-day',
    'getFileStatus',
    'the status of a file that is not kept is told again',
    (s) => poll(s, complete(s, passing)),
    mapped,
  ),
  violates(
    'files.kept-for-a-day',
    'getFileStatus',
    'it is refused where that of a kept file is told',
    (s) => {
      const [kept, gone] = [complete(s), complete(s, passing)]
      poll(s, gone, '', missing)
      poll(s, kept)
    },
    mapped,
  ),
  inconclusive(
    'files.kept-for-a-day',
    'getFileStatus',
    'no status may be told once it was complete',
    (s) => {
      const [kept, gone] = [complete(s), complete(s, passing)]
      poll(s, gone, '', missing)
      poll(s, kept, '', missing)
    },
    mapped,
  ),
  violates(
    'files.kept-for-a-day',
    'getFileStatus',
    'it has failed once it was complete, where a kept file has not',
    (s) => {
      const [kept, gone] = [complete(s), complete(s, passing)]
      poll(s, gone, 'BROKEN')
      poll(s, kept)
    },
    mapped,
  ),
  inconclusive(
    'files.kept-for-a-day',
    'getFileStatus',
    'a status that the profile does not list says nothing',
    (s) => {
      const [kept, gone] = [complete(s), complete(s, passing)]
      poll(s, gone, 'ARCHIVED')
      poll(s, kept)
    },
    mapped,
  ),
  inconclusive(
    'files.kept-for-a-day',
    'getFileStatus',
    'the kept file has failed as well',
    (s) => {
      const [kept, gone] = [complete(s), complete(s, passing)]
      poll(s, gone, 'BROKEN')
      poll(s, kept, 'BROKEN')
    },
    mapped,
  ),
  unexercised(
    'files.kept-for-a-day',
    'getFileStatus',
    'a day later it is removed',
    (s) => {
      const [kept, gone] = [complete(s), complete(s, passing)]
      poll(s, gone, '', { ...missing, at: [86_500_000, 86_500_001] })
      poll(s, kept, 'DONE', { at: [86_500_010, 86_500_011] })
    },
    mapped,
  ),
  unexercised('files.kept-for-a-day', 'getFileStatus', 'a kept file is of no day', (s) => poll(s, complete(s)), mapped),
]

proveOracles({ 'files.status-polled': statusPolled, 'files.kept-for-a-day': keptForADay }, [
  ...statusCases,
  ...dayCases,
])
