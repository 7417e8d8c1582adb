/**
 * Plans the slots of an object: known names, names that fit its patterns, some unknown names.
 * The pool is fixed when the schema is compiled, so that drawing an object is only a choice of slots.
 */
import fc from 'fast-check'
import { blankDraft, type Draft, propertyRuleTerms, propertyTerms, type ViolatingProperty } from './draft.ts'
import type { GraphNode, ObjectPlan, Slot } from './plan.ts'
import type { Term } from './term.ts'
import type { TermValidator } from './term-validator.ts'
import { stringsOf } from './values/strings.ts'

/** The interface of the graph that the plan of an object needs. */
interface NodeFactory {
  readonly judge: TermValidator
  /** The node of a conjunction. */
  node(terms: readonly Term[]): GraphNode
  /** Strings that satisfy a conjunction. */
  stringsOf(terms: readonly Term[]): readonly fc.Arbitrary<string>[]
}

/** Names that schemas hardly know, some awkward on purpose; not `toString`, which breaks the deep equality of ajv. */
const strangeNames = ['extra', 'x-note', 'a/b', '~tilde', 'имя', 'length', 'zero', 'one', 'two', 'three', '0', ' ']
const namesPerPattern = 4
const namesPerRule = 8

/** The plan of an object draft, or `null` if no name fits a property that it needs. */
export function planObject(graph: NodeFactory, draft: Draft): ObjectPlan | null {
  const names = nameTest(graph, draft)
  const wanted = new Map<string, Term[]>()
  for (const violating of draft.violating) {
    const name = violatingName(violating, (text) => names(text) && !wanted.has(text))
    if (name === null) return null
    wanted.set(name, [violating.term])
  }
  const required = new Set([...draft.required, ...wanted.keys()])
  if ([...required].some((name) => !names(name))) return null
  const known = [...new Set([...required, ...knownNames(draft)])].filter(names)
  const patterned = patternNames(draft, names).filter((name) => !known.includes(name))
  const slots = [...known, ...patterned].map((name) => slotOf(graph, draft, name, required, wanted))
  const extras = extraNames(graph, draft, names, slots.length).filter(
    (name) => !slots.some((slot) => slot.name === name),
  )
  return { kind: 'object', slots: [...slots, ...extras.map((name) => extraSlot(graph, draft, name))] }
}

function slotOf(
  graph: NodeFactory,
  draft: Draft,
  name: string,
  required: ReadonlySet<string>,
  wanted: ReadonlyMap<string, readonly Term[]>,
): Slot {
  const terms = [...propertyTerms(draft, name), ...(wanted.get(name) ?? [])]
  return { name, node: graph.node(terms), required: required.has(name), extra: false }
}

function extraSlot(graph: NodeFactory, draft: Draft, name: string): Slot {
  const terms = propertyTerms(draft, name)
  // A schema for the other names makes the object a map; its entries are then no extras.
  return { name, node: graph.node(terms), required: false, extra: terms.length === 0 }
}

function nameTest(graph: NodeFactory, draft: Draft): (name: string) => boolean {
  const accepts = draft.names.length === 0 ? () => true : graph.judge.predicate(draft.names)
  return (name) => !draft.forbidden.includes(name) && accepts(name)
}

function knownNames(draft: Draft): readonly string[] {
  const named = draft.properties.flatMap(({ named }) => [...named.keys()])
  return [...named, ...draft.dependent.flatMap(([name, needed]) => [name, ...needed])]
}

function patternNames(draft: Draft, names: (name: string) => boolean): readonly string[] {
  const patterns = draft.properties.flatMap(({ patterned }) => patterned.map(([pattern]) => pattern.source))
  return [...new Set(patterns)].flatMap((pattern) => sampleText(pattern, namesPerPattern)).filter(names)
}

function extraNames(
  graph: NodeFactory,
  draft: Draft,
  names: (name: string) => boolean,
  present: number,
): readonly string[] {
  const made =
    draft.names.length === 0 ? [] : graph.stringsOf(draft.names).flatMap((text) => samples(text, namesPerRule))
  const pool = [...new Set([...strangeNames, ...made])].filter(names)
  for (let number = 0; pool.length + present < draft.minProperties && number < draft.minProperties; number++) {
    if (names(`field_${number}`)) pool.push(`field_${number}`)
  }
  return pool
}

function violatingName({ besides, matching }: ViolatingProperty, names: (name: string) => boolean): string | null {
  const candidates = matching === null ? strangeNames : sampleText(matching, namesPerRule)
  return candidates.find((name) => names(name) && propertyRuleTerms(besides, name).length === 0) ?? null
}

/** A few fixed texts that match a pattern. */
function sampleText(pattern: string, count: number): readonly string[] {
  const made = stringsOf({ ...blankDraft('string', []), patterns: [pattern] })
  return made === null || 'keyword' in made ? [] : samples(made, count)
}

function samples(arbitrary: fc.Arbitrary<string>, count: number): readonly string[] {
  return [...new Set(fc.sample(arbitrary, { numRuns: count, seed: 23 }))]
}
