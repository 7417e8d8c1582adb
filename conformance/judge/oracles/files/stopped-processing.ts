/**
 * Finds out whether files are processed no longer. Some were complete within a moment, and all later ones stay as they are.
 * One of them may be slow or unreadable, and a short outage delays several. So they have to be three, two of them of a type
 * of which a file was complete before, and the later of these comes when the other one has waited long.
 */
import { defaultFileWaitMs } from '../../../profile/target-profile.ts'
import { saysComplete, saysFailed, statusIn, type UploadedFile } from '../../history/uploaded-files.ts'
import { headerValue, isAccepted, type ParsedExchange } from '../../read/parsed-exchange.ts'
import { memoPerTrace, type TraceAnalysis } from '../../trace-analysis.ts'

/** A file that takes this many times as long as another one of its type is not merely slow. */
const muchLonger = 10
const leastStuck = 3

/** A complete file, and two of its type that were uploaded later and stay incomplete. */
export interface StoppedProcessing {
  readonly complete: UploadedFile & { readonly completed: ParsedExchange }
  readonly stuck: readonly [UploadedFile, UploadedFile]
  /** The last request for the status of each. */
  readonly last: readonly [ParsedExchange, ParsedExchange]
}

/** The first tenant whose files are processed no longer, or `null`. */
export const stoppedProcessing = memoPerTrace((analysis): StoppedProcessing | null => {
  const files = [...analysis.files.values()].sort((one, other) => one.upload.sentAtMs - other.upload.sentAtMs)
  for (const tenant of new Set(files.map((file) => file.tenant))) {
    const found = stoppedIn(
      analysis,
      files.filter((file) => file.tenant === tenant),
    )
    if (found !== null) return found
  }
  return null
})

function stoppedIn(analysis: TraceAnalysis, files: readonly UploadedFile[]): StoppedProcessing | null {
  const { waitMs = defaultFileWaitMs } = analysis.profile.files.status ?? {}
  const complete = files.flatMap((file) => (file.completed === null ? [] : [{ ...file, completed: file.completed }]))
  for (const done of complete) {
    const leastMs = Math.max(waitMs, muchLonger * (done.completed.endedAtMs - done.upload.endedAtMs))
    const stuck = files.flatMap((file) => {
      const last = lastOpenPoll(analysis, file)
      return last !== null && last.sentAtMs - file.upload.endedAtMs >= leastMs ? [{ file, last }] : []
    })
    const [one, ...later] = stuck.filter(({ file }) => typeOf(file) === typeOf(done) && isAfter(file, done))
    if (stuck.length < leastStuck || one === undefined) continue
    const other = later.find(({ file }) => file.upload.sentAtMs >= one.file.upload.endedAtMs + leastMs)
    const isProcessing = complete.some(({ upload }) => upload.sentAtMs > one.file.upload.sentAtMs)
    if (other !== undefined && !isProcessing)
      return { complete: done, stuck: [one.file, other.file], last: [one.last, other.last] }
  }
  return null
}

const isAfter = ({ upload }: UploadedFile, { completed }: { readonly completed: ParsedExchange }): boolean =>
  upload.sentAtMs > completed.endedAtMs

/** The last request of its tenant for the status of a file, where each answer shows that it is neither complete nor failed. */
function lastOpenPoll({ profile }: TraceAnalysis, { tenant, polls }: UploadedFile): ParsedExchange | null {
  const own = polls.filter((poll) => poll.tenant === tenant)
  const isOpen = (poll: ParsedExchange): boolean =>
    isAccepted(poll) &&
    statusIn(poll, profile.files) !== undefined &&
    !saysComplete(poll, profile.files) &&
    !saysFailed(poll, profile.files)
  return own.every(isOpen) ? (own.at(-1) ?? null) : null
}

const typeOf = ({ upload }: UploadedFile): string | undefined =>
  headerValue(upload.exchange, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase()
