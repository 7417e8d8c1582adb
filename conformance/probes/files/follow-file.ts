/** Follows uploaded files where the profile says how: polls their status until they are complete; another tenant asks for one. */
import { nameOf, valuesAt } from '../../judge/read/json.ts'
import { filledFields } from '../../preflight/template.ts'
import type { GrantedFile } from '../../probe-runtime/granted-file.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { type Answer, stringAt } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { defaultFileWaitMs, type FileStatusMapping, type TargetProfile } from '../../profile/target-profile.ts'
import { hasSecondTenant } from '../support/profile-facts.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'
import { attachLate, carriesFiles, followedPair } from './attach-file.ts'
import { otherTextType, shortText, uploadSmall } from './sample-files.ts'

const firstPauseMs = 250

/** What a first file and the two that are followed take when all are complete at once. */
export function requestsAboutFiles(profile: TargetProfile): number {
  return profile.files?.status === undefined ? 0 : hasSecondTenant(profile) ? 7 : 6
}

/** What reading and using followed files late in the run takes. */
export function lateRequestsAboutFiles(profile: TargetProfile): number {
  return profile.files?.status === undefined ? 0 : carriesFiles(profile) ? 2 : 1
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
 * Uploads a first file of ASCII characters alone, where the profile has a status: if it is complete and no later file ever is,
 * processing has stopped.
 */
export const uploadFirst = (context: ProbeContext, type: 'text/csv' | 'text/plain'): Promise<Answer | null> =>
  context.profile.files?.status === undefined
    ? Promise.resolve(null)
    : uploadSmall(context, type, { user: 'user-1', body: 'month,total\n2024-01,12\n' })

/** Reads the status of the first file, at most twice; returns its grant where it has to be followed with the others. */
export async function readFirst(context: ProbeContext, grant: Answer | null): Promise<readonly Answer[]> {
  const { status } = context.profile.files ?? {}
  const id = stringAt(grant?.json, '/file_id')
  if (grant === null || status === undefined || id === undefined) return []
  if (isOneOf(status.complete, statusIn(await sendStatus(context, status, id), status))) return []
  await context.pause(2 * firstPauseMs)
  return isOneOf(status.complete, statusIn(await sendStatus(context, status, id, again), status)) ? [] : [grant]
}

/**
 * Does what clients do after an upload, with a file that is kept, and with an earlier one that is not. Where one of them stays
 * incomplete, nothing is shown by the other. `first` are earlier ones that were not complete at once.
 */
export async function followFiles(
  context: ProbeContext,
  kept: Answer,
  temporary: Answer,
  first: readonly Answer[],
): Promise<void> {
  const { profile } = context
  // In turn: one that still waits when the other is complete long since is not just slow.
  const [fields, passing, ...ofFirst] = await completeFiles(context, [kept, temporary, ...first])
  const { status } = profile.files ?? {}
  const id = stringAt(kept.json, '/file_id') ?? ''
  const open = [
    ...(fields == null ? [kept] : []),
    ...(passing == null ? [temporary] : []),
    ...first.filter((_, at) => ofFirst[at] == null),
  ]
  const stuck = open.map(({ json }) => stringAt(json, '/file_id') ?? '')
  if (status !== undefined && open.length > 0) await overtake(context, status, stuck)
  // One that is gone shows as such only where the other one is still there.
  if (fields != null && passing == null && status !== undefined) await sendStatus(context, status, id, again)
  if (fields == null || passing == null) return
  if (status !== undefined && hasSecondTenant(profile))
    await sendOneInvalid(context, 'getFileStatus', { ...foreign, ...statusOf(context, id, status) })
}

/**
 * Reads late in the run whether a file that is not kept is still there: it is for a day. What is refused of a file that is
 * kept as well is not about that. A message carries the one that is kept.
 */
export async function readFileLate(context: ProbeContext): Promise<void> {
  const { status } = context.profile.files ?? {}
  const pair = followedPair(context)
  if (status === undefined || pair === null) return
  const { kept, temporary } = pair
  const [answer] = await Promise.all([sendStatus(context, status, temporary.id), attachLate(context, kept.id)])
  if (!isOneOf(status.complete, statusIn(answer, status))) await sendStatus(context, status, kept.id, again)
}

/**
 * Reads the status of the upload that came last of those that are no text: each type may be processed separately, and it shows
 * whether an earlier one stopped a service.
 */
export async function readLastUpload(context: ProbeContext): Promise<void> {
  const others = unreadUploads(context)
  const last = others.findLast(isNoText) ?? tablesInTurn(context, others)[0]
  if (last !== undefined) await readOther(context, last)
}

/** The same of another type. At a third of the seeds it is a table; all others are a PDF or an office file. */
export async function readOtherUpload(context: ProbeContext): Promise<void> {
  // One that stays incomplete has been followed, and another one tells no more.
  const uploads = ownFiles(context).filter((file) => file.uploadedAs !== null && isNoText(file))
  if (uploads.at(-1)?.isComplete !== true) return
  const others = unreadUploads(context)
  const [other] = [...tablesInTurn(context, others), ...context.random.shuffled(others.filter(isNoText))]
  if (other !== undefined) await readOther(context, other)
}

const ownFiles = (context: ProbeContext): readonly GrantedFile[] =>
  context.files().filter(({ tenant }) => tenant === 'primary')

/** Where no upload is complete, nothing can be said about another one. */
function unreadUploads(context: ProbeContext): readonly GrantedFile[] {
  const own = ownFiles(context)
  const unread = own.filter(({ uploadedAs, isComplete }) => uploadedAs !== null && !isComplete)
  return own.some(({ isComplete }) => isComplete) ? unread : []
}

const tablesInTurn = ({ random }: ProbeContext, files: readonly GrantedFile[]): readonly GrantedFile[] =>
  otherTextType(random) === 'text/csv' ? files.filter(isTable) : []

async function readOther(context: ProbeContext, { id }: GrantedFile): Promise<void> {
  const { status } = context.profile.files ?? {}
  if (status === undefined) return
  if (isOneOf(status.complete, statusIn(await sendStatus(context, status, id), status))) return
  const [last] = await lastStatuses(context, [id], status, again)
  if (!isOneOf(status.complete, last)) await overtake(context, status, [id])
}

const isTable = ({ uploadedAs }: GrantedFile): boolean => uploadedAs === 'text/csv'
const isNoText = ({ uploadedAs }: GrantedFile): boolean => uploadedAs?.startsWith('text/') === false

/** So long that a small file is complete by then where others are within a moment. */
const unaskedMs = 1500

/**
 * Where files stay incomplete, a later one of another user shows whether all of them are slow. Where that one stays so as well,
 * one follows whose status nobody asks for at first: what a service keeps of a status is then the last one.
 */
async function overtake(context: ProbeContext, status: FileStatusMapping, open: readonly string[]): Promise<void> {
  let stuck = open
  // Of the type of one that was complete, since each type may be processed separately.
  const type = context.files().some((file) => file.isComplete && isTable(file)) ? 'text/csv' : 'text/plain'
  for (const waitMs of [0, unaskedMs]) {
    const user = `user-${context.random.below(100_000)}`
    const id = stringAt((await uploadSmall(context, type, { user, body: shortText, ...again }))?.json, '/file_id')
    if (id === undefined) return
    await context.pause(waitMs)
    const [last] = await lastStatuses(context, [id], status, again)
    if (isOneOf(status.complete, last)) break
    stuck = [...stuck, id]
  }
  for (const id of stuck) await sendStatus(context, status, id, again)
}

const again = { isRepetition: true } as const

function sendStatus(
  context: ProbeContext,
  status: FileStatusMapping,
  id: string,
  more: Pick<RequestSpec, 'isRepetition'> = {},
): Promise<Answer> {
  return context.send('getFileStatus', { ...statusOf(context, id, status), ...more })
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
