/**
 * Tests that no artefact of a run holds a key of the target, in any encoding.
 * The mock gives planted keys away wherever it can; then come a run, a certificate and every rendering.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMock, defaultScenario, type HookOverride, type Mock } from '../../mock-server/index.ts'
import { acs } from '../acs-in-process.ts'
import { sampling } from '../support/samples.ts'
import { encodings } from './encodings.ts'

const allEncodings = Object.entries(encodings)

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

/** So many answers in a row give a key away in every encoding; each of them in a share of the encodings. */
const answersForAll = 4
let answers = 0
const nextEncodings = () => {
  answers += 1
  return allEncodings.filter((_, index) => index % answersForAll === answers % answersForAll)
}

/** The mock repeats the caller's key in error texts, answers, headers and grants. */
const leaking: readonly HookOverride[] = [
  {
    hook: 'body',
    wrap: (next) => (json, exchange) => {
      const body = next(json, exchange)
      const key = exchange.caller?.apiKey.value ?? String(exchange.request.headers['api-key'] ?? '')
      return typeof body === 'object' && body !== null && !Array.isArray(body)
        ? {
            ...body,
            x_debug: nextEncodings()
              .map(([, encode]) => encode(key))
              .join(' '),
          }
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
      return {
        ...said,
        content: `${said.content} (your key is ${key}, that is ${Buffer.from(key).toString('base64')}, ${key.toUpperCase()})`,
      }
    },
  },
]

const profileText = (url: string): string => `
baseUrl: ${url}
tenants:
  primary: { key: "\${CANARY_PRIMARY}" }
  secondary: { key: "\${CANARY_SECONDARY}" }
  throttled: { key: "\${CANARY_THROTTLED}" }
throttle: { requests: 30 }
claims: [core, streaming, events, threads, files, tenancy]
threads: { kind: http, method: POST, path: /v1/threads, body: { assistant_id: "{{assistant_id}}" }, pointer: /id }
assistants: { "*": { body: { user_data: { licence: A-1 } } } }
`

const folder = mkdtempSync(join(tmpdir(), 'acs-canary-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
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

/** The certificate is of a gate run always. */
const testedTier = sampling.whole ? 'gate' : 'smoke'

const everythingOn = async (mock: Mock): Promise<void> => {
  const { url } = await mock.listen({ port: 0 })
  writeFileSync(file('target.yaml'), profileText(url))
  await run('test', '--target', file('target.yaml'), '--out', file('report'), '--seed', '11', '--tier', testedTier)
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

/** The characters of a text that stay the same inside a longer base64 text, for each of the three positions it may have. */
const insideBase64 = (text: string): readonly string[] =>
  [0, 1, 2].map((position) => {
    const whole = Buffer.from(`${'x'.repeat(position)}${text}`)
      .toString('base64')
      .replace(/=+$/, '')
    const bits = 8 * (position + Buffer.byteLength(text))
    return whole.slice(Math.ceil((8 * position) / 6), Math.floor(bits / 6))
  })

beforeAll(async () => {
  await using mock = await createMock({ scenario, deviations: leaking })
  await everythingOn(mock)
  // A limit against hanging, on a busy machine too.
}, 600_000)

test('the mock gives every planted key away on the wire', async () => {
  await using mock = await createMock({ scenario, deviations: leaking })
  for (const key of canaries) {
    const asked = Array.from({ length: answersForAll }, async () => {
      const response = await mock.fetch('/v1/tenants/my-api-keys', { headers: { 'api-key': key } })
      return ((await response.json()) as { readonly x_debug: string }).x_debug
    })
    const given = (await Promise.all(asked)).join(' ')
    for (const [, encode] of allEncodings) expect(given).toContain(encode(key))
  }
})

test('the search covers all artefacts', () => {
  expect(artefacts().length).toBeGreaterThanOrEqual(18)
  expect(artefacts().every(({ text }) => text.length > 0)).toBe(true)
})

/** What is searched for inside base64, which also stands in an alphabet for URLs. */
const base64Needles = canaries.flatMap(insideBase64)

/** What else is searched for: every key in every encoding, in lower case. */
const needles = canaries.flatMap((secret) =>
  allEncodings.map(([kind, encode]) => ({ kind, encoded: encode(secret).toLowerCase() })),
)

/** The ways in which a text gives a key away. */
const leaksIn = (text: string): readonly string[] => {
  const lower = text.toLowerCase()
  const inOneAlphabet = text.replaceAll('-', '+').replaceAll('_', '/')
  const isInside = base64Needles.some((needle) => inOneAlphabet.includes(needle))
  return [
    ...needles.filter(({ encoded }) => lower.includes(encoded)).map(({ kind }) => kind),
    ...(isInside ? ['inside base64'] : []),
  ]
}

test('no artefact holds a key in any encoding', () => {
  const found = artefacts().flatMap(({ name, text }) => leaksIn(text).map((kind) => `${name}: ${kind}`))
  expect(found).toEqual([])
})

test('no artefact is compressed, so the search sees all of it', () => {
  expect(artefacts().filter(({ text }) => text.startsWith('\u001f\u008b'))).toEqual([])
})

test('the search finds a planted key in every encoding', () => {
  for (const secret of canaries) {
    for (const [kind, encode] of allEncodings) {
      expect(leaksIn(`before ${encode(secret)} after`)).toContain(kind)
    }
    for (const before of ['', '{', '{"api_key":"', '{ "api_key":"'])
      for (const encoding of ['base64', 'base64url'] as const)
        expect(leaksIn(Buffer.from(`${before}${secret}"}`).toString(encoding))).toContain('inside base64')
  }
})
