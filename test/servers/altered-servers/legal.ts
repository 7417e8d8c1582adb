/** Lists servers that keep the contract in unexpected ways: other statuses, formatting, words, cursors and framings. */
import { randomUUID } from 'node:crypto'
import { isJson } from '../wire.ts'
import type { Rewrite } from './proxy.ts'
import { answers, errors, everywhere, fieldErrors, type MakeRewrite } from './rewrites.ts'

/** A server about which the contract has nothing to say. */
export interface LegalServer {
  readonly rule: string
  readonly behind: 'atrium' | 'basalt'
  readonly rewrite: MakeRewrite
  /** Rules of level should that it does not follow, as it may; they fail no run. */
  readonly departsFrom?: readonly string[]
}

const escaped = (text: string): string =>
  text.replace(/[^\n\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const reversed = (object: object) => Object.fromEntries(Object.entries(object).reverse())
const furthered = (object: object) => ({ ...object, _links: { self: '/somewhere' }, note: null })

/** Changes cursors on their way out, and back on their way in. */
const cursors = (write: (cursor: string) => string, read: (cursor: string) => string): Rewrite => ({
  ask({ place, query }) {
    const cursor = query.get('cursor')
    if (place === 'list' && cursor !== null) query.set('cursor', read(cursor))
    return undefined
  },
  reply(reply, { place }) {
    if (place === 'list' && isJson(reply.json) && typeof reply.json.cursor === 'string')
      reply.json = { ...reply.json, cursor: write(reply.json.cursor) }
  },
})

/** JSON over many lines and in ASCII alone. */
const spelledOut: Rewrite = {
  reply(reply) {
    if (reply.json === undefined) return
    reply.text = `\n${escaped(JSON.stringify(reply.json, null, 2))}\n`
    reply.json = undefined
  },
  chunk: (chunk) => [escaped(JSON.stringify(chunk)).replaceAll('/', '\\/')],
}

/** The list of assistants stands at a path with a slash at its end. */
const slashed: Rewrite = {
  ask(ask) {
    if (ask.place === 'assistants')
      return { status: 307, headers: { location: `${ask.path}/` }, json: undefined, text: '' }
    ask.path = ask.path.replace(/\/$/, '')
    return undefined
  },
}

/** Callers without a good key are sent to a sign-in page. */
const signIn: Rewrite = {
  reply(reply) {
    if (reply.status !== 401 && reply.status !== 403) return
    if (isJson(reply.json) && reply.json.error_code !== undefined) return
    Object.assign(reply, { status: 302, headers: { location: 'https://sign-in.example/' }, json: undefined, text: '' })
  },
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const capitalUuid = /[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}/g
const lowered = (text: string): string => text.replace(capitalUuid, (id) => id.toLowerCase())
const withCapitals = (object: object) =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      uuid.test(String(value)) ? String(value).toUpperCase() : value,
    ]),
  )

/** Every id is sent in capital letters, and accepted in them. */
const capitals: Rewrite = {
  ask(ask) {
    ask.path = lowered(ask.path)
    ask.text = lowered(ask.text)
    for (const [name, value] of [...ask.query]) ask.query.set(name, lowered(value))
    return undefined
  },
  reply(reply) {
    if (reply.json !== undefined) reply.json = everywhere(reply.json, withCapitals)
  },
  chunk: (chunk) => [everywhere(chunk, withCapitals)].filter(isJson),
}

/** All legal servers. */
export const legalServers: readonly LegalServer[] = [
  {
    rule: 'further fields in every object',
    behind: 'atrium',
    rewrite: () => ({
      reply(reply, { place }) {
        if (place !== null && reply.json !== undefined) reply.json = everywhere(reply.json, furthered)
      },
      chunk: (chunk) => [everywhere(chunk, furthered)].filter(isJson),
    }),
  },
  {
    rule: 'errors with status 200',
    behind: 'atrium',
    rewrite: errors('everywhere', (body, reply) => {
      if (body.error_code !== undefined) reply.status = 200
      return body
    }),
  },
  {
    rule: 'unheard-of error statuses',
    behind: 'basalt',
    rewrite: errors('everywhere', (body, reply) => {
      reply.status = body.error_code === 'validation_error' ? 418 : 451
      return body
    }),
  },
  {
    rule: 'plain text as the type of everything',
    behind: 'atrium',
    rewrite: () => ({ headers: (headers) => ({ ...headers, 'content-type': 'text/plain' }) }),
  },
  { rule: 'JSON in ASCII alone and over many lines', behind: 'atrium', rewrite: () => spelledOut },
  {
    rule: 'keys in reverse order',
    behind: 'basalt',
    rewrite: () => ({
      reply(reply) {
        if (reply.json !== undefined) reply.json = everywhere(reply.json, reversed)
      },
      chunk: (chunk) => [everywhere(chunk, reversed)].filter(isJson),
    }),
  },
  {
    rule: 'field errors with more fields and indices as text',
    behind: 'atrium',
    rewrite: fieldErrors('everywhere', (entry) => {
      const loc = Array.isArray(entry.loc) ? entry.loc.map(String) : entry.loc
      return { ...entry, loc, input: null, ctx: {} }
    }),
  },
  {
    rule: 'words of another validator',
    behind: 'basalt',
    rewrite: fieldErrors('everywhere', (entry) => {
      return { ...entry, type: entry.type === 'NotNull' ? 'value_error.missing' : `value_error.${entry.type}` }
    }),
  },
  {
    rule: 'cursors of characters that have to be encoded',
    behind: 'atrium',
    rewrite: () =>
      cursors(
        (cursor) => `${cursor}+/ &=%#é☕`,
        (cursor) => cursor.replace('+/ &=%#é☕', ''),
      ),
  },
  {
    rule: 'long cursors that are never the same twice',
    behind: 'basalt',
    rewrite: () =>
      cursors(
        (cursor) => `${cursor}~${randomUUID().repeat(60)}`,
        (cursor) => cursor.split('~')[0] ?? '',
      ),
  },
  {
    rule: 'an empty cursor at the end',
    behind: 'atrium',
    rewrite: answers(['list'], (page) => ({ ...page, cursor: page.cursor ?? '' })),
  },
  {
    rule: 'a closing chunk without text',
    behind: 'atrium',
    rewrite: () => ({
      chunk: (chunk, isLast, { place }) => {
        const closing = { ...chunk, delta: { role: 'assistant', content: '', sources: [] } }
        return isLast && place !== 'completeEvents' ? [chunk, closing] : [chunk]
      },
    }),
  },
  { rule: 'a redirect to a path with a slash at its end', behind: 'atrium', rewrite: () => slashed },
  { rule: 'a redirect to a sign-in page elsewhere', behind: 'atrium', rewrite: () => signIn },
  {
    rule: 'details in German',
    behind: 'atrium',
    departsFrom: ['errors.detail-text'],
    rewrite: errors('everywhere', (body) =>
      typeof body.detail === 'string' ? { ...body, detail: 'Das geht nicht – tut uns leid.' } : body,
    ),
  },
  { rule: 'ids in capital letters', behind: 'basalt', rewrite: () => capitals },
]
