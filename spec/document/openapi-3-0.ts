/**
 * Derives the OpenAPI 3.0 rendering from the 3.1 document, for generators that read no later version.
 * What 3.0 cannot say (`contains`, words beside a `$ref`) is left out: it describes the same answers, and a few more requests.
 */
import { isJsonObject, type Json, type JsonObject, objectAt } from './json.ts'

/** The document as OpenAPI 3.0. */
export const toOpenApi30 = (document: JsonObject): JsonObject => {
  const { summary: _summary, ...info } = objectAt(document, 'info')
  const { identifier: _identifier, ...license } = objectAt(info, 'license')
  return { ...(rewrite(document) as JsonObject), openapi: '3.0.3', info: { ...info, license } }
}

/** Their values are data: what looks like a schema in them is none. */
const dataKeys: ReadonlySet<string> = new Set(['value', 'example', 'enum'])

const rewrite = (node: Json): Json => {
  if (Array.isArray(node)) return node.map(rewrite)
  if (!isJsonObject(node)) return node
  if (typeof node.$ref === 'string') return { $ref: node.$ref }
  const children = Object.entries(node).map(([key, child]) => [key, dataKeys.has(key) ? child : rewrite(child)])
  return asSchema(Object.fromEntries(children))
}

/** Changes the keywords of a schema that 3.0 has in another form; any other object has none of them. */
const asSchema = ({
  const: constant,
  contains: _contains,
  exclusiveMinimum,
  type,
  ...rest
}: JsonObject): JsonObject => ({
  ...typed(type, withoutDefault(rest)),
  ...(constant === undefined ? null : { enum: [constant] }),
  ...(typeof exclusiveMinimum === 'number' ? { minimum: exclusiveMinimum, exclusiveMinimum: true } : null),
})

/** Objects with properties are open unless they say otherwise; those that say so lose their properties in old generators. */
const withoutDefault = ({ additionalProperties, ...rest }: JsonObject): JsonObject =>
  additionalProperties === undefined || (additionalProperties === true && isJsonObject(rest.properties))
    ? rest
    : { additionalProperties, ...rest }

/** A list of types becomes `nullable`, and a choice if several are left. */
const typed = (type: Json | undefined, rest: JsonObject): JsonObject => {
  if (!Array.isArray(type)) return type === undefined ? rest : { type, ...rest }
  const others = type.filter((one: Json) => one !== 'null')
  const nullable = others.length < type.length ? { nullable: true } : null
  if (others.length === 1) return { type: others[0] ?? 'string', ...rest, ...nullable }
  const { additionalProperties, ...beside } = rest
  const open = additionalProperties === undefined ? null : { additionalProperties }
  const anyOf = others.map((one: Json) => ({ type: one, ...(one === 'object' ? open : null) }))
  return { ...beside, anyOf, ...nullable }
}
