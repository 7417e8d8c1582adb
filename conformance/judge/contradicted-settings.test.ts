/** Tests which setting is named when answers contradict the profile, and that a right one is not. */
import { expect, test } from 'vitest'
import { type Fields, sampleProfile } from '../../test/trace-builder/sample-data.ts'
import { TraceBuilder } from '../../test/trace-builder/trace-builder.ts'

const prompt = 'What is the weather in Turku?'
const files = { attachment: { file_ids: ['{{file_id}}'] } }

const judged = (tell: (trace: TraceBuilder, thread: string) => unknown, profile: Fields = {}) => {
  const trace = new TraceBuilder({ profile: { tools: { ...Object(sampleProfile.tools), prompt }, ...profile } })
  tell(trace, trace.assistants().thread())
  return trace.judge()
}

test('a prompt that makes nobody ask for a tool is named', () => {
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

const attaching = (shown: boolean, profile: Fields = { files }) =>
  judged((s, thread) => {
    const file_id = s.id()
    const file_limits = { allowed_types: ['text/plain'], max_size: 10_485_760 }
    const grant = { file_id, file_url: `https://store.test/${file_id}`, expires_in: 900, file_limits }
    s.send('createUploadGrant', {}, grant, { query: '?filename=a.txt', headers: [['user-id', 'ann']] })
    const plain = {
      leaveOut: ['content-type'],
      headers: [['content-type', 'text/plain']],
      sends: 'a',
      text: '',
    } as const
    s.send('uploadFile', {}, '', { as: null, path: grant.file_url, ...plain })
    s.add(thread, 'user', 'Look.', { more: { file_ids: [file_id] }, with: shown ? {} : { file_ids: undefined } })
  }, profile).notices.filter(({ code }) => code === 'attachment-not-shown')

test('an attachment that no message shows is told, since the field may be one that is ignored', () => {
  expect(attaching(false)).toMatchObject([{ text: expect.stringContaining('the field file_ids of files.attachment') }])
  expect(attaching(true)).toEqual([])
  expect(attaching(false, {})).toEqual([])
})
