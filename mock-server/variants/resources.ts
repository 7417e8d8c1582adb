/** Legal ids, timestamps, answers and sources. */
import { bothRuns, completionOperations } from '../../spec/index.ts'
import type { HookOverride } from '../exchange/hooks.ts'
import { mergeDraftsBy } from '../overrides/chunk-drafts.ts'
import { isObject } from '../overrides/json-edit.ts'
import { answersAbout, sameTenant } from '../overrides/other-questions.ts'
import { overrideAnswers, overrideTimestamps } from '../overrides/records.ts'
import { overrideBody } from '../overrides/replies.ts'
import { everyChunk, overrideChunk, overrideDrafts } from '../overrides/streams.ts'
import type { Json } from '../scenario/scenario.ts'
import type { Variant } from './variant.ts'

const createId = (overridden: (id: string, kind: string) => string): HookOverride => ({
  hook: 'createId',
  wrap: (next) => (kind, id, context) => overridden(next(kind, id, context), kind),
})

const sayLonger = (edit: (content: string) => string): HookOverride =>
  overrideAnswers((answer) => ({ ...answer, content: edit(answer.content) }))

/** Answers take no time, whatever the assistant. */
const atOnce: HookOverride = {
  hook: 'step',
  wrap: (next) => (state, command, tickUs) => {
    const result = next(state, command, tickUs)
    if (result.reply.kind !== 'run') return result
    const { run } = result.reply
    const latency = { ...run.latency, first_chunk_ms: 0, chunks_per_second: 0 }
    return { ...result, reply: { ...result.reply, run: { ...run, latency } } }
  },
}

const idFields: ReadonlySet<string> = new Set(['id', 'thread_id', 'message_id', 'assistant_id', 'file_id'])

/** Ids of calls are no UUIDs and stay. */
const withUpperCaseIds = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withUpperCaseIds)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      idFields.has(name) && typeof field === 'string' && isUuid.test(field)
        ? field.toUpperCase()
        : withUpperCaseIds(field),
    ]),
  )
}

const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const resourceVariants: readonly Variant[] = [
  {
    id: 'resources.answers-remember-threads',
    because: { freedom: 'What an assistant remembers of other threads of its tenant is open.' },
    description: 'Answers quote, besides their own question, that of the oldest other thread of the tenant.',
    overrides: [
      answersAbout([...completionOperations, ...bothRuns], sameTenant, (own, other) => `${own} Before: ${other}`),
    ],
  },
  {
    id: 'resources.time-ordered-ids',
    because: { freedom: 'The contract does not say which version of UUID an id has.' },
    description: 'Ids are UUIDs of version 7.',
    overrides: [createId((id) => `0192${id.slice(4, 14)}7${id.slice(15)}`)],
  },
  {
    id: 'resources.upper-case-ids',
    because: { freedom: 'UUIDs ignore case (RFC 9562).' },
    description: 'Message ids are written in capital letters.',
    overrides: [createId((id, kind) => (kind === 'message' ? id.toUpperCase() : id))],
  },
  {
    id: 'resources.every-id-in-upper-case',
    because: { freedom: 'UUIDs ignore case (RFC 9562).' },
    description: 'Every id is written in capital letters, also those that come back in requests.',
    overrides: [overrideBody(withUpperCaseIds), overrideChunk('any', everyChunk, withUpperCaseIds)],
  },
  {
    id: 'resources.coarse-clock',
    because: { freedom: 'The contract gives the format of timestamps, not the resolution of the clock.' },
    description: 'The clock knows milliseconds; the last three digits are zero, and stamps may be equal.',
    overrides: [overrideTimestamps((text) => text.replace(/\d{3}Z$/, '000Z'))],
  },
  {
    id: 'resources.equal-stamps',
    because: { freedom: 'The contract gives the format of timestamps, not the resolution of the clock.' },
    description: 'The clock knows whole seconds, so that many messages share a stamp.',
    overrides: [overrideTimestamps((text) => text.replace(/\d{6}Z$/, '000000Z'))],
  },
  {
    id: 'resources.megabyte-answers',
    because: 'threads.message-size',
    description: 'Answers are about a megabyte long.',
    overrides: [
      sayLonger((content) => `${content} ${'Lorem ipsum dolor sit amet. '.repeat(37_000)}`),
      overrideDrafts('any', mergeDraftsBy(2000)),
      atOnce,
    ],
  },
  {
    id: 'resources.unicode-answers',
    because: { freedom: 'Content may be any text.' },
    description: 'Answers are full of astral characters, combining marks, line separators and escapes.',
    overrides: [
      sayLonger(
        (content) =>
          `\u2028👩‍👩‍👧‍👦 e\u0301 \u{1F1EB}\u{1F1EE} \u0000\u0085\u2029 "\\/\b\f\n\r\t" ${content} \uFEFF\u{10FFFF}`,
      ),
    ],
  },
  {
    id: 'resources.blank-edges',
    because: { freedom: 'Content may be any text.' },
    description: 'Answers begin and end with blanks and line feeds.',
    overrides: [sayLonger((content) => `\n\n  ${content}\n `)],
  },
  {
    id: 'resources.no-sources',
    because: { freedom: 'sources may be empty.' },
    description: 'No answer has sources.',
    overrides: [overrideAnswers((answer) => ({ ...answer, sources: [] }))],
  },
  {
    id: 'resources.many-sources',
    because: { freedom: 'The contract does not limit sources.' },
    description: 'Every answer has fifty sources, some with empty strings.',
    overrides: [
      overrideAnswers((answer) => ({
        ...answer,
        sources: Array.from({ length: 50 }, (_, index) => ({
          content: index % 3 === 0 ? '' : `Excerpt ${index}`,
          meta_data: { document_title: index % 5 === 0 ? '' : `Title ${index}`, section: '' },
        })),
      })),
    ],
  },
]
