/**
 * Defines which requests a rule matches. A match that fits no request is refused when the rule is added, so that requests
 * need no further check.
 */
import { type OperationId, operationIds } from '../../spec/index.ts'
import type { InFlightRequest } from '../exchange/in-flight-request.ts'
import { bodyText, hasHeader } from '../exchange/request.ts'
import type { Fault } from '../fault-catalogue/fault-expression.ts'
import { misplacedFaults, needsStream, type RuleSubject, ruleSubjects } from '../fault-catalogue/misplaced-fault.ts'
import { isWorldName, worldNameForm } from '../http/world-name.ts'
import { type OptionNames, suggestionFor } from '../option-error.ts'
import { type Assistant, namedIn, type Tenant } from '../scenario/resolved-scenario.ts'
import { FaultError } from './fault-error.ts'
import { subjectOf } from './fault-target.ts'

/** The conditions on a request for a rule to act; every given field must fit. Tenants and assistants by name or id. */
export interface FaultMatch {
  readonly world?: string
  readonly operation?: OperationId
  readonly tenant?: string
  readonly assistant?: string
  readonly thread?: string
  /** A request header that is there (`user-id`), or that holds a text (`user-id: jane`); case of its name ignored. */
  readonly header?: string
  /** Part of the request's body. */
  readonly body?: string
}

export const matchFields: OptionNames<FaultMatch> = {
  world: true,
  operation: true,
  tenant: true,
  assistant: true,
  thread: true,
  header: true,
  body: true,
}

/** The settings that determine the possible requests. */
export interface MatchableRequests {
  readonly tenants: readonly Tenant[]
  /** Whether an assistant that does not stream may be made to, by an override of the mock or by a recording. */
  readonly mayAllStream: boolean
}

/** Throws a FaultError for a match that no request can fit, or at which a fault can never apply. */
export function checkMatch(match: FaultMatch, faults: readonly Fault[], requests: MatchableRequests): void {
  const { world, operation } = match
  if (operation !== undefined && !operationIds.includes(operation)) {
    const problem = `no operation is called "${operation}"; ${suggestionFor(operation, operationIds)}`
    throw new FaultError('match.operation', problem)
  }
  if (world !== undefined && !isWorldName(world)) {
    throw new FaultError('match.world', `no world can be called ${JSON.stringify(world)}; use ${worldNameForm}`)
  }
  checkTexts(match)
  const assistants = meantAssistants(match, requests.tenants)
  const subjects = ruleSubjects.filter((subject) => match[subject] !== undefined)
  const [misplaced] = misplacedFaults(faults, { operation, subjects })
  if (misplaced !== undefined) {
    const field = misplaced.field === 'operation' ? 'match.operation' : 'fault'
    throw new FaultError(field, `${misplaced.problem}; ${misplaced.fix}`)
  }
  const streaming = requests.mayAllStream || assistants === null || assistants.some((assistant) => assistant.streaming)
  const idle = streaming ? undefined : faults.find(needsStream)
  if (idle === undefined) return
  const problem = `${idle.text} never applies to "${match.assistant}", which does not stream; use an assistant that does`
  throw new FaultError('match.assistant', problem)
}

/** Throws a FaultError for what no request can have. JavaScript may give more than texts, as filters of the journal are. */
function checkTexts({ header, body }: { readonly header?: unknown; readonly body?: unknown }): void {
  if (header !== undefined && !/^[!#$%&'*+.^`|~\w-]+(?:\s*:|$)/.test(typeof header === 'string' ? header : '')) {
    const problem = `no header can be called ${JSON.stringify(header)}; use a name, or a name and a text: "user-id: jane"`
    throw new FaultError('match.header', problem)
  }
  if (body !== undefined && (typeof body !== 'string' || body === '')) {
    throw new FaultError('match.body', `body is a text of at least one character, not ${JSON.stringify(body)}`)
  }
}

/** The matching assistants, `null` for any. Throws a FaultError when there is none, or no such tenant. */
function meantAssistants({ tenant, assistant }: FaultMatch, tenants: readonly Tenant[]): readonly Assistant[] | null {
  const owner = tenant === undefined ? undefined : named('tenant', tenant, tenants)
  if (assistant === undefined) return null
  const everyone = tenants.flatMap(({ assistants }) => assistants)
  named('assistant', assistant, everyone)
  const meant = (owner?.assistants ?? everyone).filter(({ id, name }) => name === assistant || id === assistant)
  if (owner === undefined || meant.length > 0) return meant
  const others = owner.assistants.map(({ name }) => name).join(', ')
  throw new FaultError('match.assistant', `tenant "${owner.name}" has no assistant "${assistant}"; it has ${others}`)
}

function named<Part extends { readonly name: string; readonly id: string }>(
  field: RuleSubject,
  wanted: string,
  parts: readonly Part[],
): Part {
  const found = namedIn(parts, wanted)
  if (found !== undefined) return found
  const known = [...new Set(parts.flatMap(({ name, id }) => [name, id]))]
  throw new FaultError(`match.${field}`, `no ${field} is called "${wanted}"; ${suggestionFor(wanted, known)}`)
}

/** Whether a request matches. */
export function matches(match: FaultMatch, exchange: InFlightRequest): boolean {
  const { world, operation, caller, request } = exchange
  if (match.world !== undefined && match.world !== world.name) return false
  if (match.operation !== undefined && match.operation !== operation) return false
  if (match.tenant !== undefined && caller?.tenant.name !== match.tenant && caller?.tenant.id !== match.tenant)
    return false
  if (match.header !== undefined && !hasHeader(request.headers, match.header)) return false
  if (match.body !== undefined && !bodyText(request.body).includes(match.body)) return false
  if (match.thread === undefined && match.assistant === undefined) return true
  const { threadId, assistant } = subjectOf(exchange)
  if (match.thread !== undefined && match.thread.toLowerCase() !== threadId) return false
  return match.assistant === undefined || assistant?.name === match.assistant || assistant?.id === match.assistant
}
