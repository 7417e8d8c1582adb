/** Deviations of chapter threads in the stored and the returned form of a created message. */

import type { HookOverride } from '../../exchange/hooks.ts'
import { editAt, editTextAt, isObject } from '../../overrides/json-edit.ts'
import { overrideStoredMessages } from '../../overrides/records.ts'
import { overrideAccepted, overrideReplyWithMemory } from '../../overrides/replies.ts'
import {
  bytesIn,
  hasAstral,
  htmlEscaped,
  lineFeedsOnly,
  siblingOf,
  withoutAstral,
} from '../../overrides/text-corruption.ts'
import type { Json, JsonObject } from '../../scenario/scenario.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

/** Changes the content of created messages before they are stored, and so in every place. */
const keeps = (edit: (content: string) => string): HookOverride =>
  overrideStoredMessages((message, { command }) =>
    command.operation === 'createMessage' ? { ...message, content: edit(String(message.content)) } : message,
  )

const keepsRole = (from: string, to: string): HookOverride =>
  overrideStoredMessages((message, { command }) =>
    command.operation === 'createMessage' && message.role === from ? { ...message, role: to } : message,
  )

export const threadEchoes = {
  'threads.create-echoes': [
    deviation(
      'threads.content-trimmed',
      'Trims content before storing it.',
      keeps((content) => content.trim() || content),
      { trigger: 'content with blanks at its ends' },
    ),
    deviation(
      'threads.trailing-line-feed-lost',
      'Drops the line feed at the end of content.',
      keeps((content) => content.replace(/(?<=[^\n])\n$/, '')),
      { trigger: 'content that ends on a line feed' },
    ),
    deviation(
      'threads.content-composed',
      'Composes the characters of content (NFC).',
      keeps((content) => content.normalize('NFC')),
      { trigger: 'content with combining marks' },
    ),
    deviation(
      'threads.content-decomposed',
      'Decomposes the characters of content (NFD).',
      keeps((content) => content.normalize('NFD')),
      { trigger: 'content with accented letters' },
    ),
    deviation('threads.content-line-feeds-only', 'Turns CR LF into LF.', keeps(lineFeedsOnly), {
      trigger: 'content with CR LF',
    }),
    deviation('threads.content-escaped', 'Escapes content for HTML.', keeps(htmlEscaped), {
      trigger: 'content with & < > or quotes',
    }),
    deviation(
      'threads.content-without-astral',
      'Stores characters beyond the BMP as question marks.',
      keeps(withoutAstral),
      { trigger: 'content beyond the BMP' },
    ),
    deviation('threads.content-cut-at-4096-bytes', 'Cuts content at 4,096 bytes.', keeps(cutAt4096), {
      trigger: 'content above 4,096 bytes',
    }),
    deviation(
      'threads.content-without-nul',
      'Drops the character U+0000.',
      keeps((content) => content.replaceAll('\0', '') || content),
      { trigger: 'content with U+0000' },
    ),
    deviation(
      'threads.content-tags-stripped',
      'Strips what looks like a tag.',
      keeps((content) => content.replace(/<[^>]*>/g, '') || content),
      { trigger: 'content with < and >' },
    ),
    deviation(
      'threads.body-decoded-in-parts',
      'Decodes the parts in which a body arrives each alone.',
      keeps(decodedInParts),
      { trigger: 'content of several bytes a character, above 65,536 bytes' },
    ),
    deviation(
      'threads.content-blanks-collapsed',
      'Makes one blank of several.',
      keeps((content) => content.replace(/ {2,}/g, ' ')),
      { trigger: 'content with two blanks in a row' },
    ),
    deviation(
      'threads.content-json-reformatted',
      'Parses content that is JSON and writes it anew.',
      keeps(reformatted),
      { trigger: 'content that is itself JSON' },
    ),
    deviation(
      'threads.content-read-as-template',
      'Replaces placeholders in content.',
      keeps((content) => content.replace(/\{\{.*?\}\}/g, '') || content),
      { trigger: 'content with {{ and }}' },
    ),
    deviation(
      'threads.content-typeset',
      'Sets content in type: two hyphens become a dash.',
      keeps((content) => content.replace(/(?<!-)--(?!-)/g, '\u2013')),
      { trigger: 'content with two hyphens' },
    ),
    deviation(
      'threads.content-backslashes-read',
      'Reads escapes in content as a source text has them.',
      keeps((content) => content.replaceAll('\\n', '\n').replaceAll('\\t', '\t')),
      { trigger: 'content with a backslash before n or t' },
    ),
    deviation(
      'threads.invisible-characters-lost',
      'Drops zero-width characters and joiners.',
      keeps((content) => content.replace(/\u200b|\u200c|\u200d|\ufe0f|\ufeff/g, '') || content),
      { trigger: 'content with zero-width characters' },
    ),
    deviation(
      'threads.system-stored-as-user',
      'Stores system messages as user messages.',
      keepsRole('system', 'user'),
      { trigger: 'a system message' },
    ),
    deviation(
      'threads.assistant-stored-as-user',
      'Stores posted assistant messages as user messages.',
      keepsRole('assistant', 'user'),
      { trigger: 'a posted assistant message' },
    ),
  ],
  'threads.created-in-thread': [
    deviation(
      'threads.created-in-other-thread',
      'Answers a creation with the thread_id of another thread.',
      overrideAccepted(
        'createMessage',
        editTextAt('thread_id', (id) => siblingOf(id)),
      ),
    ),
    deviation(
      'threads.created-thread-id-is-own-id',
      'Answers a creation with the id of the message as thread_id.',
      overrideAccepted('createMessage', (json) => (isObject(json) ? { ...json, thread_id: json.id ?? '' } : json)),
    ),
    deviation(
      'threads.created-thread-id-of-first',
      'Answers every creation with the thread_id of the first one.',
      overrideReplyWithMemory<{ id: Json | null }>(
        'createMessage',
        () => ({ id: null }),
        (json, _exchange, memory) => {
          if (!isObject(json)) return json
          memory.id ??= json.thread_id ?? null
          return { ...json, thread_id: memory.id }
        },
      ),
      { trigger: 'a second thread' },
    ),
  ],
  'threads.server-sets-identity': [
    deviation(
      'threads.client-sets-thread-id',
      'Takes the thread_id of a message from the request.',
      identityFromBody('thread_id'),
      { trigger: 'a body with a thread_id' },
    ),
    deviation(
      'threads.client-sets-created-at',
      'Takes the created_at of a message from the request.',
      identityFromBody('created_at'),
      { trigger: 'a body with a created_at' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'threads'>>

function cutAt4096(content: string): string {
  if (bytesIn(content) <= 4096) return content
  const cut = content.slice(0, 4096)
  return hasAstral(cut) ? [...cut].slice(0, 2048).join('') : cut.slice(0, 2048)
}

function reformatted(content: string): string {
  if (!/^[[{]/.test(content)) return content
  try {
    return JSON.stringify(JSON.parse(content), null, 1)
  } catch {
    return content
  }
}

/** Shows a field as the request had it, wherever the message is read. */
function identityFromBody(field: 'thread_id' | 'created_at'): HookOverride {
  return overrideReplyWithMemory(
    ['createMessage', 'listMessages'],
    () => new Map<Json, Json>(),
    (json, exchange, given) => {
      if (!isObject(json)) return json
      const claim = (message: Json): Json =>
        isObject(message) && given.has(message.id ?? null)
          ? { ...message, [field]: given.get(message.id ?? null) ?? null }
          : message
      if (exchange.operation === 'listMessages') return editAt('items.*', claim)(json)
      const { body } = exchange.request
      const sent = body.kind === 'bytes' ? (JSON.parse(Buffer.from(body.bytes).toString()) as JsonObject) : {}
      if (typeof sent[field] === 'string') given.set(json.id ?? null, sent[field])
      return claim(json)
    },
  )
}

/** As if a body arrived 65,536 bytes at a time. */
function decodedInParts(content: string): string {
  const bytes = Buffer.from(content)
  const count = Math.ceil(bytes.length / 65_536)
  return Array.from({ length: count }, (_, at) => bytes.toString('utf8', at * 65_536, (at + 1) * 65_536)).join('')
}
