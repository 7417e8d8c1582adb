/** Defines JSON values: what documents, overlays, schemas, requests and responses consist of. */

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object; readonly, because documents and schemas are shared by all readers. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** True for a JSON object (neither `null` nor an array). */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object under a key, or an empty one, so that a reader needs no check at each step. */
export const objectAt = (parent: JsonObject, key: string): JsonObject => {
  const child = parent[key]
  return isJsonObject(child) ? child : {}
}
