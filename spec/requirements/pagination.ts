/** Requirements of chapter pagination: lists of messages, newest first, page by page. */

import { owedByEach } from '../operation-groups.ts'
import type { RequirementRow } from '../requirement.ts'

const section = 'Endpoints / GET /v1/threads/{thread_id}/messages'
const onList = owedByEach(['listMessages'])

export const pagination = [
  {
    id: 'pagination.page-fields',
    basis: 'stated',
    rule: 'A page is an object with an array items of messages and, wherever older messages remain, a string cursor.',
    section: 'Resources and their fields / Message page',
    owedBy: owedByEach(['listMessages'], ['items', 'cursor']),
    fix: 'Wrap the messages in {"cursor": …, "items": […]}.',
  },
  {
    id: 'pagination.newest-first',
    basis: 'stated',
    rule: 'Messages are listed by descending creation date, within a page and across pages.',
    section,
    owedBy: owedByEach(['listMessages'], ['within-page', 'across-pages']),
    fix: 'Order by created_at, newest first, and break ties by the order of creation.',
  },
  {
    id: 'pagination.order-of-creation',
    basis: 'implied',
    rule: 'A message whose creation began after that of another was acknowledged is listed before it, and an answer before its question.',
    section,
    owedBy: onList,
    fix: 'Stamp a message when it is stored, and break ties between equal timestamps with an increasing sequence number.',
  },
  {
    id: 'pagination.default-limit',
    basis: 'stated',
    rule: 'Without limit a page holds 100 messages when the thread holds more.',
    section: 'Limits',
    owedBy: onList,
    fix: 'Let limit default to 100.',
  },
  {
    id: 'pagination.limit-caps-page',
    basis: 'stated',
    rule: 'A page holds at most limit messages.',
    section,
    owedBy: owedByEach(['listMessages'], ['limit-1', 'limit-2', 'limit-n-1']),
    fix: 'Cut the page at limit.',
  },
  {
    id: 'pagination.limit-fills-page',
    basis: 'implied',
    rule: 'A page holds limit messages while as many remain (for a limit of up to 100).',
    section,
    owedBy: owedByEach(['listMessages'], ['limit-1', 'limit-2', 'limit-n-1', 'limit-n', 'limit-n+1']),
    fix: 'Fill the page before ending it.',
  },
  {
    id: 'pagination.cursor-continues',
    basis: 'stated',
    rule: 'The cursor of a page continues right after it: following it to the end shows every message, and none twice.',
    section: 'Resources and their fields / Message page',
    owedBy: owedByEach(['listMessages'], ['nothing-twice', 'nothing-missing']),
    fix: 'Let the cursor name the last message shown, with a tie-breaker, and continue strictly after it.',
  },
  {
    id: 'pagination.any-limit-same-list',
    basis: 'implied',
    rule: 'Pages of any size, put together, give the same list.',
    section,
    owedBy: onList,
    fix: 'Use one order for every page size.',
  },
  {
    id: 'pagination.walk-ends',
    basis: 'implied',
    rule: 'Following cursors reaches a last page.',
    section,
    owedBy: onList,
    fix: 'Stop sending cursors once nothing older is left.',
  },
  {
    id: 'pagination.stable-while-inserting',
    basis: 'implied',
    rule: 'Messages that are added during a walk neither repeat nor hide the ones that were there before.',
    section,
    owedBy: onList,
    fix: 'Use keyset cursors instead of offsets.',
  },
  {
    id: 'pagination.cursor-repeatable',
    basis: 'implied',
    rule: 'The same cursor gives the same page as long as nothing was added.',
    section,
    owedBy: onList,
    fix: 'Do not tie a cursor to state that reading it uses up.',
  },
  {
    id: 'pagination.reads-are-pure',
    basis: 'implied',
    rule: 'Listing changes nothing: two lists in a row are the same.',
    section,
    owedBy: onList,
    fix: 'Do not write while reading.',
  },
  {
    id: 'pagination.limit-is-integer',
    level: 'should',
    basis: 'implied',
    rule: 'A non-integer limit is rejected.',
    section,
    owedBy: onList,
    fix: 'Validate limit before using it.',
  },
  {
    id: 'pagination.empty-thread',
    basis: 'implied',
    rule: 'A thread without messages lists an empty page.',
    section,
    owedBy: onList,
    owed: 'when-seen',
    fix: 'Answer with {"items": []} and no further cursor.',
  },
] as const satisfies readonly RequirementRow[]
