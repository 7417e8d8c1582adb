/** Settings that do not fit an independent server end a run with 3 and their name. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TargetProfile } from '../../conformance/index.ts'
import { acs } from '../acs-in-process.ts'
import { type Atrium, startAtrium } from '../servers/atrium/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-atrium-'))
let atrium: Atrium

beforeAll(async () => {
  atrium = await startAtrium()
})
afterAll(async () => {
  await atrium.close()
  rmSync(folder, { recursive: true, force: true })
})

type Change = (profile: TargetProfile) => Partial<TargetProfile>

/** The file of a profile that is right but for the change. */
const profileFile = (change: Change): string => {
  const { maxBodyBytes: _, ...budget } = atrium.profile.budget
  const file = join(folder, 'target.json')
  writeFileSync(file, JSON.stringify({ ...atrium.profile, budget, ...change(atrium.profile) }))
  return file
}

const status =
  (over: object): Change =>
  ({ files }) => ({ files: { ...files, status: { ...files?.status, waitMs: 300, ...over } as never } })
const provoking = (header: string): Change => {
  const headers = { 'x-atrium-fault': header }
  return () => ({ provoke: { tenant_not_found: { headers } } })
}

test.each<readonly [string, string, RegExp, Change]>([
  [
    'runs without the field that the target needs',
    'threads.*',
    /runBody: the target refuses \w+ without the field "assistant_id" \(E\d+\); add it/,
    () => ({ runBody: {} }),
  ],
  [
    'a status at a path that is not served',
    'files.*',
    /files\.status\.path: every request for a status is answered with 404 without error_code/,
    status({ path: '/v1/files/{file_id}/stat' }),
  ],
  [
    'a word for complete files that is not used',
    'files.*',
    /files\.status\.complete: no file came to "done", and the last status is "completed"/,
    status({ complete: ['done'] }),
  ],
  [
    'what provokes another error',
    'errors.*',
    /provoke\.tenant_not_found: what should provoke it provokes bad_request/,
    provoking('bad_request'),
  ],
  [
    'a provoking key that nobody has',
    'errors.*',
    /^acs: provoke\.tenant_not_found: the target treats its key like one that does not exist \(403\)/,
    () => ({ provoke: { tenant_not_found: { key: 'atr_nobodys-0Key' } } }),
  ],
  [
    'two provocations that are swapped',
    'errors.*',
    /provoke\.api_timeout_error: what should provoke it provokes internal_service_error \(E\d+\), .*; swap the two$/,
    ({ provoke: { api_timeout_error: late, internal_service_error: down } }) => ({
      provoke: { api_timeout_error: down ?? {}, internal_service_error: late ?? {} },
    }),
  ],
  [
    'a prompt that makes no assistant ask for a tool',
    'tools.*',
    /tools\.prompt: no assistant asks for a tool when it gets it \(E\d+\)/,
    ({ tools }) => ({ tools: { callIds: '', resultField: '', ...tools, prompt: 'Tell me a joke.' } }),
  ],
])('%s', async (_, only, says, change) => {
  const argv = ['test', '--target', profileFile(change), '--only', only, '--seed', '1', '--strict']
  const { code, out, err } = await acs([...argv, '--out', join(folder, 'out')])
  expect([code, err.split('\n').find((line) => line.startsWith('acs: '))], out).toEqual([
    3,
    expect.stringMatching(says),
  ])
  expect(out).not.toMatch(/^× [a-z]+\./m)
})

test('a field that is ignored looks like one that attaches nothing, unless the profile says that nothing shows it', async () => {
  const judged = async (field: string, more: object = {}) => {
    const change: Change = ({ files }) => ({ files: { ...files, attachment: { [field]: ['{{file_id}}'] }, ...more } })
    const argv = ['test', '--target', profileFile(change), '--only', 'files.*', '--seed', '1', '--strict']
    const { code, out, err } = await acs([...argv, '--out', join(folder, 'out')])
    expect(out).not.toMatch(/^× [a-z]+\./m)
    return { code, out, first: err.split('\n').find((line) => line.startsWith('acs: ')) }
  }
  expect(await judged('file_idz')).toMatchObject({
    code: 3,
    first: expect.stringMatching(
      /^acs: the run is invalid: files\.attachment: no message shows .* in the field "file_idz", and E\d+ is taken with the id of no file/,
    ),
  })
  const unseen = await judged('file_idz', { attachmentUnseen: true })
  expect([unseen.code, unseen.out]).toEqual([0, expect.stringMatching(/^notice {6}attachment-not-shown: /m)])
  const { code, out } = await judged('file_ids')
  expect([code, out]).toEqual([0, expect.not.stringContaining('attachment-not-shown')])
})
