/** Oracle about a stream and what is stored: the fragments, joined, are the content of the listed message. */

import { textStreams } from '../../../../spec/index.ts'
import { threadOf } from '../../history/writes.ts'
import { namesOf, textField } from '../../read/json.ts'
import { isAccepted } from '../../read/parsed-exchange.ts'
import type { Oracle } from '../support/oracle.ts'

/** Oracle of streams.joined-equals-stored. */
export const joinedEqualsStored: Oracle = (analysis, observe) => {
  for (const operation of textStreams) {
    for (const parsed of analysis.of(operation)) {
      if (!isAccepted(parsed)) continue
      const write = analysis.histories.writesOf(parsed).find(({ kind }) => kind === 'answer')
      const stored =
        write?.id == null ? undefined : analysis.histories.thread(threadOf(parsed) ?? '')?.stored.get(write.id)
      const content = textField(stored?.first.item, 'content')
      if (write?.content == null || stored === undefined || content === null) continue
      const list = stored.first.page.parsed.id
      if (content === write.content) observe.held(operation, null, parsed.id, list)
      else {
        const [expected, actual] = namesOf(write.content, content)
        observe.contradicted(operation, null, {
          exchanges: [parsed.id, list],
          expected,
          actual,
          pointer: `/items/${stored.first.at}/content`,
          because: `The fragments streamed in ${parsed.id} do not add up to the content that ${list} lists for message ${stored.id}.`,
        })
      }
    }
  }
}
