/** Tests which setting is named when answers contradict the profile, and that a right one is not. */
import { expect, test } from 'vitest'
import { mapped, poll, uploaded } from '../../test/trace-builder/file-exchanges.ts'
import { type Fields, rejectedWith, sampleProfile, uuid } from '../../test/trace-builder/sample-data.ts'
import { questioned, result } from '../../test/trace-builder/tool-exchanges.ts'
import { TraceBuilder } from '../../test/trace-builder/trace-builder.ts'

const office = 'application/vnd.openxmlformats-officedocument'
const allowedTypes = [
  ...['text/csv', 'text/plain', 'application/pdf'],
  ...[`${office}.wordprocessingml.document`, `${office}.spreadsheetml.sheet`],
]
const prompt = 'What is the weather in Turku?'
const files = { attachment: { file_ids: ['{{file_id}}'] } }

const judged = (tell: (trace: TraceBuilder, thread: string) => unknown, profile: Fields = {}) => {
  const trace = new TraceBuilder({ profile: { tools: { ...Object(sampleProfile.tools), prompt }, ...profile } })
  tell(trace, trace.assistants().thread())
  return trace.judge()
}

test('a prompt that causes no tool call is named', () => {
  const { outcome, reason } = judged((s, thread) => {
    s.add(thread, 'user', prompt)
    s.run(thread)
  })
  expect([outcome, reason]).toEqual(['invalid', expect.stringMatching(/^tools\.prompt: .* \(E4\)/)])
})

test('a call that only the client made says nothing of the prompt', () => {
  const { reason } = judged((s, thread) => {
    s.add(thread, 'assistant', 'Wait.', { more: { tool_calls: [{ id: 'call-1' }], meta_data: {}, sources: [] } })
    const other = s.thread()
    s.add(other, 'user', prompt)
    s.run(other)
  })
  expect(reason).toMatch(/^tools\.prompt: /)
})

test.each<[string, (trace: TraceBuilder, thread: string) => unknown]>([
  [
    'makes an assistant ask',
    (s, thread) => {
      s.add(thread, 'user', prompt)
      s.run(thread, '', { more: { tool_calls: [{ id: 'call-1' }] } })
    },
  ],
  [
    'nobody got',
    (s, thread) => {
      s.add(thread, 'user', 'How are you?')
      s.run(thread)
    },
  ],
  [
    'no run answered',
    (s, thread) => {
      s.add(thread, 'user', prompt)
      s.run(thread, '', { status: 503, body: {} })
    },
  ],
  ['came after the run', (s, thread) => [s.add(thread, 'user', 'Hi'), s.run(thread), s.add(thread, 'user', prompt)]],
])('a prompt that %s is not blamed', (_, tell) => {
  expect(judged(tell).reason ?? '').not.toContain('tools.prompt')
})

test('a throttled key that was swapped with the primary one is named, and there is no violation', () => {
  const served = (isLimited: boolean) =>
    judged((s) => {
      for (let index = 0; index < 70; index += 1) {
        const [created_at, last_updated_at] = [s.stamp(), s.stamp()]
        const api_keys = [{ id: uuid(501), api_key: 'secret', created_at, last_updated_at }]
        const record = { id: uuid(500), name: 'Tenant', api_keys }
        s.send('listMyApiKeys', {}, record, { as: 'throttled', at: [9000 + index, 9001 + index] })
      }
      if (isLimited) s.assistants([], { ...rejectedWith('rate_limit_gateway', 429), at: [9100, 9101] })
    })
  expect(served(true)).toMatchObject({
    outcome: 'invalid',
    reason: expect.stringMatching(/^tenants\.throttled: 70 req/),
  })
  expect(served(false)).toMatchObject({ outcome: 'nonconformant' })
})

interface Attached {
  /** What the message shows of its files. */
  readonly shown?: unknown
  readonly files?: Fields
  /** How the message is answered that carries the file, and one that carries these instead. */
  readonly answers?: Fields
  readonly other?: readonly [fileIds: unknown, answers: Fields]
}

const attaching = ({ shown, files: mapping = files, answers = {}, other }: Attached) =>
  judged(
    (s, thread) => {
      const file_id = s.id()
      const file_limits = { allowed_types: allowedTypes, max_size: 10_485_760 }
      const grant = { file_id, file_url: `https://store.test/${file_id}`, expires_in: 900, file_limits }
      s.send('createUploadGrant', {}, grant, { query: '?filename=a.txt', headers: [['user-id', 'ann']] })
      const plain = {
        leaveOut: ['content-type'],
        headers: [['content-type', 'text/plain']],
        sends: 'a',
        text: '',
      } as const
      s.send('uploadFile', {}, '', { as: null, path: grant.file_url, ...plain })
      s.add(thread, 'user', 'Hello.')
      s.add(thread, 'user', 'Look.', { more: { file_ids: [file_id] }, with: { file_ids: shown }, ...answers })
      if (other !== undefined)
        s.add(thread, 'user', 'Again.', { more: { file_ids: other[0] }, with: { file_ids: shown }, ...other[1] })
    },
    { files: mapping },
  )

const noticed = (attached: Attached) =>
  attaching(attached).notices.filter(({ code }) => code === 'attachment-not-shown')

test('an attachment that no message shows is reported, since the field may be one that is ignored', () => {
  expect(noticed({})).toMatchObject([{ text: expect.stringContaining('the field file_ids of files.attachment') }])
  expect(noticed({ shown: [] })).toHaveLength(1)
  expect(noticed({ files: {} })).toEqual([])
})

const refusedField = {
  status: 422,
  body: {
    error_code: 'validation_error',
    detail: [{ loc: ['body', 'file_ids'], message: 'Extra inputs are not permitted', type: 'extra_forbidden' }],
  },
}
const unseen = { ...files, attachmentUnseen: true }

test.each<[string, RegExp, Attached]>([
  ['ignores', /^files\.attachment: no message shows the file that E\d+ carries/, { other: [[uuid(77)], {}] }],
  [
    'does not know',
    /^files\.attachment: the target refuses every message/,
    { answers: refusedField, other: [[], refusedField] },
  ],
])('a field of files that the target %s is named', (_, says, attached) => {
  const { reason, verdicts } = attaching(attached)
  expect(reason).toMatch(says)
  expect(
    verdicts.filter(({ requirement, outcome }) => requirement.startsWith('files.att') && outcome === 'violated'),
  ).toEqual([])
})

test.each<[string, Attached]>([
  ['shows none, and refuses an id of no file', { other: [[uuid(77)], refusedField] }],
  ['shows none, and is asked for no other', {}],
  ['takes any id and shows none, as the profile says', { files: unseen, other: [[uuid(77)], {}] }],
])('the field of files is not blamed where the target %s', (_, attached) => {
  expect(attaching(attached).reason ?? '').not.toContain('files.attachment')
})

test('a target that takes the field, and refuses each file in it, is what is wrong', () => {
  const { reason, verdicts } = attaching({ answers: refusedField, other: [[], {}] })
  expect(reason ?? '').not.toContain('files.attachment')
  expect(verdicts.find(({ requirement }) => requirement === 'files.attached-to-message')).toBeDefined()
})

test('a status that stays open is a wrong setting, unless the target stopped answering meanwhile', () => {
  const noticed = (isSilent: boolean) => {
    const s = new TraceBuilder({ profile: { ...mapped.profile, claims: ['core', 'files'] } })
    s.assistants()
    const id = uploaded(s)
    poll(s, id, 'WORKING')
    poll(s, id, 'WORKING', { silent: isSilent })
    return s.judge().reason ?? ''
  }
  expect(noticed(false)).toMatch(/^files\.status\.complete: no file came to "DONE"/)
  expect(noticed(true)).not.toMatch(/files\.status/)
})

const unmatched = rejectedWith('tool_message_has_no_matching_tool_call')

const judgedCalls = (refusal: object, ofMessage: object = {}) => {
  const trace = new TraceBuilder()
  const thread = questioned(trace)
  const content = 'Let me look.'
  trace.run(thread, content, { more: { tool_calls: [{ id: 'own' }] } })
  result(trace, thread, 'own')
  const message = { id: trace.id(), thread_id: thread, role: 'assistant', content, created_at: trace.stamp() }
  const body = { ...message, meta_data: {}, sources: [] }
  trace.add(thread, 'assistant', content, { more: { tool_calls: [{ id: 'alpha' }] }, body, ...ofMessage })
  result(trace, thread, 'alpha', refusal)
  return trace.judge()
}

test('results for calls that the target neither shows nor takes blame the setting, not the target', () => {
  const { outcome, reason, verdicts } = judgedCalls(unmatched)
  expect(outcome).toBe('invalid')
  expect(reason).toMatch(/tools\.assistantMessage: the target accepts it, shows no call in it and refuses its result/)
  expect(verdicts.filter((one) => one.outcome === 'violated')).toEqual([])
})

test('so does a refused message with a call', () => {
  const { outcome, reason } = judgedCalls(unmatched, rejectedWith('bad_request'))
  expect(outcome).toBe('invalid')
  expect(reason).toMatch(/tools\.assistantMessage: the target refuses a message with it/)
})

test('where no result was ever taken, the mapping itself is named', () => {
  const trace = new TraceBuilder()
  const thread = questioned(trace)
  const content = 'Let me look.'
  const body = { id: trace.id(), thread_id: thread, role: 'assistant', content, created_at: trace.stamp() }
  trace.add(thread, 'assistant', content, { more: { tool_calls: [{ id: 'alpha' }] }, body })
  result(trace, thread, 'alpha', unmatched)
  expect(trace.judge().reason).toMatch(/^tools\.resultField: the target refuses every result/)
})

test('a target that takes the result need not show the call', () => {
  expect(judgedCalls({}).outcome).not.toBe('invalid')
})
