/** Chapter files: grants, the user-id header to the letter, uploads of every allowed type, and a file that messages carry. */

import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { exercised, type Probe, successRules } from '../probe.ts'
import { inLanes } from '../support/in-lanes.ts'
import { hasSecondTenant } from '../support/profile-facts.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'
import { uploadAtOnce, uploadTo } from '../support/upload-to.ts'
import { attachFollowed, requestsWithFiles } from './attach-file.ts'
import {
  followFiles,
  lateRequestsAboutFiles,
  readBeforeUpload,
  readFileLate,
  readFirst,
  readLastUpload,
  readOtherUpload,
  requestsAboutFiles,
  uploadFirst,
} from './follow-file.ts'
import { filename, followedFiles, minutes, samples, sheet, shortText, userId } from './sample-files.ts'
import { playUserIds, refuseUserId, wordOf } from './user-ids.ts'

const needs = { claims: ['files'] } as const
/** Its own, and those that provoke errors in streams, which the plan does not keep either. */
const requestsBeside = 6
const granted = [
  ...successRules,
  'files.grant-fields',
  'files.limits-fields',
  'files.url-is-absolute',
  'files.expires-in-future',
  'files.allowed-types',
  'files.max-size',
] as const
const uploaded = exercised(['uploadFile'], 'files.upload-accepted', 'files.upload-needs-no-key')

/** Reads the status of an upload, with a request that is left. */
const readingUpload = {
  chapter: 'files',
  from: 'gate',
  standby: true,
  ahead: true,
  exercises: [exercised(['getFileStatus'], 'files.status-polled')],
  needs,
  // One of the followed files is complete by then, and shows that files are processed.
  after: ['files.persist', 'files.user-ids'],
  cost: ({ files }) => ({ exchanges: files?.status === undefined ? 0 : 1, modelCalls: 0 }),
} as const satisfies Omit<Probe, 'id' | 'play'>

export const fileProbes = [
  {
    id: 'files.grant',
    chapter: 'files',
    shares: ['files'],
    from: 'gate',
    exercises: [exercised(['createUploadGrant'], ...granted, 'files.persist-accepted#absent'), uploaded],
    needs,
    // A service may stop processing files at such a name.
    behind: ['files.persist'],
    cost: { exchanges: 2, modelCalls: 0 },
    play: playHardName,
  },
  {
    id: 'files.required',
    chapter: 'files',
    shares: ['files'],
    from: 'smoke',
    exercises: [exercised(['createUploadGrant'], 'files.filename-required', 'files.user-id-required')],
    needs,
    cost: { exchanges: 2, modelCalls: 0 },
    play: async (context) => {
      const headers = userId(`user-${context.random.below(100_000)}`)
      await sendOneInvalid(context, 'createUploadGrant', {
        purpose: 'drop:/query/filename',
        query: [['persist', 'false']],
        headers,
      })
      // What is thrown away soon may seem to need no owner.
      const query = [...filename, ['persist', 'false'] as const]
      await sendOneInvalid(context, 'createUploadGrant', { purpose: 'drop:/headers/user-id', query })
    },
  },
  {
    id: 'files.owner-always',
    chapter: 'files',
    from: 'gate',
    late: true,
    exercises: [exercised(['createUploadGrant'], 'files.user-id-required')],
    needs,
    // It uses a request that the other probes did not need, so that the plan reserves none for it.
    cost: { exchanges: 0, modelCalls: 0 },
    play: async (context) => {
      if (context.left().exchanges < requestsBeside) return
      // With persist it is refused elsewhere; a check may depend on it.
      await sendOneInvalid(context, 'createUploadGrant', { purpose: 'drop:/headers/user-id', query: filename })
    },
  },
  {
    id: 'files.user-ids',
    chapter: 'files',
    shares: ['files'],
    from: 'gate',
    exercises: [exercised(['createUploadGrant'], ...granted, 'files.user-id-*', 'files.file-ids-fresh'), uploaded],
    needs,
    // Where an unreadable file stops a service, others were complete before.
    behind: ['files.persist'],
    cost: (profile) => ({ exchanges: hasSecondTenant(profile) ? 18 : 17, modelCalls: 0 }),
    play: playUserIds,
  },
  {
    id: 'files.user-id-ranges',
    chapter: 'files',
    from: 'gate',
    standby: true,
    exercises: [exercised(['createUploadGrant'], 'files.user-id-refused')],
    needs,
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (context) => {
      // They stand between the capital and the small letters, so that one careless range takes all of them.
      const between = context.random.pick(['[', ']', '^', '`'])
      await refuseUserId(context, 'pattern:/headers/user-id', `${wordOf(context)}${between}${wordOf(context)}`)
    },
  },
  {
    id: 'files.persist',
    chapter: 'files',
    // A service may recognise the suite by its long text and refused values, so a list of messages comes first.
    behind: ['threads.messages'],
    shares: ['files'],
    from: 'gate',
    exercises: [
      exercised(['createUploadGrant'], 'files.persist-*', 'files.file-ids-fresh'),
      uploaded,
      exercised(['getFileStatus'], 'files.status-polled', 'tenancy.foreign-file-hidden'),
    ],
    needs,
    cost: (profile, tier) => ({
      exchanges: (tier === 'gate' ? 6 : 7) + requestsAboutFiles(profile),
      modelCalls: 0,
    }),
    play: async (context) => {
      // A plain one, so that a refusal is about the name.
      const headers = userId('user-1')
      const { name, keptType, temporaryType } = followedFiles(context.random)
      const ask = (persist: string) =>
        context.send('createUploadGrant', {
          query: [
            ['filename', name],
            ['persist', persist],
          ],
          headers,
        })
      const firstGrant = await uploadFirst(context, temporaryType)
      const kept = await ask('true')
      const temporary = await ask('false')
      await readBeforeUpload(context, temporary)
      const first = await readFirst(context, firstGrant)
      // A later grant for the same name does not end an earlier one, and a file goes to its own grant, not to the first of its name.
      const uploads = await uploadAtOnce(context, {
        slow: [temporary, shortText, temporaryType],
        quick: [kept, minutes, keptType],
      })
      // A word and a number: each has careless readers of its own.
      const values = [context.random.pick(['maybe', 'truefalse']), context.random.pick(['2', '-1', '7'])]
      if (context.tier !== 'gate') values.push('[true]')
      await inLanes(context, values, (persist) => {
        const query = [...filename, ['persist', persist] as const]
        return sendOneInvalid(context, 'createUploadGrant', { purpose: 'type:/query/persist', query, headers })
      })
      // What nobody took is never complete, and would be waited for.
      if (uploads.every((upload) => upload?.exchange.response != null))
        await followFiles(context, kept, temporary, first)
    },
  },
  {
    id: 'files.attached',
    chapter: 'files',
    shares: ['long', 'three'],
    from: 'gate',
    exercises: [exercised(['createMessage'], 'files.attached-to-message', 'files.kept-for-reuse')],
    needs,
    after: ['files.persist'],
    // They open the threads whose messages carry the file, and the last one wants it to be short.
    behind: ['threads.fragile-texts', 'threads.messages', 'pagination.moving-thread'],
    opening: 2,
    cost: (profile) => ({ exchanges: requestsWithFiles(profile), modelCalls: 0 }),
    play: attachFollowed,
  },
  {
    id: 'files.kept-for-a-day',
    chapter: 'files',
    from: 'gate',
    // A whole run against a fast target takes two seconds: read any earlier, a file that is lost after one is still there.
    last: true,
    shares: ['long'],
    exercises: [
      exercised(['getFileStatus'], 'files.kept-for-a-day'),
      exercised(['createMessage'], 'files.kept-for-reuse'),
    ],
    needs,
    after: ['files.persist'],
    cost: (profile) => ({ exchanges: lateRequestsAboutFiles(profile), modelCalls: 0 }),
    play: readFileLate,
  },
  { id: 'files.last-upload', ...readingUpload, play: readLastUpload },
  { id: 'files.other-types', ...readingUpload, behind: ['files.last-upload'], play: readOtherUpload },
  {
    id: 'files.grey-parameters',
    chapter: 'files',
    shares: ['files'],
    from: 'deep',
    exercises: [exercised(['createUploadGrant'], 'files.allowed-types')],
    needs,
    cost: { exchanges: 7, modelCalls: 0 },
    play: async (context) => {
      const grey = { expects: 'either', headers: userId('someone@example.org') } as const
      const query = [...filename, ['persist', 'yes'] as const]
      await context.send('createUploadGrant', { ...grey, purpose: 'spelling:/query/persist', query })
      const bare = [['filename', 'notes']] as const
      await context.send('createUploadGrant', { ...grey, purpose: 'no-extension:/query/filename', query: bare })
      // The types that are allowed stay the same whatever was asked for.
      for (const name of ['', ' ', '../notes.txt', 'photo.png'])
        await context.send('createUploadGrant', {
          ...grey,
          purpose: 'odd:/query/filename',
          query: [['filename', name]],
        })
      await context.send('createUploadGrant', { query: filename, headers: grey.headers })
    },
  },
] as const satisfies readonly Probe[]

/** Characters that mean something in a URL: a server that does not encode them, or decodes them twice, loses the file. */
const hardName = 'Mängel 2024/1 #2 + 50% A&B.xlsx'
/** Whether such a name is granted is open; its URL takes the file where it is. Otherwise a plain name does, whoever asks. */
async function playHardName(context: ProbeContext): Promise<void> {
  const headers = userId('user-1')
  const hard = { purpose: 'characters:/query/filename', query: [['filename', hardName]], headers } as const
  const grant = await context.send('createUploadGrant', { ...hard, expects: 'either' })
  if (grant.outcome === 'accepted') return void (await uploadTo(grant, context, sheet, samples[sheet][1]))
  const plain = await context.send('createUploadGrant', { query: filename, headers, isRepetition: true })
  await uploadTo(plain, context, 'text/plain', shortText)
}
