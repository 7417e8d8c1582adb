/**
 * Makes every single-fault mutant of a valid request: body, parameters, syntax and resources.
 * Each has the strength of its rejection, and none has the bytes of the valid request.
 */
import { isJsonObject, type Json, type OperationId } from '../../spec/index.ts'
import { withValueAt } from '../json/json-pointer.ts'
import { encodeRequest } from '../requests/encode-request.ts'
import type { GeneratedRequest, RequestParts } from '../requests/generated-request.ts'
import { inputsOf } from '../requests/operation-inputs.ts'
import { bodyFor, type TargetFacts } from '../requests/target-facts.ts'
import { lenientBodies } from './lenient-operators.ts'
import type { Mutant, ValueMutant } from './mutant.ts'
import { type MutantMaker, mutantMaker } from './mutants-of.ts'
import { parameterMutants } from './parameter-operators.ts'
import { bodyPromise, outsidePromise, resourcePromise } from './strength.ts'
import { syntaxMutants } from './syntax-operators.ts'

/** A well-formed id that does not exist. */
const nobody = '0e0e0e0e-0e0e-4e0e-8e0e-0e0e0e0e0e0e'
const makers = new Map<string, MutantMaker>()

/** The mutants of one valid request. */
export function requestMutants(valid: RequestParts, facts: TargetFacts = {}): readonly Mutant[] {
  if (valid.operation === 'uploadFile') return []
  const original = encodeRequest(valid)
  const all = [
    ...bodyMutants(valid, facts),
    ...outsideMutants(valid, facts),
    ...textMutants(valid, original),
    ...resourceMutants(valid, facts),
  ]
  return all.filter(({ request }) => !sameOnWire(request, original))
}

/** The maker of body mutants of an operation; `null` without a body. */
function bodyMutantMaker(operation: OperationId, facts: TargetFacts = {}): MutantMaker | null {
  const { body } = inputsOf(operation, facts.profile)
  if (body === null) return null
  const key = `${operation} ${facts.profile ?? ''}`
  const maker = makers.get(key) ?? mutantMaker(body.schema)
  makers.set(key, maker)
  return maker
}

function bodyMutants(valid: RequestParts, facts: TargetFacts): readonly Mutant[] {
  const { operation, body } = valid
  const maker = bodyMutantMaker(operation, facts)
  if (maker === null || body === undefined) return []
  const strict = maker.mutantsOf(body).map((mutant) => {
    const { value, ...fault } = mutant
    const forgiven = isForgivenNull(mutant, body, maker)
    const promise = forgiven ? outsidePromise('GREY') : bodyPromise(operation, fault.class, fault.pointer)
    const request = encodeRequest({ ...valid, body: value })
    return { operation, ...fault, location: 'body' as const, ...promise, request }
  })
  const lenient = lenientBodies(body).map(({ value, ...fault }) => ({
    operation,
    ...fault,
    location: 'body' as const,
    class: 'parse' as const,
    ...outsidePromise('GREY'),
    request: encodeRequest({ ...valid, body: value }),
  }))
  return [...strict, ...lenient]
}

/** Many servers treat null as an absent field, so null is GREY in an optional field. */
function isForgivenNull({ operator, pointer }: ValueMutant, body: Json, maker: MutantMaker): boolean {
  return operator === 'N-NULL' && pointer !== '' && maker.accepts(withValueAt(body, pointer, undefined))
}

function outsideMutants(valid: RequestParts, facts: TargetFacts): readonly Mutant[] {
  const { operation } = valid
  return inputsOf(operation, facts.profile).parameters.flatMap((parameter) =>
    parameterMutants(parameter, valid).map(({ parts, grey, raw, ...fault }) => {
      const request = encodeRequest(parts)
      return {
        operation,
        ...fault,
        ...outsidePromise(grey ? 'GREY' : 'W'),
        request: raw === true ? { ...request, raw } : request,
      }
    }),
  )
}

function textMutants(valid: RequestParts, original: GeneratedRequest): readonly Mutant[] {
  return syntaxMutants(original, valid.body).map(({ grey, ...fault }) => ({
    operation: valid.operation,
    ...fault,
    location: 'syntax',
    class: 'syntax',
    ...outsidePromise(grey ? 'GREY' : 'W'),
  }))
}

/** Well-formed ids of assistants and threads that do not exist or belong to another tenant. */
function resourceMutants(valid: RequestParts, facts: TargetFacts): readonly Mutant[] {
  const { operation, body, path } = valid
  const found: Mutant[] = []
  const add = (missing: 'assistant' | 'thread', foreign: boolean, parts: RequestParts, location: 'body' | 'path') => {
    found.push({
      operation,
      operator: missing === 'assistant' ? 'N-ASSIST' : 'N-THREAD',
      location,
      pointer: `/${missing}_id`,
      keyword: foreign ? 'foreign' : 'unknown',
      class: 'state',
      ...resourcePromise(operation, missing, foreign),
      request: encodeRequest(parts),
    })
  }
  const candidates = (foreign: readonly string[] = []) => [
    [nobody, false] as const,
    ...foreign.map((id) => [id, true] as const),
  ]
  for (const [id, foreign] of candidates(facts.foreignAssistantIds)) {
    if (isJsonObject(body) && 'assistant_id' in body) {
      add('assistant', foreign, { ...valid, body: { ...body, ...bodyFor(facts, id), assistant_id: id } }, 'body')
    }
    if ('assistant_id' in path) add('assistant', foreign, { ...valid, path: { ...path, assistant_id: id } }, 'path')
  }
  for (const [id, foreign] of candidates(facts.foreignThreadIds)) {
    if ('thread_id' in path) add('thread', foreign, { ...valid, path: { ...path, thread_id: id } }, 'path')
  }
  return found
}

function sameOnWire(left: GeneratedRequest, right: GeneratedRequest): boolean {
  return (
    left.method === right.method &&
    left.target === right.target &&
    left.body === right.body &&
    left.credential === right.credential &&
    JSON.stringify(left.headers) === JSON.stringify(right.headers)
  )
}
