/** Builds rewrites: changes of accepted answers, of errors, of chunks and of nested objects. */
import { isJson, type Json } from '../wire.ts'
import type { Place, Reply, Rewrite } from './proxy.ts'

/** Makes a rewrite; called for each server, so that a rewrite with a memory starts anew. */
export type MakeRewrite = () => Rewrite

/** Changes the JSON of accepted answers at these places. */
export function answers(at: readonly Place[], change: (body: Json, key: string | undefined) => unknown): MakeRewrite {
  return () => ({
    reply(reply, { place, key }) {
      if (place === null || !at.includes(place) || reply.status >= 300 || !isJson(reply.json)) return
      reply.json = change(reply.json, key)
    },
  })
}

/** Changes error bodies, with the answer that holds them. */
export function errors(
  at: readonly Place[] | 'everywhere',
  change: (body: Json, reply: Reply) => unknown,
): MakeRewrite {
  return () => ({
    reply(reply, { place }) {
      const isMeant = at === 'everywhere' || (place !== null && at.includes(place))
      if (isMeant && reply.status >= 400 && isJson(reply.json)) reply.json = change(reply.json, reply)
    },
  })
}

/** Changes the entries of validation errors. */
export function fieldErrors(at: readonly Place[] | 'everywhere', change: (entry: Json) => Json): MakeRewrite {
  return errors(at, (body) => {
    return Array.isArray(body.detail) ? { ...body, detail: body.detail.filter(isJson).map(change) } : body
  })
}

/** Changes single chunks at one place. */
export function chunks(at: Place, change: (chunk: Json, isLast: boolean) => readonly Json[]): MakeRewrite {
  return () => ({ chunk: (chunk, isLast, { place }) => (place === at ? change(chunk, isLast) : [chunk]) })
}

/** The chunk with other fields in its delta. */
export function withDelta(chunk: Json, change: (delta: Json) => Json): Json {
  return { ...chunk, delta: change(objectAt(chunk, 'delta')) }
}

/** The page with other items. */
export function withItems(page: Json, change: (item: Json) => Json): Json {
  return { ...page, items: listAt(page, 'items').map(change) }
}

/** An object in a field, or an empty one. */
export function objectAt(holder: Json, name: string): Json {
  const value = holder[name]
  return isJson(value) ? value : {}
}

/** The objects of an array in a field. */
export function listAt(holder: Json, name: string): readonly Json[] {
  const value = holder[name]
  return Array.isArray(value) ? value.filter(isJson) : []
}

/** Changes every object in a value, the innermost first, but leaves schemas and metadata alone. */
export function everywhere(value: unknown, change: (object: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((item) => everywhere(item, change))
  if (!isJson(value)) return value
  const isFree = (name: string) => !/^(?:meta_data|meta_data_response_schema|request_required_fields)$/.test(name)
  const entries = Object.entries(value).map(([name, inner]) => [name, isFree(name) ? everywhere(inner, change) : inner])
  return change(Object.fromEntries(entries))
}
