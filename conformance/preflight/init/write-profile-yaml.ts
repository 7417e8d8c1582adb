/**
 * Writes the findings about a target as a profile for the user to complete. Claims come with their reasons, and recipes as
 * comments.
 */
import { type ConformanceLevel, countText } from '../../../spec/index.ts'
import type { TransportProfile } from '../../profile/target-profile.ts'
import type { AssistantEvidence, TargetEvidence } from './ask-target.ts'

/** A claim, and why it is made or left out. */
interface Claim {
  readonly level: ConformanceLevel
  readonly made: boolean
  readonly because: string
}

const claimsOf = (evidence: TargetEvidence): readonly Claim[] => {
  const streams = (evidence.assistants ?? []).some(({ streaming }) => streaming)
  const because = streams ? 'an assistant says that it streams' : 'no assistant says that it streams'
  const hasThreads = evidence.thread === 'created'
  const otherTenant = evidence.hasSecondary && evidence.secondaryIsOther !== false
  return [
    { level: 'core', made: true, because: 'the assistants are listed' },
    { level: 'streaming', made: streams, because },
    { level: 'events', made: streams, because: `${because}; remove it if /events/stream is not served` },
    {
      level: 'threads',
      made: hasThreads,
      because: hasThreads ? 'POST /v1/threads created one' : 'needs a source of threads, see below',
    },
    { level: 'tools', made: false, because: 'needs the mapping of tool calls, see below' },
    {
      level: 'files',
      made: evidence.grantsUploads,
      because: evidence.grantsUploads ? 'an upload was granted' : 'no upload was granted',
    },
    {
      level: 'tenancy',
      made: otherTenant,
      because: otherTenant ? 'a second tenant has a key' : 'needs ACS_SECONDARY_API_KEY, the key of another tenant',
    },
  ]
}

/** JSON text is YAML text, and nothing in it can break out of its line. */
const quoted = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** A target's own text in a comment: one line, no control characters. */
const remark = (text: string): string => quoted(text.slice(0, 80)).slice(1, -1)

/** A key as it stands in the file. */
const keyLine = (variable: string): string => `  key: \${${variable}}`

const tenantLines = (evidence: TargetEvidence): readonly string[] => [
  'tenants:',
  '  primary:',
  `  ${keyLine('ACS_API_KEY')}`,
  ...(evidence.hasSecondary
    ? ['  secondary:', `  ${keyLine('ACS_SECONDARY_API_KEY')}`]
    : [
        "  # Another tenant's key unlocks the isolation rules.",
        '  # secondary:',
        `  # ${keyLine('ACS_SECONDARY_API_KEY')}`,
      ]),
  '  # A key with a small quota, to reach the rate limit; throttle below says how small.',
  '  # throttled:',
  `  # ${keyLine('ACS_THROTTLED_API_KEY')}`,
  '  # Another key of the primary tenant, to test that the keys of a tenant see the same data.',
  '  # spare:',
  `  # ${keyLine('ACS_SPARE_API_KEY')}`,
]

const claimLines = (claims: readonly Claim[]): readonly string[] => [
  '# What the target claims to conform to; only obligations of claimed levels are required.',
  'claims:',
  ...claims.map(({ level, made, because }) => `  ${made ? '' : '# '}- ${level} # ${because}`),
]

const threadRequest = (pointer: string): readonly string[] => [
  'threads:',
  '  kind: http',
  '  method: POST',
  '  path: /v1/threads',
  '  body: { assistant_id: "{{assistant_id}}" }',
  `  pointer: ${pointer}`,
]

/** The other ways are left out where one is known to work. */
const threadLines = ({ thread, threadPointer }: TargetEvidence): readonly string[] =>
  thread === 'created'
    ? [
        '# Where threads come from, since the contract has no operation that creates one: this request created one.',
        ...threadRequest(threadPointer),
      ]
    : threadWays(threadPointer)

const threadWays = (pointer: string): readonly string[] => [
  '# Where threads come from: the contract has no operation that creates one. Choose one of three ways:',
  ...threadRequest(pointer).map((line) => `# ${line}`),
  '#',
  '# threads:',
  '#   kind: static',
  '#   threads:',
  '#     - { id: 00000000-0000-4000-8000-000000000000, tenant: primary, holds: empty }',
  '#',
  '# threads: # run without a shell; prints the id, gets the key in the environment as ACS_API_KEY',
  '#   kind: command',
  '#   command: [./create-thread.sh, "{{tenant}}", "{{assistant_id}}"]',
]

/** The fields of the contract's own body are always sent; only additional fields must be listed. */
const ownFields: ReadonlySet<string> = new Set(['assistant_id', 'messages', 'user_id'])

/** The placeholder for a value that only the user knows. */
export const placeholder = 'fill in'

const extraBody = ({ required }: AssistantEvidence): Readonly<Record<string, unknown>> => {
  const root = (required.__root__ ?? []).filter((name) => !ownFields.has(name))
  const nested = Object.entries(required).filter(([path]) => path !== '__root__')
  const inner = nested.map(
    ([path, names]) => [path, Object.fromEntries(names.map((name) => [name, placeholder]))] as const,
  )
  return { ...Object.fromEntries(root.map((name) => [name, placeholder])), ...Object.fromEntries(inner) }
}

const assistantLines = (assistants: readonly AssistantEvidence[]): readonly string[] => {
  const demanding = assistants
    .map((one) => ({ one, body: extraBody(one) }))
    .filter(({ body }) => Object.keys(body).length > 0)
  if (demanding.length === 0)
    return [
      '# What requests to an assistant need, by assistant id or for all (*).',
      '# assistants:',
      '#   "*": { prompt: What can you do for me? }',
    ]
  return [
    '# Fields that these assistants require in a request: fill in values that they accept.',
    'assistants:',
    ...demanding.flatMap(({ one, body }) => [
      `  ${quoted(one.id)}: # ${remark(one.name)}`,
      `    body: ${quoted(body)}`,
    ]),
  ]
}

const runLines = ({ runsNameAssistant }: TargetEvidence): readonly string[] =>
  runsNameAssistant
    ? [
        '# Body of run requests: a run with an unknown assistant was rejected because of it.',
        'runBody: { assistant_id: "{{assistant_id}}" }',
      ]
    : [
        '# Body of run requests. With {{assistant_id}} in it, runs also test unknown and foreign assistants.',
        '# runBody: { assistant_id: "{{assistant_id}}" }',
      ]

const lastLines: readonly string[] = [
  '# How an assistant asks for a tool and how a tool message answers; the contract specifies neither.',
  '# tools:',
  '#   prompt: What is the weather in Turku?',
  '#   callIds: /tool_calls/*/id',
  '#   resultField: tool_call_id',
  '',
  '# A number of simultaneous requests that certainly exceeds the quota of tenants.throttled.',
  '# throttle: { requests: 20 }',
  '',
  '# Your answers to questions that the contract leaves open (acs list gaps); the suite then verifies them.',
  '# declares: {}',
  '',
  '# What a run may spend. A cap for model calls is one for repetitions after failures as well:',
  '# without it, a gate run plans 20 calls and repeats up to 6.',
  'budget:',
  '  # maxModelCalls: 20',
  '  timeoutMs: 30000',
]

const notesOf = (evidence: TargetEvidence, claims: readonly Claim[]): readonly string[] => {
  const assistants = evidence.assistants ?? []
  const demanding = assistants.filter((one) => Object.keys(extraBody(one)).length > 0).length
  return [
    `${countText(assistants.length, 'assistant')} found; ${assistants.filter(({ streaming }) => streaming).length} can stream.`,
    ...(demanding > 0
      ? [
          `${demanding} of them ${demanding === 1 ? 'needs' : 'need'} fields that you have to fill in under "assistants".`,
        ]
      : []),
    ...(evidence.secondaryIsOther === false
      ? ['Both keys belong to the same tenant: isolation cannot be tested.']
      : []),
    ...(evidence.thread === 'refused' ? ['POST /v1/threads created no thread.'] : []),
    ...(evidence.thread === 'created' && !evidence.runsNameAssistant
      ? ['Unknown whether a run can name its assistant: without runBody, runs with a foreign assistant are not tested.']
      : []),
    ...claims
      .filter(({ made }) => !made)
      .map(({ level, because }) => `Not claimed: ${level} (${because.replace(', see below', '; the file says how')}).`),
  ]
}

/** Writes the profile and lists the remaining steps. */
export const writeProfileYaml = (
  baseUrl: string,
  evidence: TargetEvidence,
  transport: TransportProfile = {},
): { readonly yaml: string; readonly notes: readonly string[] } => {
  const claims = claimsOf(evidence)
  const blocks: readonly (readonly string[])[] = [
    [
      '# yaml-language-server: $schema=./node_modules/acs-kit/dist/conformance/profile/target.schema.json',
      `baseUrl: ${quoted(baseUrl)}`,
    ],
    ...(Object.keys(transport).length === 0
      ? []
      : [['# How requests reach the target.', `transport: ${quoted(transport)}`]]),
    ['# Keys are references to the environment, so you can commit this file.', ...tenantLines(evidence)],
    claimLines(claims),
    threadLines(evidence),
    assistantLines(evidence.assistants ?? []),
    runLines(evidence),
    lastLines,
  ]
  return { yaml: `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`, notes: notesOf(evidence, claims) }
}
