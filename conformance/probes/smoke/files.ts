/** The first look at files: grants for the user-ids and filenames that careless checks refuse, and the requests they take. */

import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import { exercised, type Probe, successRules } from '../probe.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'
import { uploadTo } from '../support/upload-to.ts'

const first = { from: 'smoke', until: 'smoke', chapter: 'files', needs: { claims: ['files'] } } as const
const name = 'Mängel (Rüge) 2.txt'

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
      exercised(['createUploadGrant'], 'files.user-id-accepted'),
      exercised(['uploadFile'], 'files.upload-accepted', 'files.upload-needs-no-key'),
    ],
    cost: { exchanges: 4, modelCalls: 0 },
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
 * A user-id with punctuation at both ends, and twice the shortest, of a digit alone. Each thing that a request says is said
 * by another one as well, so that a refusal has one cause.
 */
async function playGrants(context: ProbeContext): Promise<void> {
  const temporary = [['persist', 'false']] as const
  await grant(context, '@Ab._-:', [])
  const granted = await grant(context, '7', temporary)
  await grant(context, '7', [['persist', 'true']])
  await uploadTo(granted, context, 'text/plain', 'A few lines of notes.\n')
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
