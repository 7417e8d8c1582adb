/**
 * Builds the target profile of the reference mock. With it the suite reaches the built-in mock, and any server on this
 * machine that serves the assumptions overlay with the demo keys.
 */
import type { TargetProfile } from '../conformance/index.ts'
import { conformanceLevels } from '../spec/index.ts'

const callField = { id: '{{tool_call_id}}', type: 'function', function: { name: 'lookup', arguments: '{}' } }

export const referenceProfile = (baseUrl: string): TargetProfile => ({
  baseUrl,
  tenants: {
    primary: { key: 'acs-demo-primary' },
    secondary: { key: 'acs-demo-secondary' },
    throttled: { key: 'acs-demo-throttled' },
  },
  claims: conformanceLevels,
  threads: {
    kind: 'http',
    method: 'POST',
    path: '/v1/threads',
    body: { assistant_id: '{{assistant_id}}' },
    pointer: '/id',
  },
  runBody: { assistant_id: '{{assistant_id}}' },
  assistants: { '*': { body: { user_data: { licence: 'A-1' } } } },
  tools: {
    prompt: 'What is the weather in Turku?',
    callIds: '/tool_calls/*/id',
    resultField: 'tool_call_id',
    assistantMessage: { tool_calls: [callField] },
  },
  files: {
    status: {
      path: '/v1/files/{file_id}/status',
      pointer: '/status',
      complete: ['ready'],
      failed: ['failed', 'removed'],
    },
    attachment: { file_ids: ['{{file_id}}'] },
  },
  throttle: { requests: 10 },
  provoke: {},
  declares: {},
  budget: { timeoutMs: 10_000, maxBodyBytes: 33_554_432 },
})
