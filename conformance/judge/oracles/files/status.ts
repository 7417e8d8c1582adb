/**
 * Judges the status of uploaded files, where the profile maps it. The values are the vendor's: a file that takes long, or
 * has a value that the profile does not list, violates nothing. Errors on every request are violations, and so is a file that
 * keeps the status of files before their upload or during processing, while a file uploaded at the same time or later is
 * long complete.
 */
import { defaultFileWaitMs } from '../../../profile/target-profile.ts'
import { saysComplete, saysFailed, statusIn, type UploadedFile } from '../../history/uploaded-files.ts'
import type { ObservationLog } from '../../observation-log.ts'
import { nameOf } from '../../read/json.ts'
import { isAccepted, isNoPath, isRefusal, type ParsedExchange } from '../../read/parsed-exchange.ts'
import type { TraceAnalysis } from '../../trace-analysis.ts'
import { answerName } from '../support/answer-name.ts'
import type { Oracle } from '../support/oracle.ts'
import { type StoppedProcessing, stoppedProcessing } from './stopped-processing.ts'

/** The least number of requests: a service may take a moment to register an upload. */
const leastPolls = 3
/** A file that takes this many times as long as a later one is not merely slow. */
const muchLonger = 10

/** Oracle of files.status-polled. */
export const statusPolled: Oracle = (analysis, observe) => {
  for (const file of analysis.files.values()) {
    const { grant, upload, completed } = file
    const polls = file.polls.filter(({ tenant }) => tenant === file.tenant)
    const last = polls.at(-1)
    if (last === undefined) continue
    const later = completed === null ? laterFile(analysis, file, last) : null
    const passed = later === null ? null : (unchangedFrom(analysis, file, polls) ?? stuckStatus(analysis, file, polls))
    if (completed !== null) observe.held('getFileStatus', null, upload.id, completed.id)
    else if (polls.length >= leastPolls && isDenied(analysis, polls)) {
      observe.contradicted('getFileStatus', null, {
        exchanges: [grant.id, upload.id, ...polls.slice(-leastPolls).map(({ id }) => id)],
        expected: 'the status of the file',
        actual: answerName(last),
        because: `${upload.id} uploads the file of ${grant.id}, and each of ${polls.length} requests for its status, where files.status.path of the profile has it, is answered with an error, the last one with ${answerName(last)}.`,
        headline: `the status of an uploaded file is an error in each of ${polls.length} requests: ${answerName(last)}`,
      })
    } else if (later !== null && passed !== null && polls.length >= leastPolls) {
      const value = nameOf(statusIn(last, analysis.profile.files))
      observe.contradicted('getFileStatus', null, {
        exchanges: [grant.id, passed.shownBy.id, upload.id, later.upload.id, later.completed?.id ?? '', last.id],
        expected: passed.expected,
        actual: value,
        because: `${upload.id} uploads the file of ${grant.id}, and ${last.id} still gets ${value}, the status of a file ${passed.text} (${passed.shownBy.id}); the file of ${later.upload.id}, which was uploaded no earlier, was complete in a tenth of the time or less.`,
        headline: `the status of an uploaded file stays ${value}`,
      })
    } else observe.ambiguous('getFileStatus', null, last.id, openText(analysis, last))
  }
  const stopped = stoppedProcessing(analysis)
  if (stopped !== null) contradictStopped(analysis, observe, stopped)
}

function contradictStopped(
  { profile }: TraceAnalysis,
  observe: ObservationLog,
  { complete, stuck, last }: StoppedProcessing,
): void {
  const [one, other] = stuck
  const value = nameOf(statusIn(last[1], profile.files))
  observe.contradicted('getFileStatus', null, {
    exchanges: [complete.upload.id, complete.completed.id, one.upload.id, last[0].id, other.upload.id, last[1].id],
    expected: 'a status of files.status.complete',
    actual: value,
    because: `The file of ${complete.upload.id} was complete in ${complete.completed.id}; those of ${one.upload.id} and ${other.upload.id}, which are of the same type, still get ${value} in ${last[1].id}, after more than ten times as long, and no other file was complete meanwhile.`,
    headline: 'files are processed no longer',
  })
}

const dayMs = 86_400_000

/**
 * Oracle of files.kept-for-a-day: a kept file whose status is shown after the refusal proves that statuses do not
 * expire in general.
 */
export const keptForADay: Oracle = (analysis, observe) => {
  const files = [...analysis.files.values()]
  for (const file of files) {
    const { tenant, isKept, grant, upload } = file
    const seen = file.completed ?? vanishedAfter(file)
    if (isKept || seen === null) continue
    for (const read of file.polls) {
      const isWithinDay = read.endedAtMs - grant.sentAtMs < dayMs
      if (read.tenant !== tenant || read.sentAtMs < seen.endedAtMs || !isWithinDay) continue
      const control = files.find(
        (other) => other.tenant === tenant && other.isKept && laterStatusOf(analysis, other, read) !== null,
      )
      const told = control === undefined ? null : laterStatusOf(analysis, control, read)
      if (saysComplete(read, analysis.profile.files)) observe.held('getFileStatus', null, seen.id, read.id)
      else if (told === null || !isGone(analysis, read))
        observe.ambiguous('getFileStatus', null, read.id, doubtText(analysis, read))
      else
        observe.contradicted('getFileStatus', null, {
          exchanges: [grant.id, upload.id, seen.id, read.id, told.id],
          expected: 'the status of the file',
          actual: isAccepted(read) ? nameOf(statusIn(read, analysis.profile.files)) : answerName(read),
          because: `${seenText(file, seen)} and ${read.id} no longer finds it before a day has passed; the status of a file that is kept is shown afterwards (${told.id}).`,
          headline: 'a file that is not persisted is gone before a day has passed',
        })
    }
  }
}

/** Refused, or with a status that says that its processing ended otherwise, though it was complete before. */
const isGone = ({ profile }: TraceAnalysis, read: ParsedExchange): boolean =>
  isRefusal(read) || saysFailed(read, profile.files)

function doubtText({ profile }: TraceAnalysis, read: ParsedExchange): string {
  if (!isAccepted(read)) return `${read.id} got ${answerName(read)}, and no other file shows why.`
  return `${read.id} says ${nameOf(statusIn(read, profile.files))} of a file that was complete, and nothing shows what that means.`
}

function seenText({ grant, completed }: UploadedFile, seen: ParsedExchange): string {
  const file = `the file of ${grant.id}, granted with persist false,`
  return completed === null ? `${seen.id} shows ${file}` : `${seen.id} says that ${file} is complete,`
}

/** The last request that found the file, if it never completed and several later requests no longer find it. */
function vanishedAfter({ tenant, polls }: UploadedFile): ParsedExchange | null {
  const own = polls.filter((poll) => poll.tenant === tenant)
  const last = own.findLastIndex(isAccepted)
  const later = own.slice(last + 1)
  return later.length >= leastPolls && later.every((poll) => isRefusal(poll)) ? (own[last] ?? null) : null
}

/** The answer after another read that says that a file is complete. */
const laterStatusOf = (
  { profile }: TraceAnalysis,
  { tenant, completed, polls }: UploadedFile,
  read: ParsedExchange,
): ParsedExchange | null =>
  completed === null || completed.endedAtMs > read.sentAtMs
    ? null
    : (polls.find((poll) => {
        const isLater = poll.tenant === tenant && poll.sentAtMs >= read.endedAtMs
        return isLater && saysComplete(poll, profile.files)
      }) ?? null)

/** The status of another file of the tenant before its upload. */
const readBeforeUpload = ({ files }: TraceAnalysis, { tenant }: UploadedFile): ParsedExchange | null =>
  [...files.values()].find((other) => other.tenant === tenant && other.before !== null)?.before ?? null

/** A file that was uploaded at the same time or later, and was complete so early before the request that slowness explains nothing. */
function laterFile({ files, profile }: TraceAnalysis, file: UploadedFile, last: ParsedExchange): UploadedFile | null {
  const waitMs = profile.files.status?.waitMs ?? defaultFileWaitMs
  const waitedMs = last.sentAtMs - file.upload.endedAtMs
  for (const later of files.values()) {
    const { upload, completed } = later
    if (completed === null || later.tenant !== file.tenant || later === file || upload.endedAtMs < file.upload.sentAtMs)
      continue
    const tookMs = completed.endedAtMs - upload.endedAtMs
    if (completed.endedAtMs <= last.sentAtMs && waitedMs >= Math.max(waitMs, tookMs * muchLonger)) return later
  }
  return null
}

/** A status that is not final, and the answer that shows so. */
interface PassingStatus {
  readonly shownBy: ParsedExchange
  readonly expected: string
  readonly text: string
}

/** The status of files before their upload, if every answer shows it; it is not final. */
function unchangedFrom(
  analysis: TraceAnalysis,
  file: UploadedFile,
  polls: readonly ParsedExchange[],
): PassingStatus | null {
  const shownBy = file.before ?? readBeforeUpload(analysis, file)
  if (shownBy === null || !staysAt(analysis, statusIn(shownBy, analysis.profile.files), polls)) return null
  return { shownBy, expected: 'another status than before the upload', text: 'before its upload' }
}

/** The status of the last answers, if another file had it before it completed; it is not final either. */
function stuckStatus(
  analysis: TraceAnalysis,
  { tenant }: UploadedFile,
  polls: readonly ParsedExchange[],
): PassingStatus | null {
  const { files, profile } = analysis
  const latest = polls.slice(-leastPolls)
  const value = latest[0] === undefined ? undefined : statusIn(latest[0], profile.files)
  if (!staysAt(analysis, value, latest)) return null
  for (const other of files.values()) {
    const completedAtMs = other.tenant === tenant ? (other.completed?.sentAtMs ?? 0) : 0
    const shownBy = other.polls.find(
      (poll) => poll.tenant === tenant && poll.endedAtMs <= completedAtMs && statusIn(poll, profile.files) === value,
    )
    if (shownBy !== undefined)
      return { shownBy, expected: 'a status of files.status.complete', text: 'that is being processed' }
  }
  return null
}

/** Whether all answers show this status, and the profile does not list it as a failure. */
function staysAt({ profile }: TraceAnalysis, value: unknown, polls: readonly ParsedExchange[]): boolean {
  if (value === undefined || profile.files.status?.failed?.some((one) => one === value) === true) return false
  return polls.every((poll) => statusIn(poll, profile.files) === value)
}

/** Whether every request is refused, or fails while the service is up. */
function isDenied({ parsedExchanges }: TraceAnalysis, polls: readonly ParsedExchange[]): boolean {
  // Then files.status.path may be wrong, which the contract does not show.
  if (polls.every(isNoPath)) return false
  if (polls.every(isRefusal)) return true
  const deniedAtMs = polls[leastPolls - 1]?.endedAtMs ?? Number.POSITIVE_INFINITY
  return polls.every(isError) && parsedExchanges.some((other) => isAccepted(other) && other.sentAtMs > deniedAtMs)
}

const isError = (poll: ParsedExchange): boolean =>
  isRefusal(poll) || (poll.answer.kind === 'environmental' && (poll.answer.status ?? 0) >= 500)

function openText({ profile }: TraceAnalysis, poll: ParsedExchange): string {
  if (poll.answer.kind !== 'accepted') return `${poll.id} got ${answerName(poll)}.`
  const value = statusIn(poll, profile.files)
  const pointer = profile.files.status?.pointer
  return value === undefined
    ? `${poll.id} shows nothing at ${pointer}, where the profile has the status.`
    : `The last status is ${nameOf(value)} (${poll.id}), which files.status.complete does not list.`
}
