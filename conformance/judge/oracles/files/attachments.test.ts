/** Proof of the oracles about statuses of files and messages that carry them, by a profile that maps both. */

import {
  inconclusive,
  noViolation,
  type OracleCase,
  proveOracles,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { errorBody, type Fields, rejectedWith } from '../../../../test/trace-builder/sample-data.ts'
import type { Change, TraceBuilder, TraceBuilderOptions } from '../../../../test/trace-builder/trace-builder.ts'
import { attachedFileOracles } from './files.ts'

const files = {
  status: { path: '/v1/storage/{file_id}', pointer: '/processing/state', complete: ['DONE'], failed: ['BROKEN'] },
  attachment: { attachments: [{ file_id: '{{file_id}}' }] },
}
const mapped: TraceBuilderOptions = { profile: { files } }
const only = (part: keyof typeof files): TraceBuilderOptions => ({ profile: { files: { [part]: files[part] } } })

const allowedTypes = [
  'text/csv',
  'text/plain',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
]

/** Uploads a small file and gives its id; `early` is sent between the grant and the upload. */
const uploaded = (
  s: TraceBuilder,
  query = '?filename=a.txt',
  change: Change = {},
  early: (id: string) => void = () => undefined,
): string => {
  const file_id = s.id()
  const file_url = `https://store.test/${file_id}?signature=s`
  const file_limits = { allowed_types: allowedTypes, max_size: 10_485_760 }
  const grant = { file_id, file_url, expires_in: 900, file_limits }
  s.send('createUploadGrant', {}, grant, { query, headers: [['user-id', 'ann']] })
  early(file_id)
  const plain = { leaveOut: ['content-type'], headers: [['content-type', 'text/plain']], sends: 'a', text: '' } as const
  s.send('uploadFile', {}, '', { as: null, path: file_url, ...plain, ...change })
  return file_id
}

/** Asks for the status of a file. */
const poll = (s: TraceBuilder, id: string, state: unknown = 'DONE', change: Change = {}): void => {
  s.send('getFileStatus', {}, { id, processing: { state } }, { path: `/v1/storage/${id}`, ...change })
}

const complete = (s: TraceBuilder, query?: string): string => {
  const id = uploaded(s, query)
  poll(s, id)
  return id
}

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

const carrying = (id: string, more: Fields = {}) => ({ more: { attachments: [{ file_id: id }] }, ...more })
const missing = { status: 404, body: errorBody('resource_not_found') }
const wrong = rejectedWith('validation_error_of_mine', 422)
/** A thread that takes a message without a file. */
const open = (s: TraceBuilder): string => {
  const thread = s.assistants().thread()
  s.add(thread, 'user', 'A question without a file.')
  return thread
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

const attachmentCases: readonly OracleCase[] = [
  upholds(
    'files.attached-to-message',
    'createMessage',
    'a message carries a complete file, and shows it in a list',
    (s) => {
      const thread = open(s)
      s.add(thread, 'user', 'See the file.', carrying(complete(s)))
      s.list(thread)
    },
    mapped,
  ),
  upholds(
    'files.attached-to-message',
    'createMessage',
    'no message has to show its file',
    (s) => {
      const thread = open(s)
      s.add(thread, 'user', 'See the file.', carrying(complete(s), { with: { attachments: undefined } }))
      s.add(thread, 'user', 'And another.', carrying(complete(s), { with: { attachments: null } }))
      s.list(thread)
    },
    mapped,
  ),
  violates(
    'files.attached-to-message',
    'createMessage',
    'a complete file is refused where other messages are taken',
    (s) => {
      const thread = open(s)
      s.add(thread, 'user', 'See the file.', { ...carrying(complete(s)), ...wrong })
    },
    mapped,
  ),
  violates(
    'files.attached-to-message',
    'createMessage',
    'the message is shown without its file',
    (s) => {
      const thread = open(s)
      s.add(thread, 'user', 'See the file.', carrying(complete(s), { with: { attachments: [] } }))
    },
    mapped,
  ),
  violates(
    'files.attached-to-message',
    'createMessage',
    'a list shows the message with another file',
    (s) => {
      const thread = open(s)
      const other = uploaded(s)
      s.add(thread, 'user', 'See the file.', carrying(complete(s), { with: { attachments: [{ file_id: other }] } }))
      s.list(thread)
    },
    mapped,
  ),
  inconclusive(
    'files.attached-to-message',
    'createMessage',
    'a thread that takes no message says nothing of files',
    (s) => {
      const thread = s.assistants().thread()
      s.add(thread, 'user', 'See the file.', { ...carrying(complete(s)), ...wrong })
    },
    mapped,
  ),
  inconclusive(
    'files.attached-to-message',
    'createMessage',
    'a file that is in work may be refused',
    (s) => {
      const thread = open(s)
      const id = uploaded(s)
      poll(s, id, 'WORK')
      s.add(thread, 'user', 'See the file.', { ...carrying(id), ...wrong })
    },
    mapped,
  ),
  inconclusive(
    'files.attached-to-message',
    'createMessage',
    'without a status nobody knows whether a file is complete',
    (s) => {
      const thread = open(s)
      s.add(thread, 'user', 'See the file.', { ...carrying(uploaded(s)), ...wrong })
    },
    only('attachment'),
  ),
  upholds(
    'files.attached-to-message',
    'createMessage',
    'what is taken is taken, whatever its status',
    (s) => {
      const thread = open(s)
      s.add(thread, 'user', 'See the file.', carrying(uploaded(s)))
    },
    only('attachment'),
  ),
  unexercised(
    'files.attached-to-message',
    'createMessage',
    'a file of nobody may be refused',
    (s) => {
      const thread = open(s)
      s.add(thread, 'user', 'See the file.', { ...carrying(s.id()), ...wrong })
    },
    mapped,
  ),
  noViolation('files.attached-to-message', '', 'without a mapping the field is one of the target', (s) => {
    const thread = open(s)
    s.add(thread, 'user', 'See the file.', { ...carrying(complete(s)), ...wrong })
  }),
  upholds(
    'files.kept-for-reuse',
    'createMessage',
    'messages of two threads carry one file',
    (s) => {
      const [first, second] = [open(s), open(s)]
      const id = complete(s, '?filename=a.txt&persist=true')
      for (const thread of [first, second]) s.add(thread, 'user', 'See the file.', carrying(id))
    },
    mapped,
  ),
  violates(
    'files.kept-for-reuse',
    'createMessage',
    'a file is gone when a message has carried it',
    (s) => {
      const [first, second] = [open(s), open(s)]
      const id = complete(s)
      s.add(first, 'user', 'See the file.', carrying(id))
      s.add(second, 'user', 'See the file.', { ...carrying(id), ...wrong })
    },
    mapped,
  ),
  unexercised(
    'files.kept-for-reuse',
    'createMessage',
    'a file that is not kept may be carried once',
    (s) => {
      const [first, second] = [open(s), open(s)]
      const id = complete(s, '?filename=a.txt&persist=false')
      s.add(first, 'user', 'See the file.', carrying(id))
      s.add(second, 'user', 'See the file.', { ...carrying(id), ...wrong })
    },
    mapped,
  ),
]

proveOracles(attachedFileOracles, [...statusCases, ...attachmentCases])
