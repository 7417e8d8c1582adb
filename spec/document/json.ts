/** JSON as TypeScript sees it: what documents, overlays and schemas consist of once their text is parsed. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object; documents and schemas are handed out as such, and never changed by their readers. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** Whether a value is a JSON object (neither `null` nor an array). */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object under a key, or an empty one: lets a reader walk down without a check at each step. */
export const objectAt = (parent: JsonObject, key: string): JsonObject => {
  const child = parent[key]
  return isJsonObject(child) ? child : {}
}
