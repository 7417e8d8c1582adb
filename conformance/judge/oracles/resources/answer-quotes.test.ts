/** Cases of answers that quote numbers: their own, those of another thread, and those of another tenant. */

import { uploaded } from '../../../../test/trace-builder/file-exchanges.ts'
import {
  noViolation,
  proveOracles,
  unexercised,
  upholds,
  violates,
} from '../../../../test/trace-builder/prove-oracles.ts'
import { askAbout, asking, matters, quoting } from '../../../../test/trace-builder/quoting-answers.ts'
import type { TraceBuilder } from '../../../../test/trace-builder/trace-builder.ts'
import type { TenantName } from '../../../profile/target-profile.ts'
import { answersAreOwn, answerToOwnQuestion } from './answer-quotes.ts'

const other = { as: 'secondary' } as const
const ownQuestion = 'resources.answer-to-own-question'
const ownTenant = 'tenancy.answers-are-own'

const fileName = `report ${matters[0]}.csv`
const fileSource = { content: 'A table', meta_data: { document_title: fileName, section: '1' } }
const uploadOf = (s: TraceBuilder, as: TenantName): unknown =>
  uploaded(s, `?filename=${encodeURIComponent(fileName)}`, {}, undefined, as)

proveOracles({ [ownQuestion]: answerToOwnQuestion }, [
  noViolation(ownQuestion, '', 'a file may be a source in each conversation of its tenant', (s) => {
    uploadOf(quoting(s), 'primary')
    s.complete({}, { with: { sources: [fileSource] } })
  }),
  violates(ownQuestion, 'createChatCompletion', 'a completion is answered for a thread', (s) => {
    const content = `You asked about ${matters[1]}.`
    quoting(s).complete(asking(`Invoice ${matters[3]}?`), { with: { content } })
  }),
  violates(ownQuestion, 'runThread', 'a thread that is run again is answered for another one', (s) => {
    const thread = quoting(s).thread()
    s.add(thread, 'user', `Invoice ${matters[3]}?`)
    s.run(thread, 'One moment, please.')
    s.run(thread, `You asked about ${matters[1]}.`)
  }),
  upholds(ownQuestion, 'runThread', 'an answer that quotes both remembers its user', (s) =>
    askAbout(quoting(s), matters[3], `${matters[3]} and ${matters[0]}`),
  ),
  noViolation(ownQuestion, '', 'an answer need not quote anything', (s) => askAbout(quoting(s), matters[3], null)),
  noViolation(ownQuestion, '', "a number that nobody mentioned is the assistant's own", (s) =>
    askAbout(quoting(s), matters[3], '0800-555-12345'),
  ),
  noViolation(ownQuestion, '', 'a question without a number cannot be quoted', (s) => {
    const thread = quoting(s).thread()
    s.add(thread, 'user', 'What about the last one?')
    s.run(thread, `The last one was ${matters[0]}.`)
  }),
  noViolation(ownQuestion, '', 'a service that quotes rarely may remember', (s) => {
    askAbout(s.assistants(), matters[0], null)
    askAbout(s, matters[1], matters[0])
  }),
  noViolation(ownQuestion, '', 'a question that is asked in two threads is in both', (s) =>
    askAbout(quoting(s), matters[0], matters[0]),
  ),
  unexercised(
    ownQuestion,
    'runThread',
    'in recorded traffic a number may be known from elsewhere',
    (s) => askAbout(quoting(s), matters[3], matters[0]),
    { source: 'har' },
  ),
])

proveOracles({ [ownTenant]: answersAreOwn }, [
  violates(ownTenant, 'createChatCompletion', 'what another tenant asked is in a source', (s) => {
    s.assistants().assistants(undefined, other)
    s.complete(asking(`Invoice ${matters[0]}?`), other)
    const source = { content: `Invoice ${matters[0]}`, meta_data: { document_title: 'Mail', section: '1' } }
    s.complete({}, { with: { sources: [source] } })
  }),
  violates(ownTenant, 'createChatCompletion', "the name of another tenant's file is in a source", (s) => {
    uploadOf(s.assistants().assistants(undefined, other), 'secondary')
    s.complete({}, { with: { sources: [fileSource] } })
  }),
  noViolation(ownTenant, '', 'files of one name, of both tenants, are in a source', (s) => {
    uploadOf(s.assistants().assistants(undefined, other), 'secondary')
    uploadOf(s, 'primary')
    s.complete({}, { with: { sources: [fileSource] } })
  }),
  upholds(ownTenant, 'runThread', 'both tenants have asked the same, and the other one more', (s) => {
    s.assistants().assistants(undefined, other)
    for (const number of matters.slice(0, 2)) askAbout(s, number, number, other)
    askAbout(s, matters[0], matters[0])
  }),
  unexercised(ownTenant, 'runThread', 'what both tenants have asked leaks to nobody', (s) => {
    askAbout(s.assistants().assistants(undefined, other), matters[0], matters[0], other)
    askAbout(s, matters[0], matters[0])
  }),
  noViolation(ownTenant, '', 'what another tenant says later is no source of an answer', (s) => {
    askAbout(s.assistants().assistants(undefined, other), matters[1], matters[0])
    askAbout(s, matters[0], null, other)
  }),
])
