/**
 * Finds out whether a target knows the field that attaches a file according to the profile. The contract does not show the
 * field, so either the profile or the target may be wrong.
 */
import { attachedBy, attachmentField } from '../history/uploaded-files.ts'
import { idField } from '../read/formats.ts'
import { fieldOf, quoted } from '../read/json.ts'
import { documentOf, isAccepted, isRefusal, type ParsedExchange } from '../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../trace-analysis.ts'
import { namedFields } from './refused-fields.ts'

/** Accepted messages that carry a known file, if none of them shows it; empty when one does. */
export const hiddenAttachments = memoPerTrace(
  ({ of, files, histories, profile }: TraceAnalysis): readonly ParsedExchange[] => {
    const carrying = of('createMessage').flatMap((parsed) => {
      const id = attachedBy(parsed, profile.files)?.toLowerCase() ?? ''
      return isAccepted(parsed) && files.has(id) ? [{ parsed, id }] : []
    })
    const isShown = carrying.some(({ parsed, id }) => {
      const stored = histories.writesOf(parsed)[0]?.stored
      const views = [documentOf(parsed), stored?.first.item, stored?.last.item]
      return views.some((view) => JSON.stringify(view)?.toLowerCase().includes(id) === true)
    })
    return isShown ? [] : carrying.map(({ parsed }) => parsed)
  },
)

/** Why the target seems not to know the field; `null` when it uses the field, or when nothing shows it. */
export const ignoredAttachment = memoPerTrace((analysis: TraceAnalysis): string | null => {
  const field = attachmentField(analysis.profile.files)
  if (field === null || analysis.profile.source !== 'suite') return null
  return ignoredField(analysis, field) ?? unknownField(analysis, field)
})

/** No file is shown, and an id that no grant gave is taken as well. */
function ignoredField(analysis: TraceAnalysis, field: string): string | null {
  const { of, profile } = analysis
  const [hidden] = hiddenAttachments(analysis)
  if (hidden === undefined || profile.files.isAttachmentUnseen) return null
  const granted = new Set(of('createUploadGrant').map((grant) => idField(documentOf(grant), 'file_id')))
  const madeUp = of('createMessage').find((parsed) => {
    const id = attachedBy(parsed, profile.files)?.toLowerCase()
    return id !== undefined && !granted.has(id) && isAccepted(parsed)
  })
  if (madeUp === undefined) return null
  return `no message shows the file that ${hidden.id} carries in the field ${quoted(field)}, and ${madeUp.id} is taken with the id of no file, as if the target ignored it; correct it, or set files.attachmentUnseen`
}

/** Every message with the field is refused for it, even one that attaches nothing. */
function unknownField({ of }: TraceAnalysis, field: string): string | null {
  const carrying = of('createMessage').filter((parsed) => bodyField(parsed, field) !== undefined)
  const empty = carrying.find((parsed) => isEmptyList(bodyField(parsed, field)))
  if (empty === undefined || !carrying.every(isRefusal) || !namedFields(empty).includes(field)) return null
  return `the target refuses every message for the field ${quoted(field)}, also one where it is empty (${empty.id}); correct it`
}

const bodyField = ({ body }: ParsedExchange, field: string): unknown =>
  body.kind === 'json' ? fieldOf(body.value, field) : undefined

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0
