/**
 * Judges how the thread of a completion lists the messages sent in its body. The contract does not say that it lists
 * any; one that it lists is listed as it was sent, and as often.
 */
import type { ThreadHistory } from '../../history/thread-histories.ts'
import type { StoredMessage, Write } from '../../history/thread-record.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { namesOf, textField } from '../../read/json.ts'
import { textChange } from '../../read/text-change.ts'

/** Judges messages that no request explains, in the thread of a completion. */
export function judgeSentMessages(observe: ObservationLog, thread: ThreadHistory): undefined {
  if (thread.origin.kind !== 'completion') return
  for (const stored of thread.stored.values()) {
    if (stored.explanation === 'written' || textField(stored.first.item, 'role') === 'assistant') continue
    const copied = thread.alone || stored.explanation !== 'copy' ? undefined : originalOf(thread, stored)
    if (copied !== undefined) tellCopy(observe, stored, copied)
    else tellAltered(observe, thread, stored)
  }
}

const isSent = ({ kind, role }: Write, item: unknown): boolean => kind === 'sent' && role === textField(item, 'role')

const originalOf = ({ writes }: ThreadHistory, { first: { item } }: StoredMessage): Write | undefined =>
  writes.find((write) => isSent(write, item) && write.content === textField(item, 'content'))

function tellCopy(observe: ObservationLog, { id, first }: StoredMessage, { parsed }: Write): undefined {
  const list = first.page.parsed.id
  observe.contradicted('listMessages', null, {
    exchanges: [parsed.id, list],
    expected: 'each message as often as it was sent',
    actual: `message ${id}, a copy`,
    pointer: `/items/${first.at}`,
    because: `${list} lists message ${id}, one more copy of content that ${parsed.id} sent than requests sent.`,
    headline: 'lists a message of a completion more often than it was sent',
  })
}

/** A sent message that is not listed itself, and from which this one differs in a well-known way. */
function tellAltered(observe: ObservationLog, { writes }: ThreadHistory, { id, first }: StoredMessage): undefined {
  const content = textField(first.item, 'content') ?? ''
  for (const write of writes) {
    if (!isSent(write, first.item) || write.stored !== null || write.sentAtMs > first.page.parsed.endedAtMs) continue
    const change = changeOf(write.content ?? '', content)
    if (change === null) continue
    const list = first.page.parsed.id
    const [expected, actual] = namesOf(write.content, content)
    return observe.contradicted('listMessages', null, {
      exchanges: [write.parsed.id, list],
      expected,
      actual,
      pointer: `/items/${first.at}/content`,
      because: `${write.parsed.id} sent a message, and ${list} lists it as message ${id}, ${change}.`,
      headline: `lists a message of a completion ${change}`,
    })
  }
}

/** A service may well cut white space at the ends. */
const changeOf = (sent: string, listed: string): string | null =>
  sent.trim() === listed.trim() ? null : textChange(sent, listed)
