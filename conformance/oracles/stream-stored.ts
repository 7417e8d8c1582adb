/** Oracle about a stream and what is stored: the fragments, joined, are the content of the listed message. */
import { quoted, textField } from '../classify/json.ts'
import { isAccepted } from '../classify/reading.ts'
import { threadOf } from '../ledger/writes.ts'
import { type Oracle, textStreams } from './oracle.ts'

/** Oracle of streams.joined-equals-stored. */
export const joinedEqualsStored: Oracle = (docket, testify) => {
  for (const operation of textStreams) {
    for (const reading of docket.of(operation)) {
      if (!isAccepted(reading)) continue
      const write = docket.ledger.writesOf(reading).find(({ kind }) => kind === 'answer')
      const stored = write?.id == null ? undefined : docket.ledger.thread(threadOf(reading) ?? '')?.stored.get(write.id)
      const content = textField(stored?.first.item, 'content')
      if (write?.content == null || stored === undefined || content === null) continue
      const list = stored.first.page.reading.id
      if (content === write.content) testify.held(operation, null, reading.id, list)
      else {
        testify.contradicted(operation, null, {
          exchanges: [reading.id, list],
          expected: quoted(write.content),
          actual: quoted(content),
          pointer: `/items/${stored.first.at}/content`,
          because: `The fragments streamed in ${reading.id} do not make the content that ${list} lists for message ${stored.id}.`,
        })
      }
    }
  }
}
