/**
 * Collects what is worth reporting although it violates nothing. Examples are unknown error codes, leniencies, errors
 * inside streams, and requests that went otherwise than the suite expected.
 */
import { errorTable, groupBy, type OperationId } from '../../spec/index.ts'
import { defaultFileWaitMs } from '../profile/target-profile.ts'
import { tooDeep } from '../trace/json-depth.ts'
import { hiddenAttachments } from './classify/ignored-attachment.ts'
import { provokedCode } from './classify/provoked-code.ts'
import { attachmentField, saysFailed, type UploadedFile } from './history/uploaded-files.ts'
import { isUnreadable } from './read/body.ts'
import { fieldOf, quoted } from './read/json.ts'
import { isAccepted, type ParsedExchange } from './read/parsed-exchange.ts'
import { brokeInside } from './read/stream-chunks.ts'
import { hasSuccessShape } from './read/success-shape.ts'
import { disagreement, type TraceAnalysis } from './trace-analysis.ts'
import type { Notice } from './verdict.ts'

/** All notices, each once with the first exchanges that show it. */
export function noticesOf(analysis: TraceAnalysis): readonly Notice[] {
  const notices = new NoticeList()
  for (const parsed of analysis.parsedExchanges) {
    noteError(notices, parsed)
    noteLeniency(notices, analysis, parsed)
    noteBlockedRunner(notices, parsed)
    noteUnread(notices, parsed)
    if (brokeInside(parsed))
      notices.add('error-in-stream', `${parsed.operation} reported an error after the stream had started`, parsed)
  }
  noteFilledThreads(notices, analysis)
  noteFailingAssistants(notices, analysis)
  noteHiddenAttachments(notices, analysis)
  noteOpenFiles(notices, analysis)
  return notices.all()
}

/** Threads that should have been empty: their contents violate nothing, but less can be judged in them. */
function noteFilledThreads(notices: NoticeList, { profile, histories }: TraceAnalysis): undefined {
  for (const { id, holds } of profile.threads?.kind === 'static' ? profile.threads.threads : []) {
    const first = holds === 'empty' ? histories.thread(id)?.pages[0] : undefined
    if (first === undefined || first.items.length === 0 || histories.thread(id)?.origin.startsEmpty === true) continue
    const text = 'a thread that the profile calls empty held messages already; list fresh threads for each run'
    notices.add('thread-not-empty', text, first.parsed)
  }
}

const asking: ReadonlySet<OperationId | null> = new Set([
  'createChatCompletion',
  'streamChatCompletion',
  'streamChatCompletionEvents',
  'runThread',
  'streamThreadRun',
])

/** This many unanswered questions are not a coincidence. */
const leastFailures = 2

/** Assistants that answered none of several questions, with their last error; the suite asks others instead. */
function noteFailingAssistants(notices: NoticeList, analysis: TraceAnalysis): undefined {
  const assistantOf = askedAssistants(analysis)
  const questions = analysis.parsedExchanges.filter(
    (parsed) =>
      asking.has(parsed.operation) &&
      parsed.answer.code !== 'rate_limit_gateway' &&
      (isAccepted(parsed) || isFailure(parsed)) &&
      // An error that the profile provokes says nothing about the assistant.
      provokedCode(parsed, analysis) === null,
  )
  for (const [id, asked] of groupBy(questions, assistantOf)) {
    const last = asked.at(-1) ?? asked[0]
    if (asked.length < leastFailures || asked.some(isAccepted)) continue
    const name = fieldOf(analysis.registry.anyRecordOf(id)?.record, 'name')
    const error = last.answer.code ?? last.exchange.failure ?? `status ${last.answer.status}`
    const text = `the assistant ${typeof name === 'string' ? `${quoted(name)} ` : ''}${id} answered none of ${asked.length} questions: ${error}`
    for (const parsed of asked) notices.add('assistant-fails', text, parsed)
  }
}

/** The assistant that a question names, or the request that created its thread; in lower case. */
function askedAssistants({ parsedExchanges }: TraceAnalysis): (question: ParsedExchange) => string | null {
  const named = ({ body }: ParsedExchange) => (body.kind === 'json' ? fieldOf(body.value, 'assistant_id') : undefined)
  const ofThread = new Map<unknown, unknown>()
  for (const parsed of parsedExchanges) {
    if (asking.has(parsed.operation) || named(parsed) === undefined) continue
    const made = parsed.answer.body.kind === 'json' ? parsed.answer.body.value : null
    ofThread.set(fieldOf(made, 'id'), named(parsed))
  }
  return (question) => {
    const id = named(question) ?? ofThread.get(question.params.thread_id)
    return typeof id === 'string' ? id.toLowerCase() : null
  }
}

/** Messages were taken with the field that attaches a file, and none shows its file: one that is ignored looks the same. */
function noteHiddenAttachments(notices: NoticeList, analysis: TraceAnalysis): undefined {
  const field = attachmentField(analysis.profile.files)
  const text = `no message shows the file that it carries, so it is unknown whether the service uses the field ${field} of files.attachment`
  for (const parsed of hiddenAttachments(analysis)) notices.add('attachment-not-shown', text, parsed)
}

/** Files that never completed within the wait: all of them may be slow, or processing has stopped. */
function noteOpenFiles(notices: NoticeList, { files, profile }: TraceAnalysis): undefined {
  const { waitMs = defaultFileWaitMs } = profile.files.status ?? {}
  const asked = [...files.values()].flatMap((file) => lastPoll(file) ?? [])
  const open = asked.filter(
    ({ file, poll }) =>
      file.completed === null &&
      isAccepted(poll) &&
      !saysFailed(poll, profile.files) &&
      poll.sentAtMs - file.upload.endedAtMs >= waitMs,
  )
  const text = `${open.length} of ${asked.length} uploaded files were not complete ${waitMs} ms after their upload; where the service needs longer, raise files.status.waitMs`
  for (const { poll } of open) notices.add('file-not-complete', text, poll)
}

/** The last request of its own tenant for the status of a file. */
function lastPoll(file: UploadedFile): { readonly file: UploadedFile; readonly poll: ParsedExchange } | null {
  const poll = file.polls.findLast(({ tenant }) => tenant === file.tenant)
  return poll === undefined ? null : { file, poll }
}

function isFailure({ answer, exchange: { ending } }: ParsedExchange): boolean {
  return answer.kind === 'environmental' || ending === 'timed-out' || ending === 'cut'
}

/** A timeout may be the suite's own fault if its event loop was blocked for this long, milliseconds. */
const blockedMs = 1000

function noteBlockedRunner(notices: NoticeList, parsed: ParsedExchange): undefined {
  const { ending, loopLagMs = 0 } = parsed.exchange
  if (ending !== 'timed-out' || loopLagMs < blockedMs) return
  const text =
    'a request timed out while the suite itself was blocked for a second or longer, so the service may not be to blame; run the suite on a less busy machine'
  notices.add('runner-blocked', text, parsed)
}

/** An answer that the suite does not read decides nothing, and the reader of the verdicts should know why. */
function noteUnread(notices: NoticeList, parsed: ParsedExchange): undefined {
  if (!isUnreadable(parsed.answer.body)) return
  notices.add(
    'answer-not-read',
    `${parsed.operation ?? 'a path'} answers with JSON ${tooDeep}, which is not read`,
    parsed,
  )
}

function noteError(notices: NoticeList, parsed: ParsedExchange): undefined {
  const { code } = parsed.answer
  if (code === null || parsed.operation === null || parsed.key !== 'sent' || Object.hasOwn(errorTable, code)) return
  notices.add('unknown-code', `${quoted(code)} is not in the contract's table of errors`, parsed)
}

function noteLeniency(notices: NoticeList, analysis: TraceAnalysis, parsed: ParsedExchange): undefined {
  const { validity, ambiguities } = analysis.requestOf(parsed)
  if (validity !== 'unsure') return
  if (ambiguities.some(({ about }) => about === disagreement)) {
    notices.add(
      'unexpected-situation',
      `${parsed.operation} was asked in a situation that the suite had expected to be another`,
      parsed,
    )
  }
  if (!isAccepted(parsed) || !hasSuccessShape(parsed)) return
  for (const { about, leniency } of ambiguities) {
    if (leniency) notices.add('leniency', `${parsed.operation} accepts ${about}`, parsed)
  }
}

const keptExchanges = 5

/** Collects notices by their text. */
class NoticeList {
  readonly #notices = new Map<string, { readonly code: string; readonly text: string; readonly exchanges: string[] }>()

  add(code: string, text: string, { id }: ParsedExchange): undefined {
    const key = `${code} ${text}`
    const known = this.#notices.get(key) ?? { code, text, exchanges: [] }
    this.#notices.set(key, known)
    if (known.exchanges.length < keptExchanges) known.exchanges.push(id)
  }

  all(): readonly Notice[] {
    return [...this.#notices.values()]
  }
}
