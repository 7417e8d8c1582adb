/**
 * First look at messages and pages. It sends messages that storage tends to damage, and one walk that is
 * interrupted where careless cursors slip.
 */

import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import {
  corruptibleTexts,
  hugeText,
  longQuestion,
  textOfBytes,
  textWithTwoEncodings,
} from '../../probe-runtime/sample-texts.ts'
import { newCallIds } from '../../probe-runtime/tool-calls.ts'
import type { TargetProfile } from '../../profile/target-profile.ts'
import { carriesFiles } from '../files/attach-file.ts'
import { exercised, type Probe, rejectionRules, successRules } from '../probe.ts'
import { cursorOf, readPage } from '../support/page-walk.ts'
import { refuseNamedStream, refuseStream } from '../support/refuse-stream.ts'
import { spacedOut } from '../support/rewrite-json.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'
import { listThread, postMessage } from '../threads/threads.ts'
import { askFor } from '../tools/asking-messages.ts'
import { sendResult } from '../tools/results.ts'
import { fileCost, keptFile, postWithFile } from './files.ts'
import { type FirstThread, firstThread } from './first-thread.ts'

const first = { from: 'smoke', until: 'smoke' } as const
const needs = { claims: ['threads'], threads: true } as const

export const smokeMessageProbes = [
  {
    ...first,
    id: 'threads.first-empty',
    chapter: 'threads',
    exercises: [
      exercised(['listMessages'], 'pagination.empty-thread'),
      exercised(['createMessage'], 'threads.empty-content-refused', ...rejectionRules),
    ],
    needs,
    cost: { exchanges: 3, modelCalls: 0 },
    play: async (context) => {
      const thread = await firstThread(context)
      if (thread === null) return
      if (!thread.empty) return context.note('no-fixture', 'The profile does not say that a thread is empty.')
      await listThread(context, thread.id)
      const empty = { purpose: 'empty:/body/content', json: { role: 'system', content: '' } }
      await sendOneInvalid(context, 'createMessage', { ...empty, in: { thread_id: thread.id } })
    },
  },
  {
    ...first,
    id: 'threads.first-messages',
    chapter: 'threads',
    exercises: [
      exercised(
        ['createMessage'],
        ...successRules,
        'threads.create-echoes',
        'threads.created-in-thread',
        'threads.roles-accepted',
      ),
      exercised(['createMessage'], 'http.json-request', 'threads.server-sets-identity', 'threads.concurrent-creates'),
      exercised(['listMessages'], ...successRules, 'threads.created-is-listed', 'threads.listed-as-created'),
      exercised(
        ['listMessages'],
        'threads.read-your-writes',
        'threads.message-never-changes',
        'threads.only-own-messages',
      ),
      exercised(['listMessages'], 'threads.no-phantom-messages', 'pagination.page-fields', 'pagination.newest-first'),
      exercised(['listMessages'], 'pagination.order-of-creation', 'pagination.*#limit-2'),
      exercised(['listMessages'], 'pagination.cursor-*', 'pagination.walk-ends', 'pagination.any-limit-same-list'),
      exercised(['listMessages'], 'pagination.stable-while-inserting'),
      exercised(['createMessage'], 'tools.matched-accepted', 'tools.matched-behind-other-results'),
      exercised(['runThread'], 'tools.run-needs-tool-messages#some-answered', ...rejectionRules),
      exercised(['streamThreadRun'], 'streams.run-refused-without-support', ...rejectionRules),
      exercised(['streamThreadRun'], 'threads.rejected-leaves-no-trace'),
      exercised(['uploadFile'], 'files.upload-accepted', 'files.upload-needs-no-key'),
      exercised(['getFileStatus'], 'files.status-polled'),
      exercised(['createMessage'], 'files.attached-to-message'),
    ],
    needs,
    after: ['threads.first-empty'],
    cost: (profile) => ({
      exchanges: (writesCalls(profile) ? 14 : 11) + fileCost(profile) + (profile.claims.includes('streaming') ? 1 : 0),
      modelCalls: 0,
    }),
    play: playMessages,
  },
  {
    ...first,
    id: 'pagination.first-limit',
    chapter: 'pagination',
    exercises: [exercised(['listMessages'], 'pagination.limit-is-integer')],
    needs,
    after: ['threads.first-messages'],
    cost: { exchanges: 1, modelCalls: 0 },
    play: async (context) => {
      const thread = await firstThread(context)
      if (thread === null) return
      const wrong = { purpose: 'type:/query/limit', query: [['limit', '1.5']] } as const
      await sendOneInvalid(context, 'listMessages', { ...wrong, in: { thread_id: thread.id } })
    },
  },
] as const satisfies readonly Probe[]

/** Messages of every role, the same twice, two of them at once, one that forges what the service sets, and runs that must be refused. */
async function playMessages(context: ProbeContext): Promise<void> {
  const thread = await firstThread(context)
  if (thread === null) return
  const { random } = context
  const path = { in: { thread_id: thread.id } }
  await postMessage(
    context,
    thread.id,
    'system',
    `${corruptibleTexts(random).everything}\n${textOfBytes(4200, random)}`,
  )
  const file = carriesFiles(context.profile) ? await keptFile(context) : null
  const content = `[${textWithTwoEncodings(random)}, ${JSON.stringify(longQuestion(random))}] \n`
  const forged = { id: random.uuid(), thread_id: random.uuid(), created_at: '2001-02-03T04:05:06.000007Z' }
  const extra = { purpose: 'extra:/body', expects: 'either' } as const
  await Promise.all([
    context.send('createMessage', {
      ...path,
      ...extra,
      json: { role: 'assistant', content: `${longQuestion(random)}${hugeText(random)}\0`, ...forged },
    }),
    context.send('createMessage', { ...path, body: spacedOut({ role: 'user', content }) }),
  ])
  await postWithFile(context, thread.id, content, file)
  if (thread.assistant.streaming) await refuseNamedStream(context, thread.id)
  else await refuseStream(context, thread.id, thread.assistant)
  const { tools } = context.profile
  const calls =
    tools !== null && writesCalls(context.profile)
      ? await askFor(context, thread.id, () => newCallIds(context, 2, tools), tools)
      : null
  if (calls !== null) await answerAll(context, thread, calls)
  else await walkOn(context, thread.id, () => postMessage(context, thread.id, 'user', longQuestion(random)))
}

/** A client wrote what an assistant asked; nothing runs until every call has its result, the last one first. */
async function answerAll(
  context: ProbeContext,
  { id, assistant }: FirstThread,
  [first, second]: readonly [string, ...string[]],
): Promise<void> {
  // Of two calls with the same result none is a repetition.
  const result = '資料を添付しました。'.repeat(600)
  if (second !== undefined) await sendResult(context, id, second, result)
  const early = { purpose: second === undefined ? 'pending:/thread' : 'half-pending:/thread', in: { thread_id: id } }
  await sendOneInvalid(context, 'runThread', { ...early, json: context.runBody(assistant) })
  await walkOn(context, id, () => sendResult(context, id, first, result))
}

function writesCalls({ claims, tools }: TargetProfile): boolean {
  return claims.includes('tools') && tools?.assistantMessage !== undefined
}

/** A walk of pages of two, its first cursor read twice; then a message comes, and that cursor is read again. */
async function walkOn(context: ProbeContext, thread: string, add: () => Promise<unknown>): Promise<void> {
  const first = cursorOf((await readPage(context, thread, 2)).json)
  if (first === undefined) {
    context.note('refused-by-target', 'No cursor came with a page of 2 out of 4.')
    return void (await add())
  }
  await readPage(context, thread, 2, first)
  let next = cursorOf((await readPage(context, thread, 2, first)).json)
  for (let pages = 0; next !== undefined && pages < 6; pages += 1)
    next = cursorOf((await readPage(context, thread, 2, next)).json)
  await readPage(context, thread, 50)
  await add()
  await readPage(context, thread, 1, first)
}
