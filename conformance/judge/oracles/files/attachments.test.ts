/** Proof of the oracles about messages that carry files, by a profile that maps files and their status. */

import { complete, mapped, only, poll, uploaded } from '../../../../test/trace-builder/file-exchanges.ts'
import {
  inconclusive,
  noViolation,
  type OracleCase,
  proveOracles,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { type Fields, rejectedWith } from '../../../../test/trace-builder/sample-data.ts'
import type { TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import { attachedToMessage, keptForReuse } from './attachments.ts'

const carrying = (id: string, more: Fields = {}) => ({ more: { attachments: [{ file_id: id }] }, ...more })
const wrong = rejectedWith('validation_error_of_mine', 422)
/** A thread that takes a message without a file. */
const open = (s: TraceBuilder): string => {
  const thread = s.assistants().thread()
  s.add(thread, 'user', 'A question without a file.')
  return thread
}

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

proveOracles({ 'files.attached-to-message': attachedToMessage, 'files.kept-for-reuse': keptForReuse }, attachmentCases)
