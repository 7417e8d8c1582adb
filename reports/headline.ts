/**
 * Says in the reader's words what is wrong: method and path of the operation, then what it does.
 * Numbers of exchanges, ids of operations and long values stand beside the evidence, where they can be followed.
 */
import type { Verdict } from '../conformance/index.ts'
import { type OperationId, operations } from '../spec/index.ts'

export interface Headline {
  /** `POST /v1/threads/{thread_id}/run`. */
  readonly operation: string
  /** What it does, a clause whose subject is the operation or named. */
  readonly finding: string
}

/** Method and path, as a reader of the contract knows the operation. */
export function operationName(id: OperationId): string {
  const { method, path } = operations[id] ?? { method: '', path: id }
  return `${method} ${path ?? 'to the signed URL'}`.trim()
}

type Told = Pick<Verdict, 'operation' | 'expected' | 'actual' | 'headline'>

/** What a violation is: as the judge says it, else by its two sides; `rule` is what is said of one that has no evidence. */
export function headlineOf(told: Told, rule: string, operation = operationName(told.operation)): Headline {
  return { operation, finding: shortIds(told.headline ?? sidesOf(told) ?? rule) }
}

/** The headline on one line. */
export const headlineText = ({ operation, finding }: Headline): string => `${operation}: ${finding}`

function sidesOf({ expected, actual }: Told): string | null {
  return expected === undefined || actual === undefined ? null : `got ${actual} instead of ${expected}`
}

/** Ids are whole beside the evidence; here their beginning tells them apart. */
function shortIds(text: string): string {
  return text.replace(/\b([0-9a-f]{8})(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24})\b/gi, '$1…')
}
