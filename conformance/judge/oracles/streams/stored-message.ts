/** Oracles about a stream and what is stored: the content of the listed message, and its sources. */

import { countText, streamOperations, textStreams } from '../../../../spec/index.ts'
import type { StoredMessage, Write } from '../../history/thread-record.ts'
import { threadOf } from '../../history/writes.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { fieldOf, namesOf, quoted, sameJson, textField } from '../../read/json.ts'
import { isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { chunksOf } from '../../read/stream-chunks.ts'
import { textChange } from '../../read/text-change.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import type { Oracle } from '../support/oracle.ts'

/** Oracle of streams.joined-equals-stored. */
export const joinedEqualsStored: Oracle = (analysis, observe) => {
  for (const operation of textStreams) {
    for (const parsed of analysis.of(operation)) {
      const { write, stored } = storedAnswer(analysis, parsed)
      const content = textField(stored?.first.item, 'content')
      if (write?.content == null || stored === undefined || content === null) continue
      const list = stored.first.page.parsed.id
      if (content === write.content) observe.held(operation, null, parsed.id, list)
      else {
        const [expected, actual] = namesOf(write.content, content)
        const change = textChange(write.content, content)
        observe.contradicted(operation, null, {
          exchanges: [parsed.id, list],
          expected,
          actual,
          pointer: `/items/${stored.first.at}/content`,
          because: `The fragments streamed in ${parsed.id} do not add up to the content that ${list} lists for message ${stored.id}.`,
          headline:
            change === null
              ? 'the stored answer is not the text that was streamed'
              : `the stored answer is the streamed text ${change}`,
        })
      }
    }
  }
}

/**
 * Part of the oracle of streams.utf8: a character that was split is often written as U+FFFD. Which blocks make up the
 * answer is open, but no character of theirs can be one that the answer lacks.
 */
export function wholeCharacters(analysis: TraceAnalysis, observe: ObservationLog): undefined {
  const operation = 'streamChatCompletionEvents'
  for (const parsed of analysis.of(operation)) {
    const { stored } = storedAnswer(analysis, parsed)
    const content = textField(stored?.first.item, 'content')
    if (stored === undefined || content === null || content.includes(replacement)) continue
    const broken = chunksOf(parsed).find(
      ({ text, value }) => mayHoldReplacement(text) && JSON.stringify(fieldOf(value, 'delta'))?.includes(replacement),
    )
    if (broken === undefined) continue
    const list = stored.first.page.parsed.id
    observe.contradicted(operation, null, {
      exchanges: [parsed.id, list],
      expected: 'blocks of whole characters',
      actual: 'U+FFFD in the place of a character',
      pointer: `line ${broken.index + 1} /delta/content_blocks`,
      because: `Line ${broken.index + 1} of the stream in ${parsed.id} has U+FFFD, and the message that ${list} lists has none.`,
      headline: `line ${broken.index + 1} of the stream has U+FFFD where the stored answer has a character`,
    })
  }
}

const replacement = '\ufffd'
/** As a character or as an escape: only such a line needs to be rewritten. */
const mayHoldReplacement = (line: string): boolean => line.includes(replacement) || line.includes('\\u')

/** Oracle of streams.sources-kept; a stream that shows none is never at fault, since the place of sources is open. */
export const sourcesKept: Oracle = (analysis, observe) => {
  for (const operation of streamOperations) {
    for (const parsed of analysis.of(operation)) {
      const byChunk = chunksOf(parsed).map(({ value }) => [...sourcesIn(fieldOf(value, 'delta'))])
      const { stored } = storedAnswer(analysis, parsed)
      const listed = fieldOf(stored?.first.item, 'sources')
      const shown = finalSources(byChunk)
      if (shown.length === 0 || stored === undefined || !Array.isArray(listed)) continue
      const read = [...sourcesIn(stored.first.item)]
      // Another rule covers sources without a text.
      if (read.length < listed.length) continue
      const kept = new Map(read)
      const list = stored.first.page.parsed.id
      const [, lost] = shown.find(([key]) => !kept.has(key)) ?? []
      if (lost === undefined) observe.held(operation, null, parsed.id, list)
      else
        observe.contradicted(operation, null, {
          exchanges: [parsed.id, list],
          expected: `the source ${quoted(lost)} among those of the message`,
          actual: kept.size === 0 ? 'no sources' : countText(kept.size, 'other source'),
          pointer: `/items/${stored.first.at}/sources`,
          because: `The stream of ${parsed.id} shows a source that ${list} does not list for message ${stored.id}.`,
          headline: 'the stored answer lacks a source that was streamed',
        })
    }
  }
}

type Sources = readonly (readonly [key: string, content: string])[]

/**
 * The sources that a stream shows of its answer: each chunk adds its own. Where every chunk before the last has some, they may be
 * those that are known by then. The last one has those of the answer then, if it has others; if not, nothing is known of them.
 */
function finalSources(byChunk: readonly Sources[]): Sources {
  const [last = [], ...before] = byChunk.toReversed()
  if (before.length < 2 || before.some((sources) => sources.length === 0)) return byChunk.flat()
  return sameJson(last, before[0]) ? [] : last
}

/** The answer of an accepted stream, and the listed message that has its id. */
function storedAnswer(
  analysis: TraceAnalysis,
  parsed: ParsedExchange,
): { readonly write?: Write; readonly stored?: StoredMessage } {
  const write = isAccepted(parsed)
    ? analysis.histories.writesOf(parsed).find(({ kind }) => kind === 'answer')
    : undefined
  const stored = write?.id == null ? undefined : analysis.histories.thread(threadOf(parsed) ?? '')?.stored.get(write.id)
  return { ...(write && { write }), ...(stored && { stored }) }
}

/** The sources of a message or a delta by what the contract shows of them, with their text; further fields may differ. */
function* sourcesIn(holder: unknown): Generator<readonly [key: string, content: string]> {
  const sources = fieldOf(holder, 'sources')
  for (const source of Array.isArray(sources) ? sources : []) {
    const about = fieldOf(source, 'meta_data')
    const texts = [textField(source, 'content'), textField(about, 'document_title'), textField(about, 'section')]
    if (!texts.includes(null)) yield [JSON.stringify(texts), texts[0] ?? '']
  }
}
