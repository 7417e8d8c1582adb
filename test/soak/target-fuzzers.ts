/**
 * Fuzzes the suite with hostile targets.
 * Every field of every answer gets strange values, keys in forty encodings among them. A run ends with its evidence, is
 * never a fault of the suite, and shows no key.
 */
import { trialProfile } from '../../cli/prove/trial.ts'
import { createPseudonyms, encodeTrace, fetchClient, judge, run } from '../../conformance/index.ts'
import { createMock } from '../../mock-server/index.ts'
import { createReport, renderHtml, renderText, serializeReport } from '../../reports/index.ts'
import { encodings, splitOverDeltas } from '../secrets/encodings.ts'
import { type Fuzzer, pick, type SeededRandom } from './fuzzer.ts'
import { mutatedText, oddValue } from './mutations.ts'

const fields = [
  'id',
  'thread_id',
  'assistant_id',
  'message_id',
  'created_at',
  'content',
  'role',
  'cursor',
  'items',
  'delta',
  'error_code',
  'detail',
  'name',
  'file_id',
  'file_url',
  'api_key',
  'sources',
  'tool_calls',
  'meta_data_response_schema',
  'request_required_fields',
  'supports_streaming',
  'is_active',
]
const secret = 'acs-demo-primary'

/** A value that a member of that name may get, in JSON. */
const strangeValue = (random: SeededRandom): string => {
  const kind = random()
  if (kind < 0.4) return JSON.stringify(pick(random, Object.values(encodings))(secret))
  if (kind < 0.5) return '{"pattern":"^((a|a))*$","type":"string"}'
  return JSON.stringify(oddValue(random)) ?? 'null'
}

/** Changes one kind of member in some answers, or the bytes of some answers. */
const altered = (random: SeededRandom) => {
  const field = pick(random, fields)
  const value = strangeValue(random)
  const share = pick(random, [0.05, 0.5, 1])
  const byBytes = random() < 0.2
  const member = new RegExp(`("${field}":\\s*)("(?:[^"\\\\]|\\\\.)*"|-?\\d+|true|false|null|\\[\\]|\\{\\})`, 'g')
  return (text: string): string => {
    if (random() > share) return text
    return byBytes ? mutatedText(random, text) : text.replace(member, (_, head: string) => head + value)
  }
}

/** What no artefact may hold: the key in every encoding of its own. */
const needles = Object.entries(encodings).map(([name, encode]) => ({ name, needle: encode(secret).toLowerCase() }))

const leakIn = (texts: readonly string[]): string | null => {
  const lowered = texts.map((text) => text.toLowerCase())
  const found = needles.find(({ needle }) => lowered.some((text) => text.includes(needle)))
  return found === undefined ? null : `a key shows in ${found.name}`
}

const hostileTargets: Fuzzer = {
  name: 'whole runs against hostile targets, field by value',
  goal: 1_400,
  sample: 6,
  deadlineMs: 120_000,
  prepare: async () => ({
    async attempt(random) {
      await using mock = await createMock({ seed: 3, clock: { mode: 'scaled', factor: 50 } })
      const change = altered(random)
      const client = fetchClient(async (request) => {
        const response = await mock.fetch(request)
        const headers = new Headers(response.headers)
        headers.delete('content-length')
        return new Response(change(await response.text()), { status: response.status, headers })
      })
      const seed = Math.floor(random() * 1000)
      for await (const event of run(trialProfile({}), { tier: 'smoke', seed, client })) {
        if (event.type !== 'finished') continue
        const { trace } = event
        if (trace.footer === null) return 'the trace has no footer'
        if (trace.footer.reason?.includes('suite-fault') === true) return trace.footer.reason
        const judgement = judge(trace)
        const fault = judgement.verdicts.find(({ outcome }) => outcome === 'suite-fault')
        if (fault !== undefined) return `${fault.requirement} is a fault of the suite: ${fault.reason}`
        const report = createReport(trace, judgement)
        return leakIn([
          encodeTrace(trace),
          serializeReport(report),
          ...(random() < 0.2 ? [renderHtml(report)] : []),
          renderText(report, { color: false }),
        ])
      }
      return 'the run ended without a trace'
    },
  }),
}

const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~+/=!$&<>"\'\\%:@'
const keys: Fuzzer = {
  name: 'keys in forty encodings, whole and cut up by streams',
  goal: 3_960,
  sample: 400,
  prepare: async () => ({
    async attempt(random) {
      const planted = `k${Array.from({ length: 16 + Math.floor(random() * 40) }, () => pick(random, [...alphabet])).join('')}`
      const [name, encode] = pick(random, Object.entries(encodings))
      const before = pick(random, ['', ' ', 'x', '{"a":"', '\n', 'key=', '€ '])
      const text = `${before}${encode(planted)} after`
      const pseudonyms = createPseudonyms({ secrets: [planted] })
      const isCut = random() < 0.3
      const body = Buffer.from(isCut ? splitOverDeltas(text, 1 + Math.floor(random() * 30)) : text)
      const cut = Math.floor(random() * body.length)
      const shown = Buffer.concat(pseudonyms.pieces([body.subarray(0, cut), body.subarray(cut)])).toString()
      const joined = isCut ? joinedContent(shown) : shown
      const left = encode(planted)
      const core = left.slice(Math.floor(left.length / 4), Math.ceil((left.length * 3) / 4))
      return joined.includes(core) && !name.startsWith('base64 in lines')
        ? `${JSON.stringify(planted)} shows in ${name} after ${JSON.stringify(before)}${isCut ? ', cut up' : ''}`
        : null
    },
  }),
}

const joinedContent = (lines: string): string =>
  lines
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly delta: { readonly content: string } }).delta.content)
    .join('')

export const targetFuzzers: readonly Fuzzer[] = [hostileTargets, keys]
