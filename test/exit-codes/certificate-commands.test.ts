/** Tests the certificate's way from vendor to buyer by commands, each with the exit code that a script relies on. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { referenceProfile } from '../../cli/reference-profile.ts'
import { createMock, type Mock } from '../../mock-server/index.ts'
import { acs as runCommand } from '../acs-in-process.ts'
import { serveHandler } from '../support/serve-handler.ts'
import { slowTest } from '../support/slow-test.ts'
import { unreliable } from '../support/unreliable.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-certificate-'))
const root = join(import.meta.dirname, '..', '..')
const bin = join(root, 'cli', 'bin.ts')
const nonce = 'given-to-harbour-today'

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

const keys = {
  ACS_API_KEY: 'acs-demo-primary',
  ACS_SECOND_KEY: 'acs-demo-secondary',
  ACS_THROTTLED_KEY: 'acs-demo-throttled',
} as const

/** A tenant of the mock with all that it claims, two of whose assistants always fail. */
const tenantWithBrokenAssistants = (baseUrl: string): string => {
  const { claims, threads, runBody, assistants, tools, throttle } = referenceProfile(baseUrl)
  const tenants = {
    primary: { key: '${ACS_API_KEY}' },
    secondary: { key: '${ACS_SECOND_KEY}' },
    throttled: { key: '${ACS_THROTTLED_KEY}' },
  }
  return JSON.stringify({ baseUrl, tenants, claims, threads, runBody, assistants, tools, throttle })
}

/** A command inside this process, whose working directory is the folder. */
const acs = (...argv: readonly string[]): Promise<Ended> => runCommand(argv, keys)

/** The same as a process. */
const acsProcess = (...argv: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...process.env, ...keys }
    execFile(process.execPath, [bin, ...argv], { cwd: folder, env }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, out, err })
    })
  })

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return name
}

let mock: Mock
let certified: Ended

beforeAll(async () => {
  process.chdir(folder)
  mock = await createMock({ seed: 1 })
  const { url } = await mock.listen({ port: 0, host: '127.0.0.1' })
  file('target.yaml', `baseUrl: ${url}\ntenants: { primary: { key: "\${ACS_API_KEY}" } }\nclaims: [core]\n`)
  const made = await acs('keygen', '--out', 'signing')
  if (made.code !== 0) throw new Error(made.err)
  const signing = ['--key', 'signing.key', '--out', 'good.acsbundle', '--product', 'Harbour'] as const
  certified = await acs('certify', '--target', 'target.yaml', '--nonce', nonce, ...signing)
}, 120_000)
afterAll(async () => {
  process.chdir(root)
  await mock.close()
  rmSync(folder, { recursive: true, force: true })
})

const policy = (more = ''): string =>
  `format: acs-policy/1
outcome: conformant
trusted: [{ publicKey: ${JSON.stringify(readFileSync(join(folder, 'signing.pub'), 'utf8'))} }]
levels: [core]
maxAgeDays: 1
nonce: true
product: { name: Harbour }
${more}`

test('a conformant run is certified', () => {
  expect(certified.code, certified.err).toBe(0)
  expect(certified.out).toContain('levels granted: core')
})

slowTest(
  'verify is 0 for what the certificate shows and 1 for what it does not',
  async () => {
    const verify = (...more: readonly string[]): Promise<Ended> => acs('verify', 'good.acsbundle', ...more)
    expect((await acsProcess('verify', 'good.acsbundle')).code).toBe(0)
    const all = await verify(
      '--public-key',
      'signing.pub',
      '--nonce',
      nonce,
      '--require',
      'conformant,nonce,max-age=1d',
    )
    expect([all.code, all.out]).toEqual([0, expect.stringMatching(/^✓ verified/)])
    expect((await acsProcess('verify', 'good.acsbundle', '--require', 'levels=streaming')).code).toBe(1)
    expect((await verify('--nonce', 'given-to-somebody-else')).code).toBe(1)
  },
  60_000,
)

test('accept is 0 under the policy of the buyer and 1 when the certificate is revoked', async () => {
  const accept = (name: string): Promise<Ended> => acs('accept', 'good.acsbundle', '--policy', name, '--nonce', nonce)
  const taken = await accept(file('policy.yaml', policy()))
  expect([taken.code, taken.err]).toEqual([0, ''])
  const id = /certificate ([0-9a-f]{64})/.exec(taken.out)?.[1] ?? ''
  const revoked = await accept(file('revoking.yaml', policy(`revoked: [{ certificate: ${id} }]\n`)))
  expect([revoked.code, revoked.out]).toEqual([1, expect.stringContaining(`not revoked: the certificate ${id} is`)])
}, 60_000)

test('a nonce that could be guessed is wrong usage, before the run is paid for', async () => {
  const { code, err } = await acs('certify', '--target', 'target.yaml', '--key', 'signing.key', '--nonce', '2f9c')
  expect([code, err]).toEqual([64, expect.stringContaining('short enough to be guessed')])
}, 60_000)

slowTest(
  'a board holds bundles that verify, names the others, and says when a committed site differs',
  async () => {
    mkdirSync(join(folder, 'bundles', 'older'), { recursive: true })
    const bundle = readFileSync(join(folder, 'good.acsbundle'))
    writeFileSync(join(folder, 'bundles', 'older', 'harbour.acsbundle'), bundle)
    const board = ['board', 'bundles', '--out', 'site'] as const
    expect(await acs(...board)).toMatchObject({ code: 0, err: '', out: expect.stringContaining('1 of 1 certificates') })
    expect(await acs(...board, '--check')).toMatchObject({ code: 0, out: expect.stringContaining('up to date') })

    writeFileSync(join(folder, 'bundles', 'forged.acsbundle'), bundle.toString('utf8').replace('upheld', 'violated'))
    writeFileSync(join(folder, 'site', 'badges', 'harbour.svg'), '<svg/>')
    writeFileSync(join(folder, 'site', 'gaps', 'gone.html'), '')
    const checked = await acs(...board, '--check')
    expect(checked.code).toBe(1)
    expect(checked.err).toMatch(/^bundles\/forged\.acsbundle: left out, .+\n$/)
    expect(checked.out).toContain(
      'site/badges/harbour.svg: different\nsite/gaps/gone.html: does not come from these bundles\n',
    )

    expect(await acs(...board)).toMatchObject({ code: 1, out: expect.stringContaining('1 of 2 certificates') })
    expect(existsSync(join(folder, 'site', 'gaps', 'gone.html'))).toBe(false)
    const stranger = await acs(...board, '--check', '--trust', '0'.repeat(64))
    expect(stranger).toMatchObject({ code: 1, out: expect.stringContaining('0 of 2 certificates') })
    expect(await acs('board', 'site')).toMatchObject({
      code: 66,
      err: expect.stringContaining('contains no .acsbundle'),
    })
    expect(await acs(...board, '--trust', 'me')).toMatchObject({ code: 64 })
  },
  600_000,
)

slowTest(
  'a tenant with two broken assistants is certified, at every level that it claims',
  async () => {
    await using tenant = await createMock({ seed: 5 })
    const served = await serveHandler(unreliable((request) => tenant.fetch(request), { brokenAt: [0, 1] }))
    file('broken.yaml', tenantWithBrokenAssistants(served.url))
    const signing = ['--key', 'signing.key', '--out', 'broken.acsbundle', '--product', 'Harbour'] as const
    const ended = await acs('certify', '--target', 'broken.yaml', '--nonce', nonce, ...signing).finally(served.close)
    expect(ended.code, ended.err).toBe(0)
    expect(ended.out).toContain('levels granted: all 7 claimed')
    const verified = await acs('verify', 'broken.acsbundle', '--public-key', 'signing.pub', '--nonce', nonce)
    expect([verified.code, verified.err]).toEqual([0, ''])
  },
  60_000,
)
