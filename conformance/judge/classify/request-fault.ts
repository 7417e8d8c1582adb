/**
 * Defines the faults and doubts of a request. A certain fault obliges the service to refuse; a doubt is something
 * that the contract leaves open, so that acceptance and refusal are both legal.
 */

import type { Ambiguity, AmbiguityText } from './ambiguity.ts'

/** The faults that the contract surely forbids, named `<place>-<what>`. */
const faultRules = [
  'key-missing',
  'key-unknown',
  'body-missing',
  'body-not-json',
  'body-not-object',
  'assistant_id-missing',
  'assistant_id-null',
  'assistant_id-wrong-type',
  'assistant_id-not-uuid',
  'assistant-unknown',
  'assistant-foreign',
  'assistant-without-streaming',
  'required-root-field',
  'required-user_data-field',
  'messages-missing',
  'messages-empty',
  'messages-not-array',
  'messages-without-user',
  'entry-not-object',
  'content-missing',
  'content-not-string',
  'content-empty',
  'asking-content-empty',
  'role-missing',
  'role-not-string',
  'role-unknown',
  'user_id-not-uuid',
  'thread-unknown',
  'thread-foreign',
  'thread-made-by-completion',
  'thread-without-user',
  'thread-ends-on-assistant',
  'thread-ends-on-system',
  'calls-unanswered',
  'calls-partly-answered',
  'tool-without-id',
  'tool-without-assistant-message',
  'tool-id-unknown',
  'tool-id-of-other-thread',
  'tool-id-of-other-role',
  'tool-id-inexact',
  'limit-not-integer',
  'filename-missing',
  'persist-not-boolean',
  'user-id-missing',
  'user-id-empty',
  'user-id-characters',
  'user-id-too-long',
] as const
export type FaultRule = (typeof faultRules)[number]

/** Path of a fault as the contract's `loc` writes it. */
export type Loc = readonly (string | number)[]

export interface RequestFault {
  readonly rule: FaultRule
  readonly loc: Loc
}

/** `valid`: must be accepted; `invalid`: must be refused; `unsure`: either is legal. */
export interface RequestClass {
  readonly validity: 'valid' | 'invalid' | 'unsure'
  readonly faults: readonly RequestFault[]
  readonly ambiguities: readonly Ambiguity[]
}

/** Collects the faults of one request. */
export interface FaultList {
  readonly faults: RequestFault[]
  readonly ambiguities: Ambiguity[]
}

export const emptyFaultList = (): FaultList => ({ faults: [], ambiguities: [] })

export const addFault = (list: FaultList, rule: FaultRule, ...loc: Loc): undefined => {
  list.faults.push({ rule, loc })
}

export const addAmbiguity = (list: FaultList, about: AmbiguityText): undefined => {
  list.ambiguities.push({ about, leniency: false })
}

export const addLeniency = (list: FaultList, about: AmbiguityText): undefined => {
  list.ambiguities.push({ about, leniency: true })
}

export const classOf = ({ faults, ambiguities }: FaultList): RequestClass =>
  faults.length === 0 && ambiguities.length === 0
    ? flawless
    : { validity: faults.length > 0 ? 'invalid' : 'unsure', faults: kept(faults), ambiguities: kept(ambiguities) }

/** A list that grew has room for many more, and this one stays as it is for as long as the trace is judged. */
const kept = <Item>(list: readonly Item[]): readonly Item[] => (list.length === 0 ? [] : list.slice())

/** One shared object, since most requests of a long trace are valid. */
const flawless: RequestClass = { validity: 'valid', faults: [], ambiguities: [] }

/** The only certain fault of a request, or `null` when there are none or several. */
export const soleFault = ({ faults }: Pick<RequestClass, 'faults'>): RequestFault | null =>
  faults.length === 1 ? (faults[0] ?? null) : null

/** The only open question about a request without faults, or `null`. */
export function onlyAmbiguity({ faults, ambiguities }: RequestClass): AmbiguityText | null {
  const [first] = ambiguities
  if (faults.length > 0 || first === undefined) return null
  return ambiguities.every(({ about }) => about === first.about) ? first.about : null
}
