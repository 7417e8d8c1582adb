/** Chapter files: grants, the user-id header to the letter, uploads of every allowed type, and a file that messages carry. */

import { userIdAlphabet } from '../../../generators/index.ts'
import { valuesAt } from '../../judge/read/json.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import type { HeaderLines } from '../../trace/exchange.ts'
import { exercised, type Probe, successRules } from '../probe.ts'
import { inLanes } from '../support/in-lanes.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'
import { uploadAtOnce, uploadTo } from '../support/upload-to.ts'
import { followFiles, readBeforeUpload, readFileLate, requestsAboutFiles } from './follow-file.ts'

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

/** Above 1 MiB and the limits that body parsers have by default, and below the largest size whether that counts bytes or bits. */
const largeTable = `month,total\n${'2024-01,12\n'.repeat(100_000)}`

/** A file of each of these types: name and bytes. */
const samples = {
  'text/csv': ['figures.csv', largeTable],
  'application/pdf': ['letter.pdf', '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': [
    'draft.docx',
    'PK\u0005\u0006'.padEnd(22, '\0'),
  ],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': [
    'sheet.xlsx',
    'PK\u0005\u0006'.padEnd(22, '\0'),
  ],
} as const

/** What a model may read as part of a thread. The bare socket writes it in two parts, whose border lies inside of the dash. */
const shortText = 'A few lines of notes – no more.\n'
/** Above 64 KiB: what processes a file in one buffer of that size never completes it. */
const minutes = `Minutes of the meeting – a draft.\n${'They agreed on the next step and on who takes it.\n'.repeat(1400)}`

export const fileProbes = [
  {
    id: 'files.grant',
    chapter: 'files',
    shares: ['files'],
    from: 'gate',
    exercises: [exercised(['createUploadGrant'], ...granted, 'files.persist-accepted#absent'), uploaded],
    needs,
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
    cost: { exchanges: 15, modelCalls: 0 },
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
    shares: ['files', 'long', 'workshop'],
    from: 'gate',
    exercises: [
      exercised(['createUploadGrant'], 'files.persist-*', 'files.file-ids-fresh'),
      uploaded,
      exercised(['getFileStatus'], 'files.status-polled', 'tenancy.foreign-file-hidden'),
      exercised(['createMessage'], 'files.attached-to-message', 'files.kept-for-reuse'),
    ],
    needs,
    // They open the threads whose messages carry the file.
    behind: ['threads.fragile-texts', 'threads.interleaved'],
    opening: 2,
    cost: (profile, tier) => ({
      exchanges: (tier === 'gate' ? 6 : 7) + requestsAboutFiles(profile),
      modelCalls: 0,
    }),
    play: async (context) => {
      // A plain one, so that a refusal is about the name.
      const headers = userId('user-1')
      const ask = (persist: string) =>
        context.send('createUploadGrant', { query: [...twiceGranted, ['persist', persist]], headers })
      const kept = await ask('true')
      const temporary = await ask('false')
      await readBeforeUpload(context, temporary)
      // A later grant for the same name does not end an earlier one, and a file goes to its own grant, not to the first of its name.
      const uploads = await uploadAtOnce(context, 'text/plain', {
        slow: [temporary, shortText],
        quick: [kept, minutes],
      })
      // What nobody took is never complete, and would be waited for.
      if (uploads.every((upload) => upload?.exchange.response != null)) await followFiles(context, kept, temporary)
      // A word and a number: each has careless readers of its own.
      const values = [context.random.pick(['maybe', 'truefalse']), context.random.pick(['2', '-1', '7'])]
      if (context.tier !== 'gate') values.push('[true]')
      for (const persist of values) {
        const query = [...filename, ['persist', persist] as const]
        await sendOneInvalid(context, 'createUploadGrant', { purpose: 'type:/query/persist', query, headers })
      }
    },
  },
  {
    id: 'files.kept-for-a-day',
    chapter: 'files',
    from: 'gate',
    late: true,
    exercises: [exercised(['getFileStatus'], 'files.kept-for-a-day')],
    needs,
    after: ['files.persist'],
    cost: ({ files }) => ({ exchanges: files?.status === undefined ? 0 : 1, modelCalls: 0 }),
    play: readFileLate,
  },
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
const filename = [['filename', 'notes.txt']] as const
/** With blanks, two dots and letters beyond ASCII. Granted nowhere else, so that the first grant for it is one of the two that are followed. */
const twiceGranted = [['filename', 'Überblick Mai v2.1.txt']] as const
/** What the first tenant asks for as well: of two tenants, equal names of users and files make two files. */
export const commonGrant = { query: filename, headers: [['user-id', 'a']] } as const satisfies RequestSpec
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'
const punctuation = '._-@:'

/** Whether such a name is granted is open; its URL takes the file where it is. Otherwise a plain name does, whoever asks. */
async function playHardName(context: ProbeContext): Promise<void> {
  const headers = userId('user-1')
  const hard = { purpose: 'characters:/query/filename', query: [['filename', hardName]], headers } as const
  const grant = await context.send('createUploadGrant', { ...hard, expects: 'either' })
  if (grant.outcome === 'accepted') return void (await uploadTo(grant, context, sheet, samples[sheet][1]))
  const plain = await context.send('createUploadGrant', { query: filename, headers, isRepetition: true })
  await uploadTo(plain, context, 'text/plain', shortText)
}

const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Asks for a grant, and sends the file to its URL without a key; a text with its charset, which is a parameter of its type. */
async function upload(context: ProbeContext, type: keyof typeof samples, user: string): Promise<void> {
  const [name, body] = samples[type]
  const grant = await context.send('createUploadGrant', { query: [['filename', name]], headers: userId(user) })
  await uploadTo(grant, context, type.startsWith('text/') ? `${type}; charset=utf-8` : type, body)
}

/** A target that allows more is not sent so much. */
const mostSent = 16 * 1_048_576
/** More than the largest size would be in bits: where it is taken, bytes or more are counted. */
const moreThanBits = 2 * 1_048_576

/**
 * A file of so many bytes as the largest size is legal in every unit but the bit, which a smaller one rules out where it is
 * refused; and one that is no larger than others tells whether files of the type are taken at all.
 */
async function uploadLargest(context: ProbeContext, type: keyof typeof samples, user: string): Promise<void> {
  const [name, body] = samples[type]
  let largest = 0
  for (const [turn, sizeOf] of [() => largest, () => moreThanBits, () => 0].entries()) {
    const isRepetition = turn > 0
    const query = [['filename', name] as const, ['persist', 'false'] as const]
    const grant = await context.send('createUploadGrant', { query, headers: userId(user), isRepetition })
    const told = valuesAt(grant.json, '/file_limits/max_size')[0]
    largest = typeof told === 'number' && told >= moreThanBits && told <= mostSent ? told : 0
    const answer = await uploadTo(grant, context, type, body.padEnd(sizeOf(), '%\n'), { isRepetition })
    if (answer?.outcome !== 'rejected' || largest === 0) return
  }
}

/** Every legal character, both ends of the length, the short ones with uploads of other types; and what is no user-id. */
async function playUserIds(context: ProbeContext): Promise<void> {
  const all = context.random.shuffled([...`${letters}${digits}${punctuation}`]).join('')
  const longest = all.repeat(4).slice(0, 255)
  await upload(context, 'text/csv', letters)
  await uploadLargest(context, 'application/pdf', digits)
  await upload(context, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', punctuation)
  await context.send('createUploadGrant', commonGrant)
  await context.send('createUploadGrant', { query: filename, headers: userId(longest) })
  await refuseUserId(context, 'length:/headers/user-id', `${longest}${context.random.pick(['a', '9', '-'])}`)
  // With persist and without, for either may have a check of its own.
  const checks = context.random.shuffled(['false', 'true', null, null])
  const faulty = context.random.shuffled([' ', '/', ',', '+']).map((character, index) => {
    const id = `${wordOf(context)}${character}${wordOf(context)}`
    return () => refuseUserId(context, 'pattern:/headers/user-id', id, checks[index] ?? null)
  })
  const raw = ['', `${wordOf(context)}\u00e9`].map((id) => () => refuseRawUserId(context, id))
  await inLanes(context, [...faulty, ...raw], (refuse) => refuse())
}

/** A few legal characters of a user-id. */
function wordOf({ random }: ProbeContext): string {
  return random
    .shuffled([...userIdAlphabet])
    .slice(0, 1 + random.below(8))
    .join('')
}

function refuseUserId(
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

function userId(id: string): HeaderLines {
  return [['user-id', id]]
}
