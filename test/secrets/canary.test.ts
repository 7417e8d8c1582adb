/**
 * Canaries: keys are planted in a mock that gives them away wherever it can, in every encoding. After a run, a
 * certificate and every rendering, no artefact may hold one, whichever way it is written.
 */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createMock, defaultScenario, type HookOverride, type Mock } from '../../mock-server/index.ts'
import { acs } from '../acs-in-process.ts'

const secrets = {
  'acs-demo-primary': 'canary-PRIMARY/+=&<"7f3a9c1e5b2d',
  'acs-demo-secondary': 'canary-SECONDARY-84d1c6b0a9f2e7',
  'acs-demo-throttled': 'canary-THROTTLED-0c5e9a7b3d1f86',
} as const
const canaries: readonly string[] = Object.values(secrets)

const scenario = {
  ...defaultScenario,
  tenants: defaultScenario.tenants.map((tenant) => ({
    ...tenant,
    keys: tenant.keys.map((key) => ({ ...key, key: secrets[key.key as keyof typeof secrets] })),
  })),
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('')
const html = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Every way in which a key may stand in a text. */
const spellings = (secret: string): Readonly<Record<string, string>> => ({
  raw: secret,
  json: JSON.stringify(secret).slice(1, -1),
  'json twice': JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  percent: encodeURIComponent(secret),
  'percent throughout': percent(secret),
  html: html(secret),
  base64: base64(secret).replace(/=+$/, ''),
  base64url: Buffer.from(secret).toString('base64url'),
  hex: Buffer.from(secret).toString('hex'),
})

/** The mock tells the caller's key in error texts, answers, headers and grants. */
const tattler: readonly HookOverride[] = [
  {
    hook: 'body',
    wrap: (next) => (json, exchange) => {
      const body = next(json, exchange)
      const key = exchange.caller?.apiKey.value ?? String(exchange.request.headers['api-key'] ?? '')
      return typeof body === 'object' && body !== null && !Array.isArray(body)
        ? { ...body, x_debug: Object.values(spellings(key)).join(' ') }
        : body
    },
  },
  {
    hook: 'head',
    wrap: (next) => (head, exchange) => {
      const sent = next(head, exchange)
      const key = exchange.caller?.apiKey.value
      return key === undefined
        ? sent
        : {
            ...sent,
            headers: {
              ...sent.headers,
              'x-key': encodeURIComponent(key),
              'x-key-hex': Buffer.from(key).toString('hex'),
            },
          }
    },
  },
  {
    hook: 'answer',
    wrap: (next) => (answer, context) => {
      const said = next(answer, context)
      const { command } = context
      const key = 'caller' in command ? command.caller.apiKey.value : ''
      return { ...said, content: `${said.content} (your key is ${key}, that is ${base64(key)})` }
    },
  },
]

const profileText = (url: string): string => `
baseUrl: ${url}
tenants:
  primary: { key: "\${CANARY_PRIMARY}" }
  secondary: { key: "\${CANARY_SECONDARY}" }
  throttled: { key: "\${CANARY_THROTTLED}" }
claims: [core, streaming, events, threads, files, tenancy]
threads: { kind: http, method: POST, path: /v1/threads, body: { assistant_id: "{{assistant_id}}" }, pointer: /id }
assistants: { "*": { body: { user_data: { licence: A-1 } } } }
`

const folder = mkdtempSync(join(tmpdir(), 'acs-canary-'))
const file = (name: string): string => join(folder, name)
const printed: string[] = []

const environment = {
  CANARY_PRIMARY: secrets['acs-demo-primary'],
  CANARY_SECONDARY: secrets['acs-demo-secondary'],
  CANARY_THROTTLED: secrets['acs-demo-throttled'],
}

const run = async (...argv: readonly string[]): Promise<void> => {
  const { out, err } = await acs(argv, environment, { color: true })
  printed.push(out, err)
}

const everythingOn = async (mock: Mock): Promise<void> => {
  const { url } = await mock.listen({ port: 0 })
  writeFileSync(file('target.yaml'), profileText(url))
  await run('test', '--target', file('target.yaml'), '--out', file('report'), '--seed', '11')
  await run('judge', join(file('report'), 'trace.ndjson'), '--out', file('judged'))
  for (const format of ['text', 'html', 'markdown', 'junit', 'ctrf', 'sarif', 'har', 'badge', 'json']) {
    await run('report', join(file('report'), 'report.json'), '--format', format, '--out', file(`rendered.${format}`))
  }
  await run('baseline', join(file('report'), 'report.json'), '--out', file('baseline.yaml'))
  await run('keygen', '--out', file('signing'))
  await run('certify', '--target', file('target.yaml'), '--key', file('signing.key'), '--out', file('c.acsbundle'))
}

const artefacts = (): readonly { readonly name: string; readonly text: string }[] => [
  ...readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'target.yaml')
    .map((entry) => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), 'latin1') })),
  { name: 'what was printed', text: Buffer.from(printed.join('')).toString('latin1') },
]

/** Base64 hides a text at three offsets: what is inside a longer text looks different at each of them. */
const base64Parts = (text: string): readonly string[] =>
  (text.match(/[A-Za-z0-9+/_-]{24,}/g) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((offset) => Buffer.from(run.slice(offset), 'base64').toString('latin1')),
  )

beforeAll(async () => {
  await using mock = await createMock({ scenario, overrides: tattler })
  await everythingOn(mock)
}, 120_000)

test('the canaries sang: the mock gave every key away on the wire', async () => {
  await using mock = await createMock({ scenario, overrides: tattler })
  for (const key of canaries) {
    const body = await (await mock.fetch('/v1/tenants/my-api-keys', { headers: { 'api-key': key } })).text()
    for (const spelling of Object.values(spellings(key))) expect(JSON.parse(body).x_debug).toContain(spelling)
  }
})

test('all artefacts are there to be searched', () => {
  expect(artefacts().length).toBeGreaterThanOrEqual(18)
  expect(artefacts().every(({ text }) => text.length > 0)).toBe(true)
})

/** The ways in which a text gives a key away. */
const leaksIn = (text: string): readonly string[] =>
  canaries.flatMap((secret) => [
    ...Object.entries(spellings(secret))
      .filter(([, spelling]) => text.toLowerCase().includes(spelling.toLowerCase()))
      .map(([kind]) => kind),
    ...(base64Parts(text).some((part) => part.includes(secret)) ? ['inside base64'] : []),
  ])

test('no artefact holds a key, whichever way it is written', () => {
  const found = artefacts().flatMap(({ name, text }) => leaksIn(text).map((kind) => `${name}: ${kind}`))
  expect(found).toEqual([])
})

test('no artefact is compressed, so that the search sees all of it', () => {
  expect(artefacts().filter(({ text }) => text.startsWith('\u001f\u008b'))).toEqual([])
})

test('the search finds a planted key in every spelling', () => {
  for (const secret of canaries) {
    for (const [kind, spelling] of Object.entries(spellings(secret))) {
      expect(leaksIn(`before ${spelling} after`)).toContain(kind)
    }
    expect(leaksIn(base64(`{"api_key":"${secret}"}`))).toContain('inside base64')
  }
})
