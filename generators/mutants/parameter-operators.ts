/**
 * Makes wrong query, path and header parameters.
 * A parameter becomes text, so only changes that stay wrong after parsing count; those that some parser accepts are GREY.
 */
import { withHeader, withQuery } from '../requests/boundary-cases.ts'
import type { RequestParts } from '../requests/generated-request.ts'
import type { ParameterInput } from '../requests/operation-inputs.ts'
import { lenientBooleans, lenientIntegers, lenientUuids } from './lenient-operators.ts'
import type { FaultClass, FaultLocation } from './mutant.ts'
import { damagedUuids } from './value-operators.ts'

interface PartsMutant {
  readonly operator: string
  readonly location: FaultLocation
  readonly pointer: string
  readonly keyword: string
  readonly class: FaultClass
  readonly grey: boolean
  readonly parts: RequestParts
  /** True if only a raw socket can send it. */
  readonly raw?: boolean
}

/** Every wrong form of one parameter of a valid request. */
export function parameterMutants(parameter: ParameterInput, base: RequestParts): readonly PartsMutant[] {
  switch (parameter.in) {
    case 'query':
      return queryMutants(parameter, base)
    case 'path':
      return pathMutants(parameter, base)
    case 'header':
      return headerMutants(parameter, base)
  }
}

function queryMutants(parameter: ParameterInput, base: RequestParts): readonly PartsMutant[] {
  const { name, required, schema } = parameter
  const of = describe('query', name)
  const set = (value: string) => withQuery(base, name, value)
  const present = base.query.find(([other]) => other === name)?.[1] ?? sampleText(schema.type)
  const mutants = [
    of('N-PDUP', 'duplicate', 'syntax', { ...set(present), query: [...set(present).query, [name, present]] }, true),
  ]
  if (required) {
    mutants.push(
      of('N-PMISS', 'required', 'missing', { ...base, query: base.query.filter(([other]) => other !== name) }),
    )
    mutants.push(of('N-PEMPTY', 'minLength', 'bound', set(''), true))
  }
  if (schema.type === 'integer') {
    mutants.push(...['abc', '1.5', 'ten', '1 0', '[1]'].map((text) => of('N-INT', 'type', 'parse', set(text))))
    mutants.push(...lenientIntegers.map((text) => of('N-LIMIT', 'type', 'parse', set(text), true)))
  }
  if (schema.type === 'boolean') {
    mutants.push(...['maybe', '2', '[true]', 'truefalse'].map((text) => of('N-BOOL', 'type', 'parse', set(text))))
    mutants.push(...lenientBooleans.map((text) => of('L-BOOL', 'type', 'parse', set(text), true)))
  }
  if (name === 'cursor') {
    const cursors = ['not-a-cursor', '%00', '', 'e30=', `${present.slice(0, -1)}`, `${present}x`]
    mutants.push(...cursors.map((text) => of('N-CURSOR', 'format', 'parse', set(text), true)))
  }
  return mutants
}

/** Wrong ids in the path; some, such as `id?injected=1`, try to get past the router. */
function pathMutants({ name }: ParameterInput, base: RequestParts): readonly PartsMutant[] {
  const id = base.path[name] ?? ''
  const of = describe('path', name)
  const set = (value: string): RequestParts => ({ ...base, path: { ...base.path, [name]: value } })
  const damaged = [...damagedUuids(id).filter((text) => text !== ''), '{}', 'null', 'undefined', '0']
  const slipping = [`${id}?injected=1`, `${id}/${id}`, `${id}??`, `${id}%2F`, '../..', `${id}\u0000`]
  return [
    ...damaged.map((text) => of('N-PATHUUID', 'format', 'parse', set(text))),
    ...slipping.map((text) => of('N-PATHENC', 'format', 'parse', set(text), true)),
    ...lenientUuids(id).map((text) => of('L-UUID', 'pattern', 'parse', set(text), true)),
  ]
}

function headerMutants({ name, required }: ParameterInput, base: RequestParts): readonly PartsMutant[] {
  const of = describe('header', name)
  const set = (value: string) => withHeader(base, name, value)
  const without = { ...base, headers: base.headers.filter(([other]) => other !== name) }
  const good = base.headers.find(([other]) => other === name)?.[1] ?? 'user-1'
  const spoilt = [' ', '\t', ',', ';', '/', '+', '^', '\\', '(', '=', '#', '%'].flatMap((bad) => [`a${bad}b`])
  const edges = ['!a', 'a!', '[a', 'a]', 'a^', '`a', 'a,']
  const rawOnly = ['usér', 'user-\u{1f600}', 'a\u0000b', 'a\u007fb', 'a\u0001b']
  const mutants = [
    ...[...spoilt, ...edges].map((text) => of('N-UID', 'pattern', 'pattern', set(text))),
    ...['a'.repeat(256), 'a'.repeat(300)].map((text) => of('N-UID', 'maxLength', 'bound', set(text))),
    { ...of('N-UID', 'maxLength', 'bound', set('a'.repeat(20_480)), true) },
    { ...of('N-UID', 'duplicate', 'syntax', { ...base, headers: [...base.headers, [name, good]] }, true), raw: true },
    ...rawOnly.map((text) => ({ ...of('N-UID', 'pattern', 'pattern', set(text)), raw: true })),
  ]
  if (!required) return mutants
  return [
    ...mutants,
    of('N-PMISS', 'required', 'missing', without),
    of('N-UID', 'pattern', 'pattern', set('')),
    of('N-RENAME', 'required', 'missing', withHeader(without, name.replaceAll('-', '_'), good), true),
  ]
}

function describe(location: 'query' | 'path' | 'header', name: string) {
  return (operator: string, keyword: string, kind: FaultClass, parts: RequestParts, grey = false): PartsMutant => ({
    operator,
    location,
    pointer: `/${name}`,
    keyword,
    class: kind,
    grey,
    parts,
  })
}

function sampleText(type: unknown): string {
  if (type === 'integer') return '2'
  return type === 'boolean' ? 'true' : 'x'
}
