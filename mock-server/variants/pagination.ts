/** Legal cursors, and legal ways to end a list. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { HookOverride } from '../exchange/hooks.ts'
import { overrideObject } from '../overrides/replies.ts'
import type { JsonObject } from '../scenario/scenario.ts'
import type { Variant } from './variant.ts'

const pages = (overridden: (page: JsonObject) => JsonObject): HookOverride => overrideObject('listMessages', overridden)

/** Pages that lead on, though nothing is left, where this holds. */
const leadsOn = (when: (items: number, stored: number) => boolean): HookOverride => ({
  hook: 'select',
  wrap: (next) => (thread, limit, before, context) => {
    const page = next(thread, limit, before, context)
    return page.next === null && when(page.items.length, thread.log.size) ? { ...page, next: 0 } : page
  },
})

/** A cursor that looks different each time it is handed out. */
const freshCursors = (): readonly HookOverride[] => {
  const key = createHash('sha256').update('fresh cursors').digest()
  const seal = (text: string): string => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    const sealed = Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()])
    return sealed.toString('base64url')
  }
  const open = (cursor: string): string | null => {
    const bytes = Buffer.from(cursor, 'base64url')
    if (bytes.length < 28) return null
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(-16))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString()
    } catch {
      return null
    }
  }
  return cursors(seal, open)
}

const cursors = (
  seal: (cursor: string) => string,
  open: (cursor: string) => string | null,
): readonly HookOverride[] => [
  {
    hook: 'sealCursor',
    wrap: (next) => (secret, thread, position, context) => seal(next(secret, thread, position, context)),
  },
  {
    hook: 'openCursor',
    wrap: (next) => (secret, thread, cursor, context) => {
      const opened = open(cursor)
      return opened === null ? null : next(secret, thread, opened, context)
    },
  },
]

export const paginationVariants: readonly Variant[] = [
  {
    id: 'pagination.cursor-absent-at-end',
    because: 'pagination.end-signal',
    description: 'The last page has no cursor.',
    overrides: [pages(({ cursor = null, ...page }) => (cursor === null ? page : { cursor, ...page }))],
  },
  {
    id: 'pagination.cursor-empty-at-end',
    because: 'pagination.end-signal',
    description: 'The cursor of the last page is an empty string.',
    overrides: [pages((page) => ({ ...page, cursor: page.cursor ?? '' }))],
  },
  {
    id: 'pagination.cursor-to-empty-page',
    because: 'pagination.end-signal',
    description: 'The last page that holds messages has a cursor to an empty page.',
    overrides: [leadsOn((items) => items > 0)],
  },
  {
    id: 'pagination.cursor-on-every-page',
    because: 'pagination.end-signal',
    description: 'Every page has a cursor, the empty one behind the end as well.',
    overrides: [leadsOn((_items, stored) => stored > 0)],
  },
  {
    id: 'pagination.cursor-always-new',
    because: { freedom: 'Cursors are opaque.' },
    description: 'The same position has another cursor each time.',
    overrides: freshCursors(),
  },
  {
    id: 'pagination.cursor-long',
    because: { freedom: 'Cursors are opaque.' },
    description: 'Cursors are two kilobytes long.',
    overrides: cursors(
      (cursor) => `${cursor}.${'x'.repeat(2000)}`,
      (cursor) => cursor.slice(0, cursor.indexOf('.')) || null,
    ),
  },
  {
    id: 'pagination.cursor-with-reserved-characters',
    because: { freedom: 'Cursors are opaque.' },
    description: 'Cursors hold characters that a query string has to escape.',
    overrides: cursors(
      (cursor) => `+/=&?# %${cursor}`,
      (cursor) => (cursor.startsWith('+/=&?# %') ? cursor.slice(8) : null),
    ),
  },
  {
    id: 'pagination.bad-cursor-first-page',
    because: 'pagination.invalid-cursor',
    description: 'A damaged cursor gives the first page.',
    overrides: [
      {
        hook: 'openCursor',
        wrap: (next) => (secret, thread, cursor, context) =>
          next(secret, thread, cursor, context) ?? context.thread?.log.size ?? null,
      },
    ],
  },
]
