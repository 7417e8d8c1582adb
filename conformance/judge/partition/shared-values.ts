/**
 * Collects the values by which exchanges of different threads affect each other. Ids that must differ, messages that may
 * be listed in the wrong thread, calls and cursors of another thread, requests that are the same: as numbers, so that those
 * of a whole trace stay in memory.
 */
import { bothCompletions, type OperationId } from '../../../spec/index.ts'
import { onlyAmbiguity } from '../classify/request-fault.ts'
import { quotedNumbers } from '../history/quoted-numbers.ts'
import { idField } from '../read/formats.ts'
import { fieldOf, textField } from '../read/json.ts'
import { documentOf, isAccepted, type ParsedExchange, queryValues } from '../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../trace-analysis.ts'
import { hashText } from './hash-text.ts'

/** Values of one part; each list repeats its fields in this order. */
export interface SharedValues {
  /** value, component: the owner of the value. */
  readonly owned: Float64Array
  /** value, component: an id that nothing else may have. */
  readonly unique: Float64Array
  /** value, component: a value whose meaning depends on another thread. */
  readonly wanted: Float64Array
  /** value, outcome, component: requests of one value, which may have come to different ends. */
  readonly twins: Float64Array
  /** value, form and outcome, component: requests of one value in the whole and the streamed form. */
  readonly forms: Float64Array
}

type ComponentOf = (exchange: string) => number | null

/** Short texts say nothing about where they come from. */
const tellingLength = 12

/** The shared values of a part. */
export function sharedValuesOf(analysis: TraceAnalysis, componentOf: ComponentOf): SharedValues {
  const owned: number[] = []
  const unique: number[] = []
  const wanted: number[] = []
  const twins: number[] = []
  const forms: number[] = []
  for (const thread of analysis.histories.threads) {
    const component = firstComponent(thread, componentOf)
    if (component === null) continue
    for (const { id, role, content } of thread.writes) {
      if (id !== null) owned.push(hashText(`id ${id}`), component)
      if (content !== null && content.length >= tellingLength) owned.push(hashText(`${role}\n${content}`), component)
    }
    for (const id of thread.calls.keys()) owned.push(hashText(`call ${id}`), component)
    for (const key of thread.cursors.keys())
      owned.push(hashText(`cursor ${key.slice(key.indexOf(' ') + 1)}`), component)
    for (const { id, explanation, first } of thread.stored.values()) {
      if (explanation === 'written') continue
      wanted.push(hashText(`id ${id}`), component)
      if (thread.origin.startsEmpty)
        wanted.push(hashText(`${textField(first.item, 'role')}\n${textField(first.item, 'content')}`), component)
    }
  }
  const { mentions, answers } = quotedNumbers(analysis)
  for (const [number, saidBy] of mentions) {
    const component = componentOf(saidBy[0]?.id ?? '')
    if (component !== null) owned.push(hashText(`number ${number}`), component)
  }
  for (const { parsed, unexplained } of answers) {
    const component = componentOf(parsed.id)
    if (component !== null) for (const number of unexplained) wanted.push(hashText(`number ${number}`), component)
  }
  for (const parsed of analysis.parsedExchanges) {
    const component = componentOf(parsed.id)
    if (component === null) continue
    const id = uniqueIdOf(parsed)
    if (id !== null) unique.push(hashText(id), component)
    const other = wantedBy(analysis, parsed)
    if (other !== null) wanted.push(hashText(other), component)
    const same = sameRequest(parsed)
    if (same === null) continue
    const [value, outcome] = same
    twins.push(hashText(`${parsed.operation} ${value}`), hashText(outcome), component)
    forms.push(hashText(value), hashText(`${parsed.operation} ${outcome}`), component)
  }
  const numbers = (list: readonly number[]): Float64Array => Float64Array.from(list)
  return {
    owned: numbers(owned),
    unique: numbers(unique),
    wanted: numbers(wanted),
    twins: numbers(twins),
    forms: numbers(forms),
  }
}

function firstComponent(
  { writes, pages }: TraceAnalysis['histories']['threads'][number],
  componentOf: ComponentOf,
): number | null {
  const parsed = writes[0]?.parsed ?? pages[0]?.parsed
  return parsed === undefined ? null : componentOf(parsed.id)
}

function uniqueIdOf(parsed: ParsedExchange): string | null {
  const name = uniqueNames[parsed.operation ?? 'listMessages']
  const id = name === undefined ? null : idField(documentOf(parsed), name)
  return id === null ? null : `${name} ${id}`
}

const uniqueNames: Readonly<Partial<Record<OperationId, string>>> = {
  createMessage: 'id',
  createUploadGrant: 'file_id',
}

/** A call or a cursor that its own thread does not know. */
function wantedBy(analysis: TraceAnalysis, parsed: ParsedExchange): string | null {
  const request = analysis.requestOf(parsed)
  if (parsed.operation === 'createMessage' && request.faults.some(({ rule }) => rule === 'tool-id-unknown')) {
    const field = analysis.profile.tools?.resultField ?? 'tool_call_id'
    return parsed.body.kind === 'json' ? `call ${textField(parsed.body.value, field)}` : null
  }
  const isOdd = onlyAmbiguity(request) === 'a cursor that this thread did not hand out'
  return parsed.operation === 'listMessages' && isOdd ? `cursor ${queryValues(parsed, 'cursor')[0]}` : null
}

const isCompletion: ReadonlySet<OperationId | null> = new Set(bothCompletions)

/** What a request outside of threads says, or whose record it reads, with what came of it. */
function sameRequest(parsed: ParsedExchange): readonly [value: string, outcome: string] | null {
  const { operation, tenant, body, query, answer } = parsed
  if (operation === 'listMyApiKeys') {
    const record = documentOf(parsed)
    const keys = fieldOf(record, 'api_keys')
    const ids = Array.isArray(keys) ? keys.map((key) => textField(key, 'id')).sort() : []
    return tenant === null || record === undefined ? null : [tenant, `${textField(record, 'id')} ${ids.join()}`]
  }
  if (!isCompletion.has(operation) || body.kind !== 'json') return null
  const said = `${tenant} ${query.join('&')} ${hashText(body.plain)} ${body.plain.length}`
  return [said, isAccepted(parsed) ? 'accepted' : (answer.code ?? answer.kind)]
}
