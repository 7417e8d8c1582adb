/**
 * Follows uploaded files where the profile says how. Their status is polled until they are complete, another tenant asks for
 * one, and messages carry them.
 */
import { nameOf, valuesAt } from '../../judge/read/json.ts'
import { filledFields } from '../../preflight/template.ts'
import type { GrantedFile } from '../../probe-runtime/granted-file.ts'
import type { ProbeContext, SharedThread } from '../../probe-runtime/probe-context.ts'
import { type Answer, stringAt } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { uniqueStatement } from '../../probe-runtime/sample-texts.ts'
import { defaultFileWaitMs, type FileStatusMapping, type TargetProfile } from '../../profile/target-profile.ts'
import { hasSecondTenant } from '../support/profile-facts.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'
import { uploadTo } from '../support/upload-to.ts'
import { postMessage } from '../threads/threads.ts'
import { filename, shortText } from './sample-files.ts'

/** Threads that are written to anyway. */
const carrying = ['long', 'workshop'] as const
const firstPauseMs = 250

/** What following two files takes when both are complete at once. */
export function requestsAboutFiles(profile: TargetProfile): number {
  const reads = profile.files?.status === undefined ? 0 : hasSecondTenant(profile) ? 4 : 3
  return reads + (carriesFiles(profile) ? carrying.length + 1 : 0)
}

/** So many of the messages with a file stand in the long thread, which needs as many less then. */
export const filesOnLong = (profile: TargetProfile): number => (carriesFiles(profile) ? 2 : 0)

/** What reading and using followed files late in the run takes. */
export function lateRequestsAboutFiles(profile: TargetProfile): number {
  return profile.files?.status === undefined ? 0 : carriesFiles(profile) ? 2 : 1
}

/** Whether messages with a file are sent. */
export function carriesFiles({ claims, files, threads }: TargetProfile): boolean {
  return files?.attachment !== undefined && threads !== null && claims.includes('threads') && claims.includes('files')
}

/** Asks for the status of a file that is not uploaded yet: the answer is open, and changes nothing about the file. */
export async function readBeforeUpload(context: ProbeContext, grant: Answer): Promise<void> {
  const status = context.profile.files?.status
  const id = stringAt(grant.json, '/file_id')
  if (status === undefined || id === undefined) return
  await context.send('getFileStatus', {
    ...statusOf(context, id, status),
    purpose: 'early:/path/file_id',
    expects: 'either',
  })
}

/**
 * Does what clients do after an upload, with a file that is kept, and with an earlier one that is not. Where one of them stays
 * incomplete, nothing is shown by the other.
 */
export async function followFiles(context: ProbeContext, kept: Answer, temporary: Answer): Promise<void> {
  const { profile } = context
  // In turn: one that still waits when the other is complete long since is not just slow.
  const [fields, passing] = await completeFiles(context, [kept, temporary])
  const { status } = profile.files ?? {}
  const id = stringAt(kept.json, '/file_id') ?? ''
  const open = [fields == null ? [kept] : [], passing == null ? [temporary] : []].flat()
  const stuck = open.map(({ json }) => stringAt(json, '/file_id') ?? '')
  if (status !== undefined && open.length > 0) await overtake(context, status, stuck)
  // One that is gone shows as such only where the other one is still there.
  if (fields != null && passing == null && status !== undefined) await sendStatus(context, status, id, again)
  if (fields == null || passing == null) return
  if (status !== undefined && hasSecondTenant(profile))
    await sendOneInvalid(context, 'getFileStatus', { ...foreign, ...statusOf(context, id, status) })
  if (carriesFiles(profile)) await carryFiles(context, id, fields, passing)
}

/**
 * Reads late in the run whether a file that is not kept is still there: it is for a day. What is refused of a file that is
 * kept as well is not about that. A message carries the one that is kept.
 */
export async function readFileLate(context: ProbeContext): Promise<void> {
  const { status, attachment } = context.profile.files ?? {}
  const complete = context.files().filter(({ tenant, isComplete }) => tenant === 'primary' && isComplete)
  const [temporary, kept] = [false, true].map((isKept) => complete.find((file) => file.isKept === isKept))
  if (status === undefined || temporary === undefined || kept === undefined) return
  if (carriesFiles(context.profile)) await sendWith(context, 'long', filledFields(attachment, { file_id: kept.id }))
  const answer = await sendStatus(context, status, temporary.id)
  if (!isOneOf(status.complete, statusIn(answer, status))) await sendStatus(context, status, kept.id, again)
}

/** Uploads of other types whose status is read. */
export const otherTypesRead = 2

/**
 * Reads the status of uploads whose types no followed file has: each type may be processed separately. At a third of the seeds
 * the first one is a table; all others are a PDF or an office file.
 */
export async function readOtherType(context: ProbeContext): Promise<void> {
  const { status } = context.profile.files ?? {}
  const own = context.files().filter(({ tenant }) => tenant === 'primary')
  // Where none is complete, nothing can be said about another one.
  if (status === undefined || own.every(({ isComplete }) => !isComplete)) return
  const others = own.filter(({ uploadedAs, isComplete }) => uploadedAs !== null && !isComplete)
  const tables = others.filter(({ uploadedAs }) => uploadedAs === 'text/csv')
  const chosen = [...tables, ...context.random.shuffled(others.filter(isNoText))].slice(0, otherTypesRead)
  for (const { id } of chosen) {
    if (isOneOf(status.complete, statusIn(await sendStatus(context, status, id), status))) continue
    const [last] = await lastStatuses(context, [id], status, again)
    if (!isOneOf(status.complete, last)) return overtake(context, status, [id])
  }
}

const isNoText = ({ uploadedAs }: GrantedFile): boolean => uploadedAs?.startsWith('text/') === false

/** So long that a small file is complete by then where others are within a moment. */
const unaskedMs = 1500

/**
 * Where files stay incomplete, a later one of another user shows whether all of them are slow. Where that one stays so as well,
 * one follows whose status nobody asks for at first: what a service keeps of a status is then the last one.
 */
async function overtake(context: ProbeContext, status: FileStatusMapping, open: readonly string[]): Promise<void> {
  let stuck = open
  for (const waitMs of [0, unaskedMs]) {
    const id = stringAt((await uploadAgain(context))?.json, '/file_id')
    if (id === undefined) return
    await context.pause(waitMs)
    const [last] = await lastStatuses(context, [id], status, again)
    if (isOneOf(status.complete, last)) break
    stuck = [...stuck, id]
  }
  for (const id of stuck) await sendStatus(context, status, id, again)
}

const again = { isRepetition: true } as const

/** The grant of a small file that was taken; `null` when it was not. */
async function uploadAgain(context: ProbeContext): Promise<Answer | null> {
  const headers = [['user-id', `user-${context.random.below(100_000)}`]] as const
  const grant = await context.send('createUploadGrant', { query: filename, headers, ...again })
  const upload = await uploadTo(grant, context, 'text/plain', shortText, again)
  return upload?.outcome === 'accepted' ? grant : null
}

function sendStatus(
  context: ProbeContext,
  status: FileStatusMapping,
  id: string,
  more: Pick<RequestSpec, 'isRepetition'> = {},
): Promise<Answer> {
  return context.send('getFileStatus', { ...statusOf(context, id, status), ...more })
}

/** Messages carry both files. */
async function carryFiles(context: ProbeContext, id: string, fields: Fields, passing: Fields): Promise<void> {
  // The one that is not kept first: what a thread carried last, later messages to it carry as well.
  await sendWith(context, 'long', passing)
  const answers: (Answer | null)[] = []
  for (const name of carrying) answers.push(await sendWith(context, name, fields))
  await tryOtherAttachment(
    context,
    id,
    answers.filter((answer) => answer !== null),
  )
}

/** A field that is ignored, or that the target does not know, looks like one that is used, or a target that refuses files. */
async function tryOtherAttachment(context: ProbeContext, id: string, answers: readonly Answer[]): Promise<void> {
  const { attachment, attachmentUnseen = false } = context.profile.files ?? {}
  const isTaken = answers.some(({ outcome }) => outcome === 'accepted')
  if (answers.length === 0 || attachmentUnseen || (isTaken && answers.some((answer) => shows(answer, id)))) return
  const fields = isTaken
    ? filledFields(attachment, { file_id: context.random.uuid() })
    : Object.fromEntries(Object.entries(Object(attachment)).map(([name, value]) => [name, emptied(value)]))
  if (isTaken || Object.values(fields).some(Array.isArray)) await sendWith(context, 'workshop', fields, beyond)
}

const shows = ({ json }: Answer, id: string): boolean =>
  JSON.stringify(json ?? null)
    .toLowerCase()
    .includes(id.toLowerCase())

const emptied = (value: unknown): unknown => (Array.isArray(value) ? [] : value)

/** No plan has it: most targets show what a message carries. */
const beyond = { isRepetition: true, expects: 'either' } as const

/** A message that carries a file, in a shared thread. */
async function sendWith(
  context: ProbeContext,
  name: SharedThread,
  fields: Readonly<Record<string, unknown>> | null,
  more: Pick<RequestSpec, 'isRepetition' | 'expects'> = {},
): Promise<Answer | null> {
  const thread = fields === null ? null : await context.shared(name)
  if (thread === null) return null
  // What it takes without a file shows that a refusal is about the file.
  if (thread.fresh) await postMessage(context, thread.id, 'user', uniqueStatement(context.random))
  const json = { role: 'user', content: uniqueStatement(context.random), ...fields }
  return context.send('createMessage', { ...more, in: { thread_id: thread.id }, json })
}

type Fields = Readonly<Record<string, unknown>>

/** Polls until the file is complete, and gives the fields of a message that carries it. */
export async function completeFile(context: ProbeContext, grant: Answer): Promise<Fields | null> {
  return (await completeFiles(context, [grant]))[0] ?? null
}

async function completeFiles(context: ProbeContext, grants: readonly Answer[]): Promise<readonly (Fields | null)[]> {
  const { files } = context.profile
  const ids = grants.flatMap(({ json }) => stringAt(json, '/file_id') ?? [])
  if (files === undefined || ids.length < grants.length) return []
  const { status, attachment } = files
  const values = status === undefined ? [] : await lastStatuses(context, ids, status)
  return ids.map((id, index) => {
    if (status === undefined || isOneOf(status.complete, values[index]))
      return filledFields(attachment, { file_id: id })
    context.note('refused-by-target', `The file is not complete: its status is ${nameOf(values[index])}.`)
    return null
  })
}

const foreign = { purpose: 'foreign:/path/file_id', as: 'secondary' } as const
/** With the user-id of the grant, which a service may want to see again. */
function statusOf(context: ProbeContext, id: string, { path }: FileStatusMapping): RequestSpec {
  const headers = context.files().find((file) => file.id === id)?.userId ?? []
  return { path, in: { file_id: id }, headers }
}

const isOneOf = (values: readonly unknown[] = [], value: unknown): boolean => values.includes(value)

/** Polls in turn, at longer and longer intervals, as long as the profile wants to wait. */
async function lastStatuses(
  context: ProbeContext,
  ids: readonly string[],
  status: FileStatusMapping,
  first: Pick<RequestSpec, 'isRepetition'> = {},
): Promise<readonly unknown[]> {
  const { complete, failed, waitMs = defaultFileWaitMs } = status
  const values: unknown[] = ids.map(() => undefined)
  const isOpen = (value: unknown): boolean => !isOneOf(complete, value) && !isOneOf(failed, value)
  let waitedMs = 0
  for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
    const more = waitedMs > 0 ? again : first
    for (const [index, id] of ids.entries()) {
      if (!isOpen(values[index])) continue
      const ask = { ...statusOf(context, id, status), ...more }
      values[index] = statusIn(await context.send('getFileStatus', ask), status)
    }
    if (!values.some(isOpen) || waitedMs >= waitMs) return values
    const nextMs = Math.min(pauseMs, waitMs - waitedMs)
    await context.pause(nextMs)
    waitedMs += nextMs
  }
}

/** What stands in an error is no status. */
const statusIn = ({ outcome, json }: Answer, { pointer }: FileStatusMapping): unknown =>
  outcome === 'accepted' ? valuesAt(json, pointer)[0] : undefined
