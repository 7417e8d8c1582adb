/** Oracle about messages that change: between two reads, or between their creation and the list. */

import type { ThreadHistory } from '../../history/thread-histories.ts'
import type { StoredMessage } from '../../history/thread-record.ts'
import { renamedCall } from '../../history/writes.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { differenceOf, fieldOf, namesOf } from '../../read/json.ts'
import { textChange } from '../../read/text-change.ts'
import type { Oracle } from '../support/oracle.ts'

/** Oracle of threads.message-never-changes. */
export const messageNeverChanges: Oracle = (analysis, observe) => {
  for (const thread of analysis.histories.threads) {
    judgeIdentity(observe, thread)
    for (const stored of thread.stored.values()) {
      const { changes, first, last } = stored
      const [change] = changes
      judgeLostField(observe, stored)
      const renamed = renamedCall(first.item, last.item, analysis.profile.tools)
      if (renamed !== null) judgeCall(observe, stored, renamed)
      else if (change !== undefined) judgeChange(observe, stored, change)
      else if (first !== last) observe.held('listMessages', null, first.page.parsed.id, last.page.parsed.id)
    }
  }
}

function judgeChange(
  observe: ObservationLog,
  { id }: StoredMessage,
  change: StoredMessage['changes'][number],
): undefined {
  const { at, before, after } = changeIn(change.field, change.before.item, change.after.item)
  observe.contradicted('listMessages', null, {
    exchanges: [change.before.page.parsed.id, change.after.page.parsed.id],
    expected: `${at} ${before}`,
    actual: after,
    pointer: `/items/${change.after.at}/${at}`,
    because: `Message ${id} has ${at} ${before} in ${change.before.page.parsed.id} and ${after} in ${change.after.page.parsed.id}.`,
    headline: `lists a message with a ${at} that changes`,
  })
}

function judgeCall(
  observe: ObservationLog,
  { first, last, id }: StoredMessage,
  [before, after]: readonly string[],
): undefined {
  const [one, other] = [first.page.parsed.id, last.page.parsed.id]
  observe.contradicted('listMessages', null, {
    exchanges: [one, other],
    expected: `the call ${before}`,
    actual: `the call ${after}`,
    pointer: `/items/${last.at}`,
    because: `Message ${id} asks for the call ${before} in ${one} and for ${after} in ${other}.`,
    headline: 'lists a message that asks for another call than before',
  })
}

/** A field of assistant messages that the creation of one returned, and that the list lacks. */
function judgeLostField(observe: ObservationLog, { write, first, id }: StoredMessage): undefined {
  if (write?.kind !== 'created' || write.role !== 'assistant' || write.id !== id) return
  const lost = ['meta_data', 'sources'].find(
    (name) => isComposite(fieldOf(write.returned, name)) && fieldOf(first.item, name) === undefined,
  )
  if (lost === undefined) return
  const list = first.page.parsed.id
  observe.contradicted('listMessages', null, {
    exchanges: [write.parsed.id, list],
    expected: lost,
    actual: `no ${lost}`,
    pointer: `/items/${first.at}`,
    because: `${write.parsed.id} returned ${lost} in message ${id}, and ${list} lists the message without.`,
    headline: `lists a message without the ${lost} that its creation returned`,
  })
}

/** An object or an array, as these fields are. */
const isComposite = (value: unknown): boolean => typeof value === 'object' && value !== null

/** The same words of the same instant under another id, in a list that no longer shows the first id. */
function judgeIdentity(observe: ObservationLog, thread: ThreadHistory): undefined {
  const owners = new Map<string, StoredMessage>()
  const all = [...thread.stored.values()]
  if (!all.some(isSurplus)) return
  for (const stored of all) {
    const { item, page, at } = stored.first
    const key = JSON.stringify([fieldOf(item, 'role'), fieldOf(item, 'content'), fieldOf(item, 'created_at')])
    const owner = owners.get(key)
    owners.set(key, owner ?? stored)
    // Two messages of a client may have the same text in the same instant.
    if (!isSurplus(stored)) continue
    if (owner === undefined || owner.first.page === page || page.ids.includes(owner.id)) continue
    observe.contradicted('listMessages', null, {
      exchanges: [owner.first.page.parsed.id, page.parsed.id],
      expected: `id ${owner.id}`,
      actual: stored.id,
      pointer: `/items/${at}/id`,
      because: `${owner.first.page.parsed.id} lists a message under the id ${owner.id}, and ${page.parsed.id} lists the same message under ${stored.id}.`,
      headline: 'lists one message under two ids',
    })
  }
}

const isSurplus = ({ explanation }: StoredMessage): boolean => ['copy', 'renamed', 'unexplained'].includes(explanation)

/**
 * The difference of a field in a later message: `meta_data/intent`, the two values in words, and the kind of change of
 * a text.
 */
export function changeIn(
  field: string,
  earlier: unknown,
  later: unknown,
): Record<'at' | 'before' | 'after', string> & { readonly change: string | null } {
  const [left, right] = [fieldOf(earlier, field), fieldOf(later, field)]
  const difference = differenceOf(left, right) ?? { at: '', left, right }
  const [before, after] = namesOf(difference.left, difference.right)
  return { at: `${field}${difference.at}`, before, after, change: textChange(difference.left, difference.right) }
}
