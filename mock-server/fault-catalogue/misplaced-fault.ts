/**
 * Finds faults that can never apply under their rule. Rules of the library and faults of a scenario use the same check,
 * each with its own error place.
 */
import { type OperationId, operationIds, operations } from '../../spec/index.ts'
import { isErrorCode, operationsOf } from './fault-catalogue.ts'
import type { Fault } from './fault-expression.ts'

/** The properties common to the requests of a rule. */
export interface RuleScope {
  readonly operation: OperationId | undefined
  /** The resource that they must name, or the body that they must have. */
  readonly subjects: readonly RuleSubject[]
}

/** What a rule can ask of its requests and some operations have not. */
export const ruleSubjects = ['tenant', 'assistant', 'thread', 'body'] as const
export type RuleSubject = (typeof ruleSubjects)[number]

export interface MisplacedFault {
  /** The one of the two that does not fit the rest. */
  readonly field: 'fault' | 'operation'
  readonly problem: string
  readonly fix: string
}

const pathOf = (id: OperationId): string => operations[id].path ?? ''
const namesThread = (id: OperationId): boolean => /\{thread_id\}|\/chat\/completions/.test(pathOf(id))
const namesAssistant = (id: OperationId): boolean =>
  namesThread(id) || id === 'createThread' || pathOf(id).includes('{assistant_id}')

/** The operations whose requests have a body, or name something: by key, body, path, query, as the assistant of a thread. */
const operationsNaming: Readonly<Record<RuleSubject, readonly OperationId[]>> = {
  // An upload has a signed URL instead of a key.
  tenant: operationIds.filter((id) => id !== 'uploadFile'),
  assistant: operationIds.filter(namesAssistant),
  thread: operationIds.filter(namesThread),
  // That of an upload is not kept.
  body: operationIds.filter((id) => operations[id].method === 'POST'),
}

const verbOf = (subject: RuleSubject): string => (subject === 'body' ? 'has' : 'names')

/** Why faults never apply to the requests of a rule; empty when each of them may. */
export function misplacedFaults(faults: readonly Fault[], scope: RuleScope): readonly MisplacedFault[] {
  const { operation, subjects } = scope
  const unnamed = subjects.filter(
    (subject) => operation !== undefined && !operationsNaming[subject].includes(operation),
  )
  const foreign = unnamed.map((subject): MisplacedFault => {
    const fix = `use one of ${operationsNaming[subject].join(', ')}`
    return { field: 'operation', problem: `a request of ${operation} ${verbOf(subject)} no ${subject}`, fix }
  })
  return [...foreign, ...faults.flatMap((fault) => misplaced(fault, scope))]
}

function misplaced({ name, numbers, text }: Fault, { operation, subjects }: RuleScope): readonly MisplacedFault[] {
  const possible = operationsOf(name, numbers)
  const fix = `it applies to ${possible.join(', ')}`
  if (operation !== undefined) {
    if (possible.includes(operation)) return []
    return [{ field: 'operation', problem: `${text} never applies to ${operation}`, fix }]
  }
  const missing = subjects.filter((subject) => !possible.some((id) => operationsNaming[subject].includes(id)))
  return missing.map((subject) => ({
    field: 'fault',
    problem: `${text} never applies to a request that ${verbOf(subject)} ${subject === 'assistant' ? 'an' : 'a'} ${subject}`,
    fix,
  }))
}

/** Whether a fault needs an answer in chunks. */
export function needsStream({ name, numbers }: Fault): boolean {
  return !isErrorCode(name) && operationsOf(name, numbers).every((id) => operations[id].stream !== null)
}
