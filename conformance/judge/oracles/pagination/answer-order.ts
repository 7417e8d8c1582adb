/**
 * Judges where the answer of a completion stands among the messages of its request. The request had them before the answer was
 * made, so a list that is newest first has the answer above them.
 */
import type { Page, StoredMessage } from '../../history/thread-record.ts'
import { textField } from '../../read/json.ts'
import type { Oracle } from '../support/oracle.ts'
import { plainPages } from './limits.ts'

/** Only threads of one completion: in a longer one, a message may be taken for an equal one of another request. */
export const answerAboveQuestion: Oracle = (analysis, observe) => {
  for (const { thread, page } of plainPages(analysis)) {
    const { by, kind } = thread.origin
    if (by === null || kind !== 'completion') continue
    if (thread.writes.some(({ parsed, sentAtMs }) => parsed !== by && sentAtMs <= page.parsed.endedAtMs)) continue
    const listed = page.ids.map((id) => (id === null ? undefined : thread.stored.get(id)))
    const answerAt = listed.findIndex((one) => one?.write?.kind === 'answer')
    const at = listed.findIndex(isQuestion)
    if (answerAt < 0 || at < 0) continue
    if (answerAt < at) observe.held('listMessages', null, page.parsed.id)
    else if (stampOf(page, at) > stampOf(page, answerAt))
      observe.contradicted('listMessages', null, {
        exchanges: [by.id, page.parsed.id],
        expected: `the answer of ${by.id} before its question`,
        actual: 'the other way round',
        pointer: `/items/${answerAt}`,
        because: `${by.id} sends a question and gets its answer, and ${page.parsed.id} lists the answer as the older one, of ${stampOf(page, answerAt)}, below the question of ${stampOf(page, at)}.`,
        headline: 'lists an answer below its question',
      })
  }
}

const isQuestion = (one: StoredMessage | undefined): boolean => one?.write?.kind === 'sent' && one.write.role === 'user'

/** Equal stamps leave the order open. */
const stampOf = (page: Page, at: number): string => textField(page.items[at], 'created_at') ?? ''
