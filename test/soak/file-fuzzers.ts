/**
 * Fuzzes what is read from files.
 * Traces, reports, HARs, profiles, scenarios, baselines, replay files and bundles.
 * A mutated file is read, or refused with what is wrong; nothing crashes, and no doctored certificate is accepted.
 */
import { createPrivateKey } from 'node:crypto'
import {
  decodeTrace,
  encodeTrace,
  harToTrace,
  judge,
  parseProfile,
  readReplayFile,
  replayFileOf,
} from '../../conformance/index.ts'
import { createMock, defaultScenario, loadScenario, scenarioYaml } from '../../mock-server/index.ts'
import { signEnvelope } from '../../reports/certificate/dsse-envelope.ts'
import { type Statement, statementOf } from '../../reports/certificate/statement.ts'
import { parseBaseline, writeBaseline } from '../../reports/compare/baseline.ts'
import {
  type Bundle,
  compareReports,
  createReport,
  matrixOf,
  packBundle,
  parseReport,
  type Report,
  renderAnnotations,
  renderBadge,
  renderCtrf,
  renderHar,
  renderHtml,
  renderJunit,
  renderMarkdown,
  renderSarif,
  renderText,
  serializeReport,
  verifyBundle,
} from '../../reports/index.ts'
import { recordedTrace } from '../proof/recorded-trace.ts'
import { issuedAt, nonce, reenact, rejudge, sampleCertificate } from '../reports/sample-certificate.ts'
import { sampleReport } from '../reports/sample-report.ts'
import { type Attempt, type Fuzzer, pick, type SeededRandom } from './fuzzer.ts'
import { mutatedJson, mutatedText } from './mutations.ts'

/** NDJSON or JSON with a member of one line changed, or the text itself. */
const mutatedLines = (random: SeededRandom, text: string): string => {
  if (random() < 0.4) return mutatedText(random, text)
  const lines = text.trimEnd().split('\n')
  const at = random() < 0.3 ? pick(random, [0, lines.length - 1]) : Math.floor(random() * lines.length)
  lines[at] = JSON.stringify(mutatedJson(random, JSON.parse(lines[at] ?? 'null')))
  return `${lines.join('\n')}\n`
}

const reading = (text: string, read: (text: string) => unknown, mutate = mutatedText): Attempt => {
  return async (random) => {
    await read(mutate(random, text))
    return null
  }
}

const renderings: readonly ((report: Report) => unknown)[] = [
  (report) => renderHtml(report),
  (report) => renderMarkdown(report),
  (report) => renderJunit(report),
  (report) => renderSarif(report),
  (report) => renderCtrf(report),
  (report) => renderHar(report),
  (report) => renderBadge(report),
  (report) => renderAnnotations(report),
  (report) => renderText(report, { color: true }),
]

/** Traces of a few neighbouring exchanges of a run; so small that many thousand can be judged. */
const smallTraces = async (): Promise<readonly string[]> => {
  const { footer, exchanges, ...trace } = await recordedTrace('smoke')
  const starts = exchanges.map((_, index) => index).filter((index) => index % 3 === 0)
  return starts.map((start) => {
    const few = exchanges.slice(start, start + 6)
    return encodeTrace({ ...trace, exchanges: few, footer: footer && { ...footer, exchanges: few.length } })
  })
}

const traces: Fuzzer = {
  name: 'mutated traces, read, judged and reported',
  goal: 194_590,
  sample: 60,
  async prepare() {
    const texts = await smallTraces()
    return {
      async attempt(random) {
        const trace = decodeTrace(mutatedLines(random, pick(random, texts)))
        const report = createReport(trace, judge(trace))
        if (random() < 0.1) parseReport(serializeReport(report))
        return null
      },
    }
  },
}

const reports: Fuzzer = {
  name: 'mutated reports, read, rendered, compared and laid side by side',
  goal: 256_580,
  sample: 150,
  async prepare() {
    const honest = sampleReport({ exchanges: [] })
    const small = { ...honest, verdicts: honest.verdicts.filter((_, index) => index % 12 === 0) }
    const text = JSON.stringify(small)
    return {
      async attempt(random) {
        const changed = random() < 0.2 ? mutatedText(random, text) : JSON.stringify(mutatedJson(random, small))
        const report = parseReport(changed)
        if (random() < 0.9) return null
        pick(random, renderings)(report)
        compareReports(small, report)
        matrixOf([
          { name: 'one', report: small },
          { name: 'other', report },
        ])
        return null
      },
    }
  },
}

const hars: Fuzzer = {
  name: 'mutated HAR files, read and judged',
  goal: 62_540,
  sample: 60,
  async prepare() {
    const texts = (await smallTraces()).map((text) => {
      const trace = decodeTrace(text)
      return renderHar(createReport(trace, judge(trace)))
    })
    return {
      async attempt(random) {
        const text = pick(random, texts)
        judge(
          harToTrace(
            random() < 0.3 ? mutatedText(random, text) : JSON.stringify(mutatedJson(random, JSON.parse(text))),
          ),
        )
        return null
      },
    }
  },
}

const profileText = `baseUrl: http://127.0.0.1:4010
tenants:
  primary: { key: "\${KEY}" }
  secondary: { key: "\${OTHER}" }
claims: [core, streaming, threads]
threads: { kind: http, method: POST, path: /v1/threads, body: { assistant_id: "{{assistant_id}}" }, pointer: /id }
assistants: { "*": { body: { user_data: { licence: A-1 } } } }
budget: { timeoutMs: 10000, maxExchanges: 500 }
`

const bombs = [
  `a: &a [x, x, x, x, x, x, x, x, x]\n${Array.from({ length: 12 }, (_, level) => `b${level}: &b${level} [${Array.from({ length: 9 }, () => (level === 0 ? '*a' : `*b${level - 1}`)).join(', ')}]`).join('\n')}\n`,
  'a: &a { b: *a }\n',
  `${'['.repeat(3_000)}\n`,
  `${'- '.repeat(3_000)}x\n`,
  'a: !!js/function "x"\n<<: { a: 1 }\n',
  `? ${'{'.repeat(500)}\n`,
]

/** A YAML text mutated, or followed or replaced by a bomb. */
const mutatedYaml = (random: SeededRandom, text: string): string => {
  if (random() < 0.85) return mutatedText(random, text)
  return random() < 0.5 ? text + pick(random, bombs) : pick(random, bombs)
}

const settings: Fuzzer = {
  name: 'mutated profiles, scenarios and baselines, with YAML bombs',
  goal: 270,
  sample: 60,
  async prepare() {
    const env = { KEY: 'a-key-for-fuzzing-1', OTHER: 'a-key-for-fuzzing-2' }
    const scenario = await scenarioYaml(defaultScenario)
    const baseline = writeBaseline(sampleReport(), { expires: '2099-01-01', reason: 'known' })
    const attempts = [
      reading(profileText, (text) => parseProfile(text, { file: 'x.yaml', env }), mutatedYaml),
      reading(
        scenario,
        (text) => loadScenario(text, { file: 'x.yaml' }).then((one) => createMock({ scenario: one })),
        mutatedYaml,
      ),
      reading(baseline, parseBaseline, mutatedYaml),
    ]
    return { attempt: (random) => pick(random, attempts)(random) }
  },
}

const replays: Fuzzer = {
  name: 'mutated replay files, read',
  goal: 1_000,
  sample: 100,
  async prepare() {
    const trace = await recordedTrace('smoke')
    const { verdicts } = judge(trace)
    const [file] = verdicts.flatMap((verdict) => {
      const witness = {
        steps: verdict.exchanges.slice(0, 3).map((exchange) => ({ exchange, name: 'x', shows: 'x' })),
        contradiction: 'x',
        confirmed: true,
      }
      return replayFileOf({ ...verdict, witness }, trace) ?? []
    })
    if (file === undefined) throw new Error('no verdict has steps')
    return {
      async attempt(random) {
        readReplayFile(mutatedJson(random, file))
        return null
      },
    }
  },
}

/** What a certificate shows to whoever reads it. */
const shown = ({ run, verdicts }: Report): string =>
  JSON.stringify([
    run.outcome,
    run.granted,
    verdicts.map(({ requirement, operation, facet, outcome }) => [requirement, operation, facet, outcome]),
  ])

const bundles: Fuzzer = {
  name: 'bundles with changed bytes, and reports and statements changed and signed again',
  goal: 390,
  sample: 80,
  async prepare() {
    const { bundle, keys } = sampleCertificate()
    const packed = Buffer.from(packBundle(bundle))
    const honest = parseReport(bundle['report.json'])
    const options = { rejudge, reenact, now: '2026-12-01T00:00:00.000Z', publicKey: keys.publicKey, nonce }
    const accepted = async (source: Uint8Array | Bundle): Promise<boolean> =>
      (await verifyBundle(source, options)).accepted
    const forged = (random: SeededRandom): Bundle => {
      const { 'statement.dsse.json': _, ...files } = bundle
      const report = random() < 0.7 ? (mutatedJson(random, honest) as Report) : honest
      const changed = { ...files, 'report.json': serializeReport(report) }
      const statement: Statement = statementOf(changed, honest, {
        nonce,
        issuedAt,
        expiresAt: '2027-05-01T00:00:00.000Z',
      })
      const signed = report === honest ? mutatedJson(random, statement) : statement
      const envelope = signEnvelope(JSON.stringify(signed), createPrivateKey(keys.privateKey))
      return { ...changed, 'statement.dsse.json': `${JSON.stringify(envelope)}\n` }
    }
    return {
      async attempt(random) {
        if (random() < 0.5) {
          const bytes = Buffer.from(packed)
          const at = Math.floor(random() * bytes.length)
          bytes[at] = ((bytes[at] ?? 0) + 1 + Math.floor(random() * 255)) % 256
          return (await accepted(bytes)) ? `a changed byte at ${at} was accepted` : null
        }
        const forgery = forged(random)
        if (!(await accepted(forgery))) return null
        return shown(parseReport(forgery['report.json'])) === shown(honest) ? null : 'a doctored report was accepted'
      },
    }
  },
}

export const fileFuzzers: readonly Fuzzer[] = [traces, reports, hars, settings, replays, bundles]
