/** Reads and writes JSON at the steps of a pointer. */
import { isObject } from '../overrides/json-edit.ts'
import type { Json } from '../scenario/scenario.ts'

/** The steps of a JSON pointer. */
export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value there, `undefined` for none. */
export function valueAt(json: Json | undefined, steps: readonly string[]): Json | undefined {
  return steps.reduce<Json | undefined>((value, step) => (isObject(value) ? value[step] : undefined), json)
}

/** The same JSON with a value there, objects made on the way; `undefined` takes what is there away. */
export function withValueAt(json: Json | undefined, steps: readonly string[], value: Json | undefined): Json {
  const [step, ...rest] = steps
  if (step === undefined) return value ?? null
  const { [step]: old, ...others } = isObject(json) ? json : {}
  if (rest.length > 0) return { ...others, [step]: withValueAt(old, rest, value) }
  return value === undefined ? others : { ...others, [step]: value }
}

/** Where a template holds a text, as steps; `null` when it does not. */
export function placeOf(template: unknown, text: string): readonly string[] | null {
  if (template === text) return []
  if (!isObject(template)) return null
  for (const [name, inner] of Object.entries(template)) {
    const below = placeOf(inner, text)
    if (below !== null) return [name, ...below]
  }
  return null
}
