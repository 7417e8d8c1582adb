/**
 * Oracles about files that messages carry, where the profile says how. A refusal is held against the attachment only when
 * the file is complete and the same thread takes messages without one.
 */

import { ignoredAttachment } from '../../classify/ignored-attachment.ts'
import { attachedBy, attachmentField, type UploadedFile } from '../../history/uploaded-files.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { lowerCase } from '../../read/formats.ts'
import { fieldOf, nameOf } from '../../read/json.ts'
import { documentOf, isAccepted, isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from '../support/answer-name.ts'
import type { Oracle } from '../support/oracle.ts'

interface Attachment {
  readonly file: UploadedFile
  readonly parsed: ParsedExchange
  /** Whether the file is known to be complete. */
  readonly isReady: boolean
  /** The accepted message that carries the same file, and was over before. */
  readonly earlier: ParsedExchange | null
}

/** Messages that attach an own file after its upload, and nothing else about them is open. */
const attachmentsOf = memoPerTrace((analysis): readonly Attachment[] => {
  const accepted = new Map<UploadedFile, ParsedExchange>()
  const found = (about: Parameters<TraceAnalysis['withOnlyAmbiguity']>[1]) =>
    analysis.withOnlyAmbiguity('createMessage', about).map((parsed) => ({ parsed, about }))
  return [
    ...found('an attachment by the mapping of the profile'),
    ...found('an attachment of a file that may not be ready'),
  ]
    .sort((left, right) => left.parsed.index - right.parsed.index)
    .flatMap(({ parsed, about }) => {
      const file = analysis.files.get(lowerCase(attachedBy(parsed, analysis.profile.files) ?? ''))
      if (file === undefined || file.tenant !== parsed.tenant || file.upload.endedAtMs > parsed.sentAtMs) return []
      const first = accepted.get(file)
      if (first === undefined && isAccepted(parsed)) accepted.set(file, parsed)
      const earlier = first !== undefined && first.endedAtMs <= parsed.sentAtMs ? first : null
      return [{ file, parsed, earlier, isReady: about === 'an attachment by the mapping of the profile' }]
    })
})

/** Oracle of files.attached-to-message. */
export const attachedToMessage: Oracle = (analysis, observe) => {
  for (const one of attachmentsOf(analysis)) {
    if (isAccepted(one.parsed)) judgeShown(analysis, observe, one)
    else if (one.earlier === null) judgeRefused(analysis, observe, one, 'carries an uploaded file')
  }
}

/** Oracle of files.kept-for-reuse. */
export const keptForReuse: Oracle = (analysis, observe) => {
  for (const one of attachmentsOf(analysis)) {
    if (one.earlier === null || !one.file.isKept) continue
    if (isAccepted(one.parsed)) observe.held('createMessage', null, one.earlier.id, one.parsed.id)
    else judgeRefused(analysis, observe, one, 'carries the persisted file')
  }
}

function judgeRefused(
  analysis: TraceAnalysis,
  observe: ObservationLog,
  { file, parsed, earlier, isReady }: Attachment,
  what: string,
): undefined {
  const control = messageWithout(analysis, parsed)
  const told = `${parsed.id} ${what}${earlier === null ? '' : ` that ${earlier.id} carried before`}`
  const ignored = ignoredAttachment(analysis)
  if (ignored !== null) return observe.ambiguous('createMessage', null, parsed.id, `${ignored}.`)
  if (!isRefusal(parsed) || !isReady || control === null) {
    const why =
      isReady && isRefusal(parsed) ? 'no message without a file is seen to be taken there' : answerName(parsed)
    return observe.ambiguous('createMessage', null, parsed.id, `${told}: ${why}.`)
  }
  const before = [file.grant, file.upload, file.completed, earlier, control]
  observe.contradicted('createMessage', null, {
    exchanges: [...before.flatMap((one) => (one === null ? [] : [one.id])), parsed.id],
    expected: 'the success response',
    actual: answerName(parsed),
    because: `${told}, and it was refused with ${answerName(parsed)}; ${control.id} adds a message without one to the same thread.`,
    headline: `refuses a message that ${what}: ${answerName(parsed)}`,
  })
}

/** A message of a user that the thread took, and that carries no file. */
function messageWithout(analysis: TraceAnalysis, { params, tenant }: ParsedExchange): ParsedExchange | null {
  const writes = analysis.histories.thread(params.thread_id ?? '')?.acknowledged ?? []
  const taken = writes.find(
    ({ kind, role, parsed }) =>
      kind === 'created' &&
      role === 'user' &&
      parsed.tenant === tenant &&
      analysis.requestOf(parsed).validity === 'valid',
  )
  return taken?.parsed ?? null
}

/** Whether a message shows its file is not stated; one that shows the field of files shows it. */
function judgeShown(analysis: TraceAnalysis, observe: ObservationLog, { file, parsed }: Attachment): undefined {
  for (const { exchange, message, at } of viewsOf(analysis, parsed)) {
    const field = attachmentField(analysis.profile.files)
    const shown = field === null ? undefined : fieldOf(message, field)
    if (shown == null || JSON.stringify(shown).toLowerCase().includes(file.id)) continue
    return observe.contradicted('createMessage', null, {
      exchanges: [...new Set([file.grant.id, file.upload.id, parsed.id, exchange])],
      expected: `a field ${field} with ${file.id}`,
      actual: nameOf(shown),
      pointer: `${at}/${field}`,
      because: `${parsed.id} attaches the file ${file.id}, and ${exchange} shows the message with ${field}, where the file is not.`,
      headline: `the ${field} of a message lack the file that it carries`,
    })
  }
  const ignored = ignoredAttachment(analysis)
  if (ignored !== null) return observe.ambiguous('createMessage', null, parsed.id, `${ignored}.`)
  observe.held('createMessage', null, file.upload.id, parsed.id)
}

interface MessageView {
  readonly exchange: string
  readonly message: unknown
  /** Where it stands in the answer. */
  readonly at: string
}

/** The message as it was returned, and as lists showed it first and last. */
function viewsOf(analysis: TraceAnalysis, parsed: ParsedExchange): readonly MessageView[] {
  const stored = analysis.histories.writesOf(parsed)[0]?.stored ?? null
  const listed = stored === null ? [] : [...new Set([stored.first, stored.last])]
  return [
    { exchange: parsed.id, message: documentOf(parsed), at: '' },
    ...listed.map(({ page, at, item }) => ({ exchange: page.parsed.id, message: item, at: `/items/${at}` })),
  ]
}
