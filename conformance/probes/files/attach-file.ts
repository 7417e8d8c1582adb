/** Attaches uploaded files to messages where the profile says how. */
import { filledFields } from '../../preflight/template.ts'
import type { GrantedFile } from '../../probe-runtime/granted-file.ts'
import type { ProbeContext, SharedThread } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { uniqueStatement } from '../../probe-runtime/sample-texts.ts'
import type { TargetProfile } from '../../profile/target-profile.ts'
import { postMessage } from '../threads/threads.ts'
import { followedFiles } from './sample-files.ts'

/** Threads that are written to anyway. */
const carrying = ['long', 'three'] as const

/** What attaching the followed files takes. */
export const requestsWithFiles = (profile: TargetProfile): number => (carriesFiles(profile) ? carrying.length + 1 : 0)

/** So many of the messages with a file stand in the long thread, which needs as many less then. */
export const filesOnLong = (profile: TargetProfile): number => (carriesFiles(profile) ? 2 : 0)

/** Whether messages with a file are sent. */
export function carriesFiles({ claims, files, threads }: TargetProfile): boolean {
  return files?.attachment !== undefined && threads !== null && claims.includes('threads') && claims.includes('files')
}

/** The two followed files; `null` where one of them was not taken or, as far as a status tells, is not complete. */
export function followedPair(context: ProbeContext): Readonly<Record<'kept' | 'temporary', GrantedFile>> | null {
  const { name } = followedFiles(context.random)
  const hasStatus = context.profile.files?.status !== undefined
  const followed = context.files().filter((file) => {
    const isTaken = hasStatus ? file.isComplete : file.uploadedAs !== null
    return file.tenant === 'primary' && file.name === name && isTaken
  })
  const [kept, temporary] = [true, false].map((isKept) => followed.find((file) => file.isKept === isKept))
  return kept === undefined || temporary === undefined ? null : { kept, temporary }
}

/** Messages carry both followed files. */
export async function attachFollowed(context: ProbeContext): Promise<void> {
  const pair = carriesFiles(context.profile) ? followedPair(context) : null
  if (pair === null) return
  const { kept, temporary } = pair
  const { attachment } = context.profile.files ?? {}
  // The one that is not kept first: what a thread carried last, later messages to it carry as well.
  await attachTo(context, 'long', filledFields(attachment, { file_id: temporary.id }))
  const answers: Answer[] = []
  for (const thread of carrying) {
    const answer = await attachTo(context, thread, filledFields(attachment, { file_id: kept.id }))
    if (answer !== null) answers.push(answer)
  }
  await tryOtherAttachment(context, kept.id, answers)
}

/** A field that is ignored, or that the target does not know, looks like one that is used, or a target that refuses files. */
async function tryOtherAttachment(context: ProbeContext, id: string, answers: readonly Answer[]): Promise<void> {
  const { attachment, attachmentUnseen = false } = context.profile.files ?? {}
  const isTaken = answers.some(({ outcome }) => outcome === 'accepted')
  if (answers.length === 0 || attachmentUnseen || (isTaken && answers.some((answer) => shows(answer, id)))) return
  const fields = isTaken
    ? filledFields(attachment, { file_id: context.random.uuid() })
    : Object.fromEntries(Object.entries(Object(attachment)).map(([name, value]) => [name, emptied(value)]))
  if (isTaken || Object.values(fields).some(Array.isArray)) await attachTo(context, 'three', fields, beyond)
}

const shows = ({ json }: Answer, id: string): boolean =>
  JSON.stringify(json ?? null)
    .toLowerCase()
    .includes(id.toLowerCase())

const emptied = (value: unknown): unknown => (Array.isArray(value) ? [] : value)

/** No plan has it: most targets show what a message carries. */
const beyond = { isRepetition: true, expects: 'either' } as const

/** Adds a message that carries a file to a shared thread. */
async function attachTo(
  context: ProbeContext,
  name: SharedThread,
  fields: Readonly<Record<string, unknown>>,
  more: Pick<RequestSpec, 'isRepetition' | 'expects'> = {},
): Promise<Answer | null> {
  const thread = await context.shared(name)
  if (thread === null) return null
  // What it takes without a file shows that a refusal is about the file.
  if (thread.fresh) await postMessage(context, thread.id, 'user', uniqueStatement(context.random))
  return sendWith(context, thread.id, fields, more)
}

/** A message of a thread that carries files carries one once more. The plan has no request to open another thread. */
export async function attachLate(context: ProbeContext, id: string): Promise<void> {
  const thread = context.touched().find(({ tenant, carried }) => tenant === 'primary' && carried !== undefined)
  if (thread === undefined) return
  await sendWith(context, thread.id, filledFields(context.profile.files?.attachment, { file_id: id }))
}

function sendWith(
  context: ProbeContext,
  thread: string,
  fields: Readonly<Record<string, unknown>>,
  more: Pick<RequestSpec, 'isRepetition' | 'expects'> = {},
): Promise<Answer> {
  const json = { role: 'user', content: uniqueStatement(context.random), ...fields }
  return context.send('createMessage', { ...more, in: { thread_id: thread }, json })
}
