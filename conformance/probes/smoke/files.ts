/** The first look at files: grants for the user-ids and filenames that careless checks refuse, and the requests they take. */

import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import type { TargetProfile } from '../../profile/target-profile.ts'
import { carriesFiles } from '../files/attach-file.ts'
import { completeFile } from '../files/follow-file.ts'
import { exercised, type Probe, successRules } from '../probe.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'
import { uploadTo } from '../support/upload-to.ts'

const first = { from: 'smoke', until: 'smoke', chapter: 'files', needs: { claims: ['files'] } } as const
const name = 'Mängel (Rüge) 2.txt'
/** 255 characters of every kind, with punctuation at both ends. */
const longestId = `@A${'b7@._-:'.repeat(36)}:`

export const smokeFileProbes = [
  {
    ...first,
    id: 'files.first-grants',
    exercises: [
      exercised(
        ['createUploadGrant'],
        ...successRules,
        'files.grant-fields',
        'files.limits-fields',
        'files.url-is-absolute',
      ),
      exercised(['createUploadGrant'], 'files.expires-in-future', 'files.allowed-types', 'files.max-size'),
      exercised(
        ['createUploadGrant'],
        'files.persist-accepted#absent',
        'files.persist-accepted#false',
        'files.persist-accepted#true',
        'files.file-ids-fresh',
      ),
      exercised(['createUploadGrant'], 'files.user-id-accepted', 'files.user-id-length#255-accepted'),
      exercised(['uploadFile'], 'files.upload-accepted', 'files.upload-needs-no-key'),
    ],
    cost: (profile) => ({ exchanges: carriesFiles(profile) ? 2 : 5, modelCalls: 0 }),
    play: playGrants,
  },
  {
    ...first,
    id: 'files.first-refusals',
    exercises: [exercised(['createUploadGrant'], 'files.user-id-refused#blank')],
    cost: { exchanges: 1, modelCalls: 0 },
    play: playRefusals,
  },
] as const satisfies readonly Probe[]

/**
 * User-ids with punctuation at both ends, of one digit, of two characters and as long as can be. Each thing that a request says
 * is said by another one as well, so that a refusal has one cause.
 */
async function playGrants(context: ProbeContext): Promise<void> {
  await grant(context, '7', temporary)
  await grant(context, '@Ab._-:', [], 'letter.pdf')
  if (!carriesFiles(context.profile)) await keptUpload(context)
}

const temporary = [['persist', 'false']] as const
const notes = 'A few lines of notes.\n'

/** Two grants for one user; the first one is used, though it is no longer the newest. */
async function keptUpload(context: ProbeContext): Promise<Answer> {
  const kept = await grant(context, longestId, [['persist', 'true']])
  await grant(context, longestId, temporary)
  await uploadTo(kept, context, 'text/plain', notes)
  return kept
}

/** What a message takes to carry a file that was uploaded, and whose status says that it is complete. */
export async function keptFile(context: ProbeContext): Promise<Readonly<Record<string, unknown>> | null> {
  return completeFile(context, await keptUpload(context))
}

/** A message of a user with a file, where there is one; without it where the target takes none. */
export async function postWithFile(
  context: ProbeContext,
  thread: string,
  content: string,
  file: Readonly<Record<string, unknown>> | null,
): Promise<void> {
  const path = { in: { thread_id: thread } }
  const { outcome } = await context.send('createMessage', { ...path, json: { role: 'user', content, ...file } })
  if (outcome === 'rejected' && file !== null)
    await context.send('createMessage', { ...path, json: { role: 'user', content }, isRepetition: true })
}

/** The grants, the upload, and a read of the status. */
export function fileCost(profile: TargetProfile): number {
  return carriesFiles(profile) ? 3 + (profile.files?.status === undefined ? 0 : 1) : 0
}

/** What the pattern forgets when it is not tied to both ends. */
async function playRefusals(context: ProbeContext): Promise<void> {
  const wrong = {
    purpose: 'pattern:/headers/user-id',
    query: [['filename', name]],
    headers: [['user-id', 'a b']],
  } as const
  await sendOneInvalid(context, 'createUploadGrant', wrong)
}

function grant(
  context: ProbeContext,
  user: string,
  more: readonly (readonly [string, string])[],
  filename: string = name,
): Promise<Answer> {
  return context.send('createUploadGrant', { query: [['filename', filename], ...more], headers: [['user-id', user]] })
}
