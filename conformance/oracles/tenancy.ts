/** Oracles of chapter tenancy: the tenant's record, and the wall between two tenants. */

import type { TestableId } from '../../spec/index.ts'
import { idField } from '../classify/forms.ts'
import { fieldOf, nameOf, textField } from '../classify/json.ts'
import { documentOf, isAccepted, isRefusal, queryValues, type Reading } from '../classify/reading.ts'
import { areTwoTenants } from '../classify/state-faults.ts'
import { resemblesSuccess } from '../classify/success.ts'
import type { Docket } from '../judging/docket.ts'
import type { Testimony } from '../judging/testimony.ts'
import { answeredThread } from '../ledger/origins.ts'
import { isAnsweredAlike } from './alike.ts'
import { anArray, aString, contradict, judgeField } from './field-rules.ts'
import { answerName, bothCompletions, mustBeRefused, type Oracle, threadOperations, withSoleFault } from './oracle.ts'
import { judgeCode } from './threads.ts'

function* tenantsOf(docket: Docket): Generator<{ readonly reading: Reading; readonly record: unknown }> {
  for (const reading of docket.of('listMyApiKeys')) {
    const record = documentOf(reading)
    if (record !== undefined) yield { reading, record }
  }
}

const placeOf = (reading: Reading, at = '') => ({ operation: 'listMyApiKeys', exchange: reading.id, at }) as const
const keysOf = (record: unknown): readonly unknown[] => {
  const keys = fieldOf(record, 'api_keys')
  return Array.isArray(keys) ? keys : []
}

const recordFields: Oracle = (docket, testify) => {
  for (const { reading, record } of tenantsOf(docket)) {
    judgeField(testify, placeOf(reading), record, 'id', aString)
    judgeField(testify, placeOf(reading), record, 'name', aString)
    judgeField(testify, placeOf(reading), record, 'api_keys', anArray)
  }
}

const keyRecordFields: Oracle = (docket, testify) => {
  for (const { reading, record } of tenantsOf(docket)) {
    for (const [index, key] of keysOf(record).entries()) {
      for (const name of ['id', 'api_key', 'created_at', 'last_updated_at']) {
        judgeField(testify, placeOf(reading, `/api_keys/${index}`), key, name, aString)
      }
    }
  }
}

const callingKeyListed: Oracle = (docket, testify) => {
  for (const { reading, record } of tenantsOf(docket)) {
    const keys = fieldOf(record, 'api_keys')
    if (!Array.isArray(keys)) continue
    if (keys.length > 0) testify.held('listMyApiKeys', null, reading.id)
    else contradict(testify, placeOf(reading), '/api_keys', null, 'at least one key', keys)
  }
}

const idsOf = (record: unknown): readonly string[] => keysOf(record).flatMap((key) => idField(key, 'id') ?? [])

const keysAreOwn: Oracle = (docket, testify) => {
  const records = [...tenantsOf(docket)]
  const first = records.find(({ reading }) => reading.tenant === 'primary')
  for (const { reading, record } of records) {
    if (first === undefined || !areTwoTenants(first.reading.tenant, reading.tenant)) continue
    const own = new Set(idsOf(first.record))
    const shared = idsOf(record).find((id) => own.has(id))
    if (shared === undefined) testify.held('listMyApiKeys', null, first.reading.id, reading.id)
    else {
      testify.contradicted('listMyApiKeys', null, {
        exchanges: [first.reading.id, reading.id],
        expected: 'keys of the calling tenant only',
        actual: `key record ${shared} for both tenants`,
        pointer: '/api_keys',
        because: `${first.reading.id} and ${reading.id} are calls of two tenants, and both list the key record ${shared}.`,
      })
    }
  }
}

/** The same tenant, and at least one of the same keys: the one in use is among them. */
const recordIsStable: Oracle = (docket, testify) => {
  const first = new Map<string, { readonly reading: Reading; readonly id: string; readonly keys: readonly string[] }>()
  for (const { reading, record } of tenantsOf(docket)) {
    const id = textField(record, 'id')
    if (id === null || reading.tenant === null) continue
    const keys = idsOf(record)
    const before = first.get(reading.tenant)
    if (before === undefined) {
      first.set(reading.tenant, { reading, id, keys })
      continue
    }
    const hasOwnKeys = keys.length === 0 || before.keys.length === 0 || keys.some((key) => before.keys.includes(key))
    if (before.id === id && hasOwnKeys) testify.held('listMyApiKeys', null, before.reading.id, reading.id)
    else {
      testify.contradicted('listMyApiKeys', null, {
        exchanges: [before.reading.id, reading.id],
        expected: before.id === id ? 'the same keys' : `tenant ${before.id}`,
        actual: before.id === id ? 'none of the keys from before' : `tenant ${id}`,
        pointer: before.id === id ? '/api_keys' : '/id',
        because: `${before.reading.id} and ${reading.id} use the same key and read two different tenant records.`,
      })
    }
  }
}

const foreignAssistantRefused: Oracle = (docket, testify) => {
  const faults = { 'assistant-foreign': null }
  const what = 'a completion with an assistant of another tenant'
  mustBeRefused(docket, testify, { operations: bothCompletions, faults, what })
  judgeCode(docket, testify, bothCompletions, faults, 'assistant_not_available', what)
}

/** A foreign thread is answered like one that does not exist: with its code, or as an unknown one was answered in this trace. */
const foreignThreadLikeUnknown: Oracle = (docket, testify) => {
  for (const [reading] of withSoleFault(docket, threadOperations, { 'thread-foreign': null })) {
    if (!isRefusal(reading) || reading.operation === null) continue
    const unknown = [...withSoleFault(docket, [reading.operation], { 'thread-unknown': null })]
      .map(([one]) => one)
      .find(isRefusal)
    const isAlike =
      unknown === undefined ? reading.answer.code === 'thread_not_found' : isAnsweredAlike(unknown, reading)
    if (isAlike) testify.held(reading.operation, null, reading.id)
    else {
      testify.contradicted(reading.operation, null, {
        exchanges: unknown === undefined ? [reading.id] : [unknown.id, reading.id],
        expected: unknown === undefined ? 'thread_not_found' : `${answerName(unknown)} with the same detail`,
        actual: `${answerName(reading)} with ${nameOf(fieldOf(errorOf(reading), 'detail'))}`,
        pointer: unknown?.answer.code === reading.answer.code ? '/detail' : '/error_code',
        because: `${reading.id} names a thread of another tenant, and its answer differs from that for a thread that does not exist.`,
      })
    }
  }
}

const errorOf = ({ answer }: Reading): unknown => (answer.body.kind === 'json' ? answer.body.value : undefined)

const foreignThreadNotContinued: Oracle = (docket, testify) => {
  for (const operation of bothCompletions) {
    for (const reading of docket.of(operation)) {
      const [asked = ''] = queryValues(reading, 'thread_id')
      const owner = docket.ledger.thread(asked)?.origin.tenant ?? null
      if (areTwoTenants(owner, reading.tenant)) judgeContinuation(testify, operation, reading, asked)
    }
  }
}

function judgeContinuation(
  testify: Testimony,
  operation: (typeof bothCompletions)[number],
  reading: Reading,
  asked: string,
): undefined {
  const answered = isAccepted(reading) && resemblesSuccess(reading) ? answeredThread(reading) : null
  if (isRefusal(reading)) testify.held(operation, null, reading.id)
  else if (answered === null)
    testify.ambiguous(operation, null, reading.id, `${reading.id} got ${answerName(reading)}.`)
  else if (answered.toLowerCase() !== asked.toLowerCase()) testify.held(operation, null, reading.id)
  else {
    testify.contradicted(operation, null, {
      exchanges: [reading.id],
      expected: 'a rejection, or an answer in another thread',
      actual: `an answer in thread ${answered}`,
      pointer: '/thread_id',
      because: `${reading.id} names thread ${asked} of another tenant, and it is answered in that thread.`,
    })
  }
}

/** The oracles of chapter tenancy. */
export const tenancyOracles: Readonly<Record<TestableId<'tenancy'>, Oracle>> = {
  'tenancy.record-fields': recordFields,
  'tenancy.key-record-fields': keyRecordFields,
  'tenancy.calling-key-listed': callingKeyListed,
  'tenancy.keys-are-own': keysAreOwn,
  'tenancy.record-is-stable': recordIsStable,
  'tenancy.foreign-assistant-refused': foreignAssistantRefused,
  'tenancy.foreign-assistant-hidden': (docket, testify) =>
    mustBeRefused(docket, testify, {
      operations: ['getAssistant'],
      faults: { 'assistant-foreign': null },
      what: 'a request for an assistant of another tenant',
    }),
  'tenancy.foreign-thread-refused': (docket, testify) =>
    mustBeRefused(docket, testify, {
      operations: threadOperations,
      faults: { 'thread-foreign': null },
      what: 'a request about a thread of another tenant',
    }),
  'tenancy.foreign-thread-like-unknown': foreignThreadLikeUnknown,
  'tenancy.foreign-thread-not-continued': foreignThreadNotContinued,
}
