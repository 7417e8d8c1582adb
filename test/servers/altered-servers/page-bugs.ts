/** A rewrite that loses messages between pages, because many of them share a stamp. */
import { isJson, type Json } from '../wire.ts'
import { everywhere, listAt, type MakeRewrite } from './rewrites.ts'

/** Stamps go to the second, and a page begins below the stamp at which the one before it ended. */
export const pagesBelowStamp: MakeRewrite = () => {
  const ends = new Map<string, string>()
  const toSecond = (object: Json): Json =>
    typeof object.created_at === 'string'
      ? { ...object, created_at: `${object.created_at.slice(0, 19)}.000000Z` }
      : object
  return {
    chunk: (chunk) => [toSecond(chunk)],
    reply(reply, { place, query }) {
      if (reply.status >= 300) return
      reply.json = everywhere(reply.json, toSecond)
      if (place !== 'list' || !isJson(reply.json)) return
      const end = ends.get(query.get('cursor') ?? '') ?? '~'
      const items = listAt(reply.json, 'items').filter((item) => String(item.created_at) < end)
      ends.set(String(reply.json.cursor), String(items.at(-1)?.created_at))
      reply.json = { ...reply.json, items }
    },
  }
}
