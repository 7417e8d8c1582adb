/**
 * Makes the scenario of a recording: its tenants and assistants, which answer new questions as they answered then.
 * A recording holds no keys, so each tenant gets one of the mock's own.
 */
import { jsonOf } from '../journal/body-value.ts'
import { isObject } from '../overrides/json-edit.ts'
import { derive, rootKey } from '../randomness/key.ts'
import { isUuid, uuidOf } from '../randomness/uuid.ts'
import { leaveUnchecked } from '../scenario/answer-function.ts'
import { scenarioProblems } from '../scenario/check-scenario.ts'
import type { AnswerFunction, AssistantScript, JsonObject, Scenario, TenantScript } from '../scenario/scenario.ts'
import type { RecordedExchange, RecordedThread } from './recorded-exchange.ts'
import type { RecordedThreads } from './recorded-threads.ts'

/** The scenario, and what of the recorded service it cannot hold because it breaks the contract. */
export async function recordedScenario(
  exchanges: readonly RecordedExchange[],
  { last }: RecordedThreads,
): Promise<{ readonly scenario: Scenario; readonly problems: readonly string[] }> {
  const answer = answersOf([...last.values()].map(({ messages }) => messages))
  const names = [...new Set(exchanges.map(({ tenant }) => tenant))]
  const tenants = (names.length === 0 ? ['primary'] : names).map((name) => ({
    name,
    listed: listedBy(
      exchanges.filter(({ tenant }) => tenant === name),
      [...last.values()].filter(({ tenant }) => tenant === name),
    ),
  }))
  const problems: string[] = []
  const assistants = new Map<string, AssistantScript>()
  for (const { listed } of tenants) {
    for (const [id, record] of listed) {
      if (assistants.has(id)) continue
      const taken = new Set([...assistants.values()].map(({ name }) => name))
      const script = scriptOf(id, record, answer, taken)
      const wrong = await problemsOf(script)
      problems.push(...wrong.map((problem) => `assistant ${id}: ${problem}`))
      assistants.set(id, wrong.length === 0 ? script : { ...script, meta_data_response_schema: openSchema })
    }
  }
  const scripts: readonly TenantScript[] = tenants.map(({ name, listed }) => ({
    name,
    keys: [{ key: `acs-demo-${name}` }],
    assistants: [...listed.keys()].flatMap((id) => assistants.get(id)?.name ?? []),
  }))
  return { scenario: { name: 'recorded', tenants: scripts, assistants: [...assistants.values()] }, problems }
}

const openSchema: JsonObject = { title: 'RecordedMetaData', type: 'object', properties: {} }

/** The assistants that a tenant was shown or that it named, by id; a record is empty where none was shown. */
function listedBy(
  exchanges: readonly RecordedExchange[],
  threads: readonly RecordedThread[],
): ReadonlyMap<string, JsonObject> {
  const listed = new Map<string, JsonObject>()
  for (const { operation, status, pieces, json } of exchanges) {
    if (status >= 300) continue
    const shown = operation === 'listAssistants' || operation === 'getAssistant'
    const body = shown ? jsonOf(Buffer.concat(pieces.map(({ bytes }) => bytes)).toString()) : []
    for (const record of Array.isArray(body) ? body : [body]) {
      if (isObject(record) && typeof record.id === 'string') listed.set(record.id, record)
    }
    const named = isObject(json) ? json.assistant_id : undefined
    if (typeof named === 'string' && isUuid(named) && !listed.has(named)) listed.set(named, {})
  }
  for (const { assistantId } of threads)
    if (isUuid(assistantId) && !listed.has(assistantId)) listed.set(assistantId, {})
  // Somebody has to answer what was not recorded.
  return listed.size > 0 ? listed : new Map([[fallbackId, {}]])
}

const fallbackId = uuidOf(derive(rootKey(0), 'assistant of a recording'))

function scriptOf(id: string, record: JsonObject, answer: AnswerFunction, taken: ReadonlySet<string>): AssistantScript {
  const own = typeof record.name === 'string' && record.name !== '' ? record.name : 'Assistant'
  const { streaming, meta_data_response_schema: schema, request_required_fields: required } = record
  return {
    // Two assistants of a service may share a name, those of a scenario may not.
    name: taken.has(own) || own === 'Assistant' ? `${own} ${id}` : own,
    id: id.toLowerCase(),
    streaming: streaming !== false,
    meta_data_response_schema: isObject(schema) ? schema : openSchema,
    ...(isFieldLists(required) ? { request_required_fields: required } : null),
    turns: [{ answer }],
  }
}

function isFieldLists(value: unknown): value is Readonly<Record<string, readonly string[]>> {
  return (
    isObject(value) &&
    Object.values(value).every((one) => Array.isArray(one) && one.every((field) => typeof field === 'string'))
  )
}

async function problemsOf(script: AssistantScript): Promise<readonly string[]> {
  const alone = { name: 'recorded', tenants: [], assistants: [script] }
  return (await scenarioProblems(alone)).map(({ path, problem, requirement = '' }) =>
    `${path.slice(2).join('.')} ${problem} ${requirement === '' ? '' : `(${requirement})`}`.trim(),
  )
}

/** Answers a question as it was answered in the recording, wherever that was; any other with the question itself. */
function answersOf(threads: readonly (readonly JsonObject[])[]): AnswerFunction {
  const known = new Map<string, JsonObject>()
  for (const messages of threads) {
    for (const [index, message] of messages.entries()) {
      const asked = messages[index - 1]
      if (message.role === 'assistant' && asked?.role === 'user') known.set(String(asked.content), message)
    }
  }
  return leaveUnchecked(({ user }) => {
    const said = known.get(user)
    if (said === undefined || said.tool_calls !== undefined) return `There is no recorded answer to: ${user}`
    const { meta_data, sources } = said
    return {
      answer: String(said.content),
      ...(isObject(meta_data) && Object.keys(meta_data).length > 0 ? { meta_data } : null),
      ...(Array.isArray(sources) ? { sources: sources as never } : null),
    }
  })
}
