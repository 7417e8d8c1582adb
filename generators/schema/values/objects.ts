/**
 * Draws objects from their slots: the names that are present, then a value for each.
 * Counts and dependent names are respected.
 */

import fc from 'fast-check'
import { canonicalJson, type Json, type JsonObject } from '../../../spec/index.ts'
import { guarded } from '../../arbitraries/guarded.ts'
import { jsonEquals } from '../../json/json-value.ts'
import type { NodeSource } from '../node-source.ts'
import type { ObjectPlan, Shape, Slot } from '../plan.ts'

/** Objects of a shape. */
export function objectArbitrary(nodes: NodeSource, shape: Shape, plan: ObjectPlan, budget: number): fc.Arbitrary<Json> {
  const { draft } = shape
  const alive = plan.slots.filter(({ node }) => Number.isFinite(node.height))
  const slots = usableSlots(alive, draft.minProperties, budget, nodes.options.extraProperties)
  const required = slots.filter((slot) => slot.required)
  const optional = slots.filter((slot) => !slot.required)
  const values = new Map(slots.map(({ name, node }) => [name, nodes.of(node, budget)]))
  const counted =
    draft.minProperties > required.length || draft.maxProperties < slots.length || draft.dependent.length > 0
  const made = counted
    ? presentNames(shape, required, optional).chain((names) => record(names, new Set(), values))
    : record(
        slots.map(({ name }) => name),
        new Set(optional.map(({ name }) => name)),
        values,
      )
  if (draft.excluded.length === 0) return made
  return guarded(made, (value) => !draft.excluded.some((other) => jsonEquals(other, value)), 'an object')
}

/** Without budget, recursive optional slots are left out unless the count needs them; extras are opt-in. */
function usableSlots(slots: readonly Slot[], min: number, budget: number, extras: boolean): readonly Slot[] {
  const wanted = slots.filter(
    ({ required, node, extra }) => required || ((budget > 0 || !node.recursive) && (extras || !extra)),
  )
  if (wanted.length >= min) return wanted
  const others = slots.filter((slot) => !wanted.includes(slot))
  const lowestFirst = others.sort((left, right) => left.node.height - right.node.height)
  return [...wanted, ...lowestFirst.slice(0, min - wanted.length)]
}

function record(
  names: readonly string[],
  optional: ReadonlySet<string>,
  values: ReadonlyMap<string, fc.Arbitrary<Json>>,
): fc.Arbitrary<JsonObject> {
  const absent = Symbol('absent')
  const members = names.map((name) => {
    const value = values.get(name) ?? fc.constant(null)
    return optional.has(name) ? fc.option(value, { nil: absent, freq: 2 }) : value
  })
  return fc.tuple(...members).map((made) => {
    const object: Record<string, Json> = {}
    for (const [index, name] of names.entries()) {
      const value = made[index]
      if (value === undefined || typeof value === 'symbol') continue
      if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, configurable: true })
      else object[name] = value
    }
    return object
  })
}

function presentNames(
  { draft }: Shape,
  required: readonly Slot[],
  optional: readonly Slot[],
): fc.Arbitrary<readonly string[]> {
  const least = Math.max(0, draft.minProperties - required.length)
  const most = Math.min(optional.length, draft.maxProperties - required.length)
  const closure = closureOf(draft.dependent)
  const fixed = required.map(({ name }) => name)
  const chosen = fc
    .subarray(
      optional.map(({ name }) => name),
      { minLength: Math.min(least, most), maxLength: Math.max(least, most) },
    )
    .map((names) => closure([...fixed, ...names]))
  if (draft.dependent.length === 0) return chosen
  const possible = new Set([...fixed, ...optional.map(({ name }) => name)])
  const fits = (names: readonly string[]) =>
    names.length <= draft.maxProperties && names.every((name) => possible.has(name))
  return guarded(chosen, fits, `properties ${canonicalJson(fixed)}`)
}

function closureOf(rules: readonly (readonly [string, readonly string[]])[]): (names: readonly string[]) => string[] {
  return (names) => {
    const closed = new Set(names)
    for (const name of closed) {
      for (const [trigger, needed] of rules) if (trigger === name) for (const other of needed) closed.add(other)
    }
    return [...closed]
  }
}
