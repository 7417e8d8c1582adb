/** Printed requests run in a shell: each takes the ids of new answers, never those of an earlier day. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sampleExchange } from '../test/reports/sample-exchanges.ts'
import { chainLine, curlChain } from './curl-chain.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-chain-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const oldId = '0b8f5b1e-6b43-4a1c-9b1f-3f4f0f6c2a10'
const at = { operation: 'createMessage', status: 200, answer: {}, sentAtMs: 0, tookMs: 1 } as const
const bytes = (text: string) => [{ atMs: 1, bytes: { utf8: text } }]
const creation = sampleExchange({ ...at, id: 'E1', method: 'POST', path: '/v1/threads', answer: { id: oldId } })
const stream = sampleExchange({ ...at, id: 'E2', method: 'POST', path: `/v1/threads/${oldId}/run/stream` })
const streamed = {
  ...stream,
  response: {
    ...(stream.response ?? { status: 200, headers: [], headAtMs: 0 }),
    pieces: bytes('{"message_id":"old-message-id"}\n{"message_id":"old-message-id"}\n'),
  },
}
const page = sampleExchange({
  ...at,
  id: 'E3',
  path: '/v1/messages?after=old-message-id',
  answer: { cursor: 'b2xkIGN1cnNvcg==' },
})
const next = sampleExchange({ ...at, id: 'E4', path: '/v1/messages?cursor=b2xkIGN1cnNvcg%3D%3D' })

/** Runs the lines with a curl that notes its arguments and gives an answer with new values. */
const run = (lines: readonly string[]): string => {
  const answer = '{"id":"new-id","message_id":"new-message","cursor":"new="}'
  writeFileSync(
    join(folder, 'curl'),
    `#!/bin/sh\nprintf '<%s>' "$@" >> '${folder}/sent'\necho >> '${folder}/sent'\nprintf '${answer}\\n{}\\n'\n`,
  )
  chmodSync(join(folder, 'curl'), 0o755)
  const path = `${folder}${delimiter}${dirname(process.execPath)}${delimiter}${process.env.PATH}`
  execFileSync('sh', ['-e'], { input: lines.join('\n'), env: { PATH: path }, stdio: ['pipe', 'pipe', 'pipe'] })
  return readFileSync(join(folder, 'sent'), 'utf8')
}

test('each line takes what it needs from the answers to the lines before it, also of a stream and in a query', () => {
  // The answers to these requests are streams of two lines, except for those that were read as one value.
  const steps = [creation, streamed, page, next].map((step) => ({
    ...step,
    response: step.response && {
      ...step.response,
      pieces: bytes(`${JSON.stringify(JSON.parse(textOf(step).split('\n')[0] ?? ''))}\n{}\n`),
    },
  }))
  const chain = curlChain(steps)
  const lines = [...chain].map(([id, link]) => chainLine(id, link))
  expect(lines.at(-1)).toMatch(/^curl -i /)
  const sent = run(lines).trimEnd().split('\n')
  expect(sent.map((line) => /<http:\/\/[^/]+([^>]*)>$/.exec(line)?.[1])).toEqual([
    '/v1/threads',
    '/v1/threads/new-id/run/stream',
    '/v1/messages?after=new-message',
    '/v1/messages?cursor=new%3D',
  ])
  expect(sent[1]).toContain('<-N>')
  expect(sent[0]).not.toContain('<-N>')
})

test('a request that curl cannot send gives no id to later ones', () => {
  const bare = { ...creation, request: { ...creation.request, line: 'POST /v1/threads HTTP/9' } }
  const chain = curlChain([bare, stream])
  expect(chain.get('E1')?.command).toMatch(/^# sent over a bare socket/)
  expect(chain.get('E2')?.command).toContain(`/v1/threads/${oldId}/run/stream`)
})

function textOf({ response }: typeof creation): string {
  const [piece] = response?.pieces ?? []
  return piece !== undefined && 'utf8' in piece.bytes ? piece.bytes.utf8 : ''
}
