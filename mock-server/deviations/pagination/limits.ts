/** Deviations of chapter pagination in how many messages a page holds. */

import type { HookOverride } from '../../exchange/hooks.ts'
import type { Thread } from '../../machine/state.ts'
import { messageOf } from '../../overrides/records.ts'
import { acceptRequests, misparseRequests } from '../../overrides/rules.ts'
import { bytesIn } from '../../overrides/text-corruption.ts'
import { type DeviationTable, deviation } from '../deviation-row.ts'

/** Takes another limit than the one asked for. */
const limits = (edit: (limit: number, thread: Thread, before: number) => number): HookOverride => ({
  hook: 'select',
  wrap: (next) => (thread, limit, before, context) => next(thread, edit(limit, thread, before), before, context),
})

const defaultsTo = (limit: number): HookOverride =>
  misparseRequests('listMessages', (input) =>
    input.query?.has('limit') === true ? input : withLimit(input, String(limit)),
  )

export const pageLimits = {
  'pagination.default-limit': [
    deviation('pagination.default-50', 'Lets limit default to 50.', defaultsTo(50)),
    deviation('pagination.default-101', 'Fetches one message more than a page holds and sends it.', defaultsTo(101)),
    deviation('pagination.default-unlimited', 'Lists everything without limit.', defaultsTo(1000)),
    deviation(
      'pagination.default-20-with-cursor',
      'Lets limit default to 20 on all pages but the first.',
      misparseRequests('listMessages', (input) =>
        input.query?.has('cursor') === true && !input.query.has('limit') ? withLimit(input, '20') : input,
      ),
      { trigger: 'the second page' },
    ),
  ],
  'pagination.limit-caps-page': [
    deviation(
      'pagination.one-more-than-limit',
      'Fetches one message more than limit to see whether there are more, and sends it.',
      limits((limit) => limit + 1),
    ),
    deviation(
      'pagination.limit-1-ignored',
      'Takes a limit of 1 for none.',
      limits((limit) => (limit === 1 ? 100 : limit)),
      { trigger: 'limit=1' },
    ),
    deviation(
      'pagination.limit-1-ignored-in-longer-threads',
      'Takes a limit of 1 for none in threads of more than two messages.',
      limits((limit, thread) => (limit === 1 && thread.log.size > 2 ? 100 : limit)),
      { trigger: 'limit=1 and at least three messages' },
    ),
    deviation(
      'pagination.limit-2-doubled',
      'Counts questions with their answers, so that a small page holds twice as many.',
      limits((limit) => (limit < 3 ? limit * 2 : limit)),
      { trigger: 'limit=1 or limit=2' },
    ),
    deviation(
      'pagination.limit-ignored-with-cursor',
      'Ignores limit on all pages but the first.',
      limits((limit, thread, before) => (before < thread.log.size ? 100 : limit)),
      { trigger: 'the second page' },
    ),
    deviation(
      'pagination.single-rest-added',
      'Adds the oldest message to a page when it is the only one left.',
      limits((limit, _thread, before) => (before === limit + 1 ? limit + 1 : limit)),
      { trigger: 'a limit of one less than there are messages' },
    ),
  ],
  'pagination.limit-fills-page': [
    deviation(
      'pagination.one-less-than-limit',
      'Counts up to limit from 1.',
      limits((limit) => Math.max(1, limit - 1)),
    ),
    deviation(
      'pagination.exact-page-short',
      'Leaves the oldest message for another page when the list ends with this one.',
      limits((limit, _thread, before) => (before === limit ? Math.max(1, limit - 1) : limit)),
      { trigger: 'a limit of exactly as many messages as there are' },
    ),
    deviation(
      'pagination.page-of-4096-bytes',
      'Ends a page when it holds 4,096 bytes.',
      limits((limit, thread, before) => fitting(thread, before, limit, 4096)),
      { trigger: 'messages of more than 4,096 bytes together' },
    ),
    deviation(
      'pagination.second-page-of-ten',
      'Ends all pages but the first after ten messages.',
      limits((limit, thread, before) => (before < thread.log.size ? Math.min(limit, 10) : limit)),
      { trigger: 'the second page of a limit above ten' },
    ),
    deviation(
      'pagination.limit-above-rest-halved',
      'Halves a limit that is greater than what remains.',
      limits((limit, _thread, before) => (limit > before && before > 1 ? Math.ceil(before / 2) : limit)),
      { trigger: 'a limit above the number of messages' },
    ),
  ],
  'pagination.limit-is-integer': [
    deviation(
      'pagination.limit-word-ignored',
      'Ignores a limit that it cannot read.',
      acceptsLimit(() => '100'),
    ),
    deviation(
      'pagination.limit-fraction-cut',
      'Cuts the fraction off a limit.',
      acceptsLimit((limit) => (/^\d+\.\d+$/.test(limit) ? (limit.split('.')[0] ?? limit) : limit)),
      { trigger: 'a limit with a fraction' },
    ),
    deviation(
      'pagination.limit-read-as-far-as-digits-go',
      'Reads the digits at the start of limit and ignores the rest.',
      acceptsLimit((limit) => /^\d+/.exec(limit)?.[0] ?? limit),
      { trigger: 'a limit that starts with a digit' },
    ),
  ],
} as const satisfies Partial<DeviationTable<'pagination'>>

function withLimit<Input extends { readonly query: URLSearchParams | null }>(input: Input, limit: string): Input {
  const query = new URLSearchParams(input.query ?? undefined)
  query.set('limit', limit)
  return { ...input, query }
}

function acceptsLimit(repair: (limit: string) => string): HookOverride {
  return acceptRequests('listMessages', (input) => withLimit(input, repair(input.query?.get('limit') ?? '100')))
}

/** How many messages fit into so many bytes, at least one and at most `limit`. */
function fitting(thread: Thread, before: number, limit: number, capacityBytes: number): number {
  let used = 0
  let count = 0
  for (let position = before - 1; position >= 0 && count < limit; position -= 1) {
    used += bytesIn(String(messageOf(thread.log.get(position) ?? new Uint8Array()).content))
    if (count > 0 && used > capacityBytes) break
    count += 1
  }
  return Math.max(1, count)
}
