/**
 * Follows uploaded files where the profile says how. Their status is polled until they are complete, another tenant asks for
 * one, and messages carry them.
 */
import { nameOf, valuesAt } from '../../judge/read/json.ts'
import { filledFields } from '../../preflight/template.ts'
import type { ProbeContext, SharedThread } from '../../probe-runtime/probe-context.ts'
import { type Answer, stringAt } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { uniqueStatement } from '../../probe-runtime/sample-texts.ts'
import { defaultFileWaitMs, type FileStatusMapping, type TargetProfile } from '../../profile/target-profile.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'
import { postMessage } from '../threads/threads.ts'

/** Threads that are written to anyway. */
const carrying = ['long', 'workshop'] as const
const firstPauseMs = 250

/** What following two files takes when both are complete at once. */
export function requestsAboutFiles(profile: TargetProfile): number {
  const reads = profile.files?.status === undefined ? 0 : isReadByOther(profile) ? 4 : 3
  return reads + (carriesFiles(profile) ? carrying.length + 1 : 0)
}

/** So many of the messages with a file stand in the long thread, which needs as many less then. */
export const filesOnLong = (profile: TargetProfile): number => (carriesFiles(profile) ? 2 : 0)

/** Whether messages with a file are sent. */
export function carriesFiles({ claims, files, threads }: TargetProfile): boolean {
  return files?.attachment !== undefined && threads !== null && claims.includes('threads') && claims.includes('files')
}

const isReadByOther = ({ claims, tenants }: TargetProfile): boolean =>
  claims.includes('tenancy') && tenants.secondary !== undefined

/** Asks for the status of a file that is not uploaded yet: the answer is open, and changes nothing about the file. */
export async function readBeforeUpload(context: ProbeContext, grant: Answer): Promise<void> {
  const status = context.profile.files?.status
  const id = stringAt(grant.json, '/file_id')
  if (status === undefined || id === undefined) return
  await context.send('getFileStatus', { ...statusOf(id, status), purpose: 'early:/path/file_id', expects: 'either' })
}

/**
 * Does what clients do after an upload, with a file that is kept, and with an earlier one that is not. Where one of them stays
 * incomplete, nothing is shown by the other.
 */
export async function followFiles(context: ProbeContext, kept: Answer, temporary: Answer): Promise<void> {
  const { profile } = context
  // The later file first: an earlier one that still waits when that is complete is not just slow.
  const fields = await completeFile(context, kept)
  const passing = await completeFile(context, temporary)
  if (fields === null || passing === null) return
  const { status } = profile.files ?? {}
  const id = stringAt(kept.json, '/file_id') ?? ''
  if (status !== undefined && isReadByOther(profile))
    await sendOneInvalid(context, 'getFileStatus', { ...foreign, ...statusOf(id, status) })
  if (!carriesFiles(profile)) return
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

/** Polls until the file is complete, and gives the fields of a message that carries it. */
export async function completeFile(
  context: ProbeContext,
  grant: Answer,
): Promise<Readonly<Record<string, unknown>> | null> {
  const { files } = context.profile
  const id = stringAt(grant.json, '/file_id')
  if (files === undefined || id === undefined) return null
  const { status } = files
  if (status !== undefined) {
    const value = await lastStatus(context, id, status)
    if (!isOneOf(status.complete, value)) {
      context.note('refused-by-target', `The file is not complete: its status is ${nameOf(value)}.`)
      return null
    }
  }
  return filledFields(files.attachment, { file_id: id })
}

const foreign = { purpose: 'foreign:/path/file_id', as: 'secondary' } as const
const statusOf = (id: string, { path }: FileStatusMapping) => ({ path, in: { file_id: id } })
const isOneOf = (values: readonly unknown[] = [], value: unknown): boolean => values.includes(value)

/** Polls at longer and longer intervals, as long as the profile wants to wait. */
async function lastStatus(context: ProbeContext, id: string, status: FileStatusMapping): Promise<unknown> {
  const { complete, failed, waitMs = defaultFileWaitMs } = status
  const ask = statusOf(id, status)
  let value = statusIn(await context.send('getFileStatus', ask), status)
  let waitedMs = 0
  for (let pauseMs = firstPauseMs; waitedMs < waitMs; pauseMs *= 2) {
    if (isOneOf(complete, value) || isOneOf(failed, value)) break
    const nextMs = Math.min(pauseMs, waitMs - waitedMs)
    await context.pause(nextMs)
    waitedMs += nextMs
    value = statusIn(await context.send('getFileStatus', { ...ask, isRepetition: true }), status)
  }
  return value
}

/** What stands in an error is no status. */
const statusIn = ({ outcome, json }: Answer, { pointer }: FileStatusMapping): unknown =>
  outcome === 'accepted' ? valuesAt(json, pointer)[0] : undefined
