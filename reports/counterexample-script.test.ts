/** The script of a counterexample runs in a shell, and reads new ids out of new responses. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sampleExchange } from '../test/reports/sample-exchanges.ts'
import { counterexampleScript } from './counterexample-script.ts'
import type { CardPlace } from './failure-card.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-script-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const oldId = '0b8f5b1e-6b43-4a1c-9b1f-3f4f0f6c2a10'
const at = { sentAtMs: 0, tookMs: 1 }
const creation = sampleExchange({
  id: 'E1',
  operation: 'createThread',
  method: 'POST',
  path: '/v1/threads',
  body: {},
  status: 201,
  answer: [{ id: oldId }],
  ...at,
})
const use = sampleExchange({
  id: 'E2',
  operation: 'createMessage',
  method: 'POST',
  path: `/v1/threads/${oldId}/messages`,
  body: { content: `it's ${oldId} $(id) \u0007` },
  status: 200,
  answer: {},
  ...at,
})
const invisible = sampleExchange({
  id: 'E3',
  operation: 'createMessage',
  method: 'POST',
  path: '/v1/messages',
  body: { content: `\u200b\\ ${oldId} %s` },
  status: 200,
  answer: {},
  ...at,
})
const place = {
  obligation: 'a.b createMessage',
  expected: 'x\n$(touch owned)',
  actual: 'y',
  steps: [creation, use, invisible].map(({ id }) => ({
    exchange: id,
    name: 'step',
    shows: '',
    line: null,
    curl: null,
    cited: true,
  })),
} as unknown as CardPlace
const exchanges = new Map([creation, use, invisible].map((one) => [one.id, one]))

/** Runs the script with a curl that prints its arguments and answers with a new id. */
const run = (script: string): string => {
  writeFileSync(
    join(folder, 'curl'),
    `#!/bin/sh\nprintf '<%s>' "$@" >> '${folder}/sent'\necho >> '${folder}/sent'\ncase "$*" in *@-*) cat >> '${folder}/sent';; esac\nprintf '[{"id":"new-id"}]'\n`,
  )
  chmodSync(join(folder, 'curl'), 0o755)
  const path = `${folder}${delimiter}${dirname(process.execPath)}${delimiter}${process.env.PATH}`
  execFileSync('sh', ['-e'], { input: script, cwd: folder, env: { PATH: path, ACS_API_KEY: 'secret' } })
  return execFileSync('cat', [join(folder, 'sent')], { encoding: 'utf8' })
}

test('a later request gets the id of the new response, in its path and in its body', () => {
  const sent = run(counterexampleScript(place, exchanges) ?? '').split('\n')
  expect(sent[1]).toContain('<http://127.0.0.1:4010/v1/threads/new-id/messages>')
  expect(sent[1]).toContain(`<${JSON.stringify({ content: "it's new-id $(id) \u0007" })}>`)
  expect(sent[1]).toContain('<api-key: secret>')
  expect(sent[3]).toBe(JSON.stringify({ content: '\u200b\\ new-id %s' }))
})

test('no key stands in the script, and a script without all its requests is none', () => {
  expect(counterexampleScript(place, exchanges)).not.toContain('pseudonym')
  expect(counterexampleScript(place, new Map([[creation.id, creation]]))).toBeNull()
})
