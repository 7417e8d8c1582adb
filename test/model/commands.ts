/** The states and the commands of the model: one thread, and every request that concerns it. */
const MESSAGES = [
  'user',
  'system',
  'assistant',
  'asking-one',
  'asking-two',
  'tool-open',
  'tool-answered',
  'tool-unknown',
  'tool-no-id',
  'role-outside-set',
] as const
const QUERIES = ['default', 'limit-one', 'limit-zero', 'limit-huge', 'limit-text', 'cursor-unknown'] as const
const BODIES = [
  'good',
  'assistant-missing',
  'assistant-foreign',
  'assistant-unknown',
  'assistant-mute',
  'required-field-missing',
  'no-user-message',
  'empty-content',
] as const
const TARGETS = ['own', 'foreign', 'keyless', 'malformed'] as const

/** The thread under test. `unknown` means that no thread with its id exists yet. */
export type State = {
  readonly origin: 'unknown' | 'direct' | 'completions'
  /** `answer` is the answer of a run or completion: the contract does not say that it is stored. */
  readonly last: 'none' | 'user' | 'system' | 'tool' | 'assistant' | 'asking' | 'answer'
  readonly hasUser: 'no' | 'yes' | 'unsettled'
  /** The number of tool calls without an answer. */
  readonly calls: number
  /** A message that is no answer to it stands after an open call. */
  readonly late: boolean
  readonly answered: boolean
  /** Tool messages stand in an order that the contract neither allows nor forbids. */
  readonly irregular: boolean
}

/** Who asks for which thread: its tenant, another tenant, a caller without key, or an id that is no UUID. */
type Target = 'own' | 'foreign' | 'keyless' | 'malformed'

export type Command =
  | { readonly kind: 'begin' }
  | {
      readonly kind: 'create'
      readonly target: Target
      readonly content: 'text' | 'empty' | 'blank'
      /** `tool-open` answers the oldest open call; without such a call its id is unknown. Likewise `tool-answered`. */
      readonly message: MessageKind
    }
  | {
      readonly kind: 'run'
      readonly target: Target
      readonly form: 'whole' | 'stream'
      /** The assistant that the run uses, by whatever means it is named. `mute` does not support streaming. */
      readonly assistant: 'own' | 'foreign' | 'mute'
      readonly tools: boolean
    }
  | { readonly kind: 'list'; readonly target: Target; readonly query: (typeof QUERIES)[number] }
  | {
      readonly kind: 'complete'
      readonly target: 'none' | 'own' | 'foreign' | 'keyless'
      readonly form: 'whole' | 'stream' | 'events'
      readonly body: (typeof BODIES)[number]
    }

export type MessageKind = (typeof MESSAGES)[number]

export const START: State = {
  origin: 'unknown',
  last: 'none',
  hasUser: 'no',
  calls: 0,
  late: false,
  answered: false,
  irregular: false,
}

export const COMMANDS: readonly Command[] = [
  { kind: 'begin' },
  ...TARGETS.flatMap((target) => commandsOn(target)),
  ...(['none', 'own', 'foreign', 'keyless'] as const).flatMap((target) =>
    (['whole', 'stream', 'events'] as const).flatMap((form) =>
      BODIES.map((body) => ({ kind: 'complete', target, form, body }) as const),
    ),
  ),
]

function commandsOn(target: Target): Command[] {
  const contents = ['text', 'empty', 'blank'] as const
  return [
    ...MESSAGES.flatMap((name) =>
      contents.map((content) => ({ kind: 'create', target, message: name, content }) as const),
    ),
    ...(['whole', 'stream'] as const).flatMap((form) =>
      (['own', 'foreign', 'mute'] as const).flatMap((by) =>
        [false, true].map((tools) => ({ kind: 'run', target, form, assistant: by, tools }) as const),
      ),
    ),
    ...QUERIES.map((query) => ({ kind: 'list', target, query }) as const),
  ]
}
