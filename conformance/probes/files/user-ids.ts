/** The user-id header to the letter: every legal character, both ends of its length, and what is no user-id. */
import { userIdAlphabet } from '../../../generators/index.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import { inLanes } from '../support/in-lanes.ts'
import { hasSecondTenant } from '../support/profile-facts.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'
import {
  commonGrant,
  filename,
  otherTextType,
  upload,
  uploadEmpty,
  uploadLargest,
  uploadOtherEncoding,
  uploadOtherType,
  userId,
} from './sample-files.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'
const punctuation = '._-@:'

/** Every legal character, both ends of the length, the short ones with uploads of other types; and what is no user-id. */
export async function playUserIds(context: ProbeContext): Promise<void> {
  const all = context.random.shuffled([...`${letters}${digits}${punctuation}`]).join('')
  const longest = all.repeat(4).slice(0, 255)
  const others = [() => upload(context, otherTextType(context.random), letters), () => uploadLargest(context, digits)]
  await inLanes(context, others, (send) => send())
  // At once: what a service derives from the time, the tenant or the name may be the same for two of them.
  const query = [...filename, ['persist', 'false'] as const]
  const asks = [commonGrant, { headers: userId(longest) }, ...(hasSecondTenant(context.profile) ? [ofSecond] : [])]
  const grants = await Promise.all(asks.map((ask) => context.send('createUploadGrant', { ...ask, query })))
  const bad = badUploads[context.random.runNumber % badUploads.length] ?? []
  await inLanes(context, [...bad.entries()], async ([index, uploadBad]) => {
    const grant = grants[index]
    if (grant !== undefined) await uploadBad(context, grant)
  })
  const tooLong = `${longest}${context.random.pick(['a', '9', '-'])}`
  // With persist and without, for either may have a check of its own.
  const checks = context.random.shuffled(['false', 'true', null, null])
  const faulty = context.random.shuffled([' ', '/', ',', '+']).map((character, index) => {
    const id = `${wordOf(context)}${character}${wordOf(context)}`
    return () => refuseUserId(context, 'pattern:/headers/user-id', id, checks[index] ?? null)
  })
  const raw = ['', `${wordOf(context)}\u00e9`].map((id) => () => refuseRawUserId(context, id))
  const byLength = () => refuseUserId(context, 'length:/headers/user-id', tooLong)
  await inLanes(context, [byLength, ...faulty, ...raw], (refuse) => refuse())
  if (context.profile.files?.status !== undefined) await context.pause(processedMs)
  await upload(context, lastType, punctuation)
}

/**
 * Files that are unreadable or refused stop no later one. In turn both have the same fault, since a service may have a second
 * worker.
 */
const badUploads = [
  [uploadEmpty, uploadOtherEncoding],
  [uploadEmpty, uploadOtherType],
  [uploadEmpty, uploadEmpty],
  [uploadOtherEncoding, uploadOtherEncoding],
  [uploadOtherEncoding, uploadEmpty],
  [uploadOtherType, uploadOtherEncoding],
] as const

/** By then the unreadable files are processed; without a status in the profile, nothing shows that. */
const processedMs = 250

/** No file of it is UTF-8: what reads every file as text may stop there. */
const lastType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

const ofSecond = { ...commonGrant, as: 'secondary' } as const

/** A few legal characters of a user-id. */
export function wordOf({ random }: ProbeContext): string {
  return random
    .shuffled([...userIdAlphabet])
    .slice(0, 1 + random.below(8))
    .join('')
}

export function refuseUserId(
  context: ProbeContext,
  purpose: string,
  id: string,
  persist: string | null = null,
): Promise<Answer> {
  const query = persist === null ? filename : [...filename, ['persist', persist] as const]
  return sendOneInvalid(context, 'createUploadGrant', { purpose, query, headers: userId(id) })
}

/** What an HTTP client may refuse to send goes over the bare socket, byte for byte. */
function refuseRawUserId(context: ProbeContext, id: string): Promise<Answer> {
  const purpose = id === '' ? 'empty:/headers/user-id' : 'pattern:/headers/user-id'
  return context.sendRaw('createUploadGrant', { purpose, query: filename, headers: userId(id), expects: 'rejected' })
}
