/**
 * Reads the profile from the header of a trace. It is redacted and perhaps written by another version, so every field
 * is checked before it is used.
 */
import { type ConformanceLevel, conformanceLevels } from '../../spec/index.ts'
import { defaultBudget } from '../profile/minimal-profile.ts'
import type { FileStatusMapping, StaticThread, ThreadSource, ToolMapping } from '../profile/target-profile.ts'
import type { HeaderLines, TraceHeader } from '../trace/exchange.ts'
import { fieldOf, isObject, type JsonObject, textField } from './read/json.ts'
import { locatePlaceholder } from './read/locate-placeholder.ts'

export interface JudgeProfile {
  readonly baseUrl: string
  readonly source: TraceHeader['source']
  /** When the trace began, by the clock of the machine that recorded it, in milliseconds since 1970. */
  readonly startedAtMs: number
  /** Tenants whose threads only the trace writes to. */
  readonly exclusive: ReadonlySet<string>
  readonly tenants: ReadonlySet<string>
  /** The keys of the primary tenant, by their names in the profile: its own and the spare one. */
  readonly primaryKeys: ReadonlyMap<string, string>
  readonly claims: ReadonlySet<ConformanceLevel>
  readonly threads: ThreadSource | null
  readonly runBody: unknown
  /** Where the body of a run names its assistant, by the profile's template. */
  readonly runAssistantAt: readonly string[] | null
  /** Where the request that makes a thread names its assistant. */
  readonly threadAssistantAt: readonly string[] | null
  /** Top-level body fields that the profile adds for some assistant. */
  readonly assistantFields: ReadonlySet<string>
  /** The values of these fields, as the profile writes them, by the id or name of the assistant; `*` is for all. */
  readonly assistantBodies: readonly (readonly [assistant: string, body: JsonObject])[]
  readonly tools: ToolMapping | null
  readonly files: JudgedFiles
  /** Requests that surely exceed the quota of the throttled key. */
  readonly throttledAfter: number | null
  /** The largest body that is kept, when the profile wants it smaller than usual. */
  readonly lowBodyLimit: number | null
  /** How the target is asked for an error. */
  readonly provoking: readonly Provocation[]
  readonly declares: ReadonlyMap<string, string>
}

/** The part of the file mapping that is used to read a trace. */
export interface JudgedFiles {
  readonly status: FileStatusMapping | null
  /** The fields of a message that attach a file, as the profile writes them. */
  readonly attachment: JsonObject | null
  /** Whether nothing shows that a file is attached, says the profile. */
  readonly isAttachmentUnseen: boolean
}

/** The conditions under which the target answers with a code: a request must meet all of them. */
interface Provocation {
  readonly code: string
  /** Header lines, names in lower case; a key stands among them. */
  readonly lines: HeaderLines
  readonly thread: string | null
  /** How the newest message of a user begins. */
  readonly prompt: string | null
  /** Top-level fields of the body; an assistant stands among them. */
  readonly body: Readonly<Record<string, unknown>>
}

const assistantPlaceholder = '{{assistant_id}}'

/** Reads the header's profile; without claims every level counts as claimed. */
export function judgeProfile(header: TraceHeader): JudgeProfile {
  const profile = header.profile
  const claims = fieldOf(profile, 'claims')
  const throttle = fieldOf(fieldOf(profile, 'throttle'), 'requests')
  const tenants = fieldOf(profile, 'tenants')
  const bodyLimit = fieldOf(fieldOf(profile, 'budget'), 'maxBodyBytes')
  const bodies = assistantBodies(fieldOf(profile, 'assistants'))
  return {
    baseUrl: textField(profile, 'baseUrl') ?? header.target,
    source: header.source,
    startedAtMs: Date.parse(header.startedAt),
    exclusive: new Set(header.exclusive ?? []),
    tenants: new Set(isObject(tenants) ? Object.keys(tenants) : []),
    primaryKeys: primaryKeys(tenants),
    claims: new Set(
      Array.isArray(claims) ? conformanceLevels.filter((level) => claims.includes(level)) : conformanceLevels,
    ),
    threads: threadSource(fieldOf(profile, 'threads')),
    runBody: fieldOf(profile, 'runBody') ?? {},
    runAssistantAt: locatePlaceholder(fieldOf(profile, 'runBody'), assistantPlaceholder),
    threadAssistantAt: locatePlaceholder(fieldOf(fieldOf(profile, 'threads'), 'body'), assistantPlaceholder),
    assistantFields: new Set(bodies.flatMap(([, body]) => Object.keys(body))),
    assistantBodies: bodies,
    tools: toolMapping(fieldOf(profile, 'tools')),
    files: {
      status: statusMapping(fieldOf(fieldOf(profile, 'files'), 'status')),
      attachment: objectOrNull(fieldOf(fieldOf(profile, 'files'), 'attachment')),
      isAttachmentUnseen: fieldOf(fieldOf(profile, 'files'), 'attachmentUnseen') === true,
    },
    throttledAfter: typeof throttle === 'number' ? throttle : null,
    lowBodyLimit: typeof bodyLimit === 'number' && bodyLimit < defaultBudget.maxBodyBytes ? bodyLimit : null,
    provoking: [...provocations(fieldOf(profile, 'provoke')), ...failingAssistants(fieldOf(profile, 'assistants'))],
    declares: declaredAnswers(fieldOf(profile, 'declares')),
  }
}

function primaryKeys(tenants: unknown): ReadonlyMap<string, string> {
  const named = ['primary', 'spare'].map((name) => [name, textField(fieldOf(tenants, name), 'key')] as const)
  return new Map(named.flatMap(([name, key]) => (key === null ? [] : [[name, key] as const])))
}

function threadSource(value: unknown): ThreadSource | null {
  const kind = textField(value, 'kind')
  if (kind === 'command') return { kind, command: [] }
  if (kind === 'static') {
    const threads = fieldOf(value, 'threads')
    return { kind, threads: Array.isArray(threads) ? threads.flatMap(staticThread) : [] }
  }
  const method = textField(value, 'method')
  const path = textField(value, 'path')
  const pointer = textField(value, 'pointer')
  if (kind !== 'http' || method === null || path === null || pointer === null) return null
  return { kind, method, path, pointer }
}

function staticThread(value: unknown): readonly StaticThread[] {
  const id = textField(value, 'id')
  const tenant = textField(value, 'tenant')
  if (id === null || (tenant !== 'primary' && tenant !== 'secondary' && tenant !== 'throttled')) return []
  const assistant = textField(value, 'assistant_id')
  const holds = textField(value, 'holds') === 'empty' ? 'empty' : 'unknown'
  return [{ id, tenant, holds, ...(assistant === null ? {} : { assistant_id: assistant }) }]
}

function toolMapping(value: unknown): ToolMapping | null {
  const callIds = textField(value, 'callIds')
  const resultField = textField(value, 'resultField')
  if (callIds === null || resultField === null) return null
  const message = fieldOf(value, 'assistantMessage')
  const prompt = textField(value, 'prompt')
  return {
    callIds,
    resultField,
    ...(prompt === null ? {} : { prompt }),
    ...(message === undefined ? {} : { assistantMessage: message }),
  }
}

function statusMapping(value: unknown): FileStatusMapping | null {
  const path = textField(value, 'path')
  const pointer = textField(value, 'pointer')
  const complete = fieldOf(value, 'complete')
  if (path === null || pointer === null || !Array.isArray(complete)) return null
  const failed = fieldOf(value, 'failed')
  const waitMs = fieldOf(value, 'waitMs')
  return {
    path,
    pointer,
    complete,
    ...(Array.isArray(failed) ? { failed } : {}),
    ...(typeof waitMs === 'number' ? { waitMs } : {}),
  }
}

const objectOrNull = (value: unknown): JsonObject | null => (isObject(value) ? value : null)

function assistantBodies(value: unknown): JudgeProfile['assistantBodies'] {
  return Object.entries(isObject(value) ? value : {}).flatMap(([assistant, one]) => {
    const body = fieldOf(one, 'body')
    return isObject(body) ? [[assistant, body] as const] : []
  })
}

function provocations(value: unknown): readonly Provocation[] {
  return Object.entries(isObject(value) ? value : {}).flatMap(([code, one]) => {
    const headers = fieldOf(one, 'headers')
    const entries = isObject(headers) ? Object.entries(headers) : []
    const key = textField(one, 'key')
    const lines = [...entries, ...(key === null ? [] : [['api-key', key] as const])].map(
      ([name, text]): [string, string] => [name.toLowerCase(), String(text)],
    )
    const thread = textField(one, 'thread')
    const assistant = textField(one, 'assistant')
    const fields = fieldOf(one, 'body')
    const body = { ...(isObject(fields) ? fields : {}), ...(assistant === null ? {} : { assistant_id: assistant }) }
    const prompt = textField(one, 'prompt')
    const isEmpty = lines.length === 0 && thread === null && prompt === null && Object.keys(body).length === 0
    return isEmpty ? [] : [{ code, lines, thread, prompt, body }]
  })
}

/** Assistants that the profile says to fail always: to ask one is to provoke its error. */
function failingAssistants(value: unknown): readonly Provocation[] {
  return Object.entries(isObject(value) ? value : {}).flatMap(([assistant, one]) => {
    const code = failingCodes.find(([field]) => fieldOf(one, field) === true)?.[1]
    return code === undefined
      ? []
      : [{ code, lines: [], thread: null, prompt: null, body: { assistant_id: assistant } }]
  })
}

const failingCodes = [
  ['timesOut', 'api_timeout_error'],
  ['unavailable', 'internal_service_error'],
] as const

function declaredAnswers(value: unknown): ReadonlyMap<string, string> {
  const entries = isObject(value) ? Object.entries(value) : []
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
