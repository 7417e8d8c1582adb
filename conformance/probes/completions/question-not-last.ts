/**
 * Completions whose question is not the last message. A long history stands before it where a service keeps that: one request
 * fills a thread for which a client would send hundreds.
 */
import { valuesAt } from '../../judge/read/json.ts'
import { readingLines } from '../../probe-runtime/client-headers.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { acknowledgement, uniqueStatement } from '../../probe-runtime/sample-texts.ts'
import { firstCompletionThread, type TouchedThread } from '../../probe-runtime/touched-thread.ts'
import { makesThreads } from '../support/profile-facts.ts'

/** So many that an offset of one byte overflows, and that a buffer of 128 or 256 messages does not hold them. */
export const longHistory = 300
/** A list without a limit. */
const defaultPage = 100

type Body = Readonly<Record<string, unknown>>

/**
 * With a message of the assistant behind the question, first behind a long history, if there is one. Where that is refused, one of
 * the system tells whether only the last message is looked at; where both are, the question ends the messages as usual.
 */
export async function askBeforeLastMessage(context: ProbeContext, short: Body): Promise<void> {
  const isLong = context.tier === 'gate' && makesThreads(context.profile) && areMessagesKept(context)
  const long = isLong ? withLongHistory(context, short) : null
  const roles = ['assistant', 'system', null] as const
  const attempts = [
    ...(long === null ? [] : [[long, roles[0]] as const]),
    ...roles.map((role) => [short, role] as const),
  ]
  for (const [turn, [json, role]] of attempts.entries()) {
    const last = role === null ? [] : [{ role, content: acknowledgement(context.random) }]
    const asked = { ...json, messages: [...valuesAt(json, '/messages/*'), ...last] }
    const odd = { purpose: 'question-not-last:/body/messages', expects: 'either' } as const
    const ask = { json: asked, headers: readingLines, ...(role === null ? {} : odd), isRepetition: turn > 0 }
    // How long a conversation may be is open, and so is how one that is too long fails.
    const once = json === long ? ({ retry: 'none' } as const) : {}
    const { outcome } = await context.send('createChatCompletion', { ...ask, ...once })
    if (outcome === 'accepted' || (outcome !== 'rejected' && json !== long)) return
  }
}

/** Whether that thread may be the long one; in one turn of six a client fills another one, which may be kept in another way. */
export function mayFillByCompletion({ tier, profile, random }: ProbeContext): boolean {
  return tier === 'gate' && random.runNumber % 6 !== 2 && makesThreads(profile)
}

/** Whether the messages of a completion become messages of its thread, as the first list of one has shown. */
function areMessagesKept(context: ProbeContext): boolean {
  const first = firstCompletionThread(context.touched(), 'primary')
  return first !== undefined && (first.listed ?? 0) > valuesAt(first.asked, '/messages/*').length
}

function withLongHistory({ random }: ProbeContext, body: Body): Body {
  const messages = valuesAt(body, '/messages/*')
  const history = Array.from({ length: longHistory - messages.length }, (_, index) =>
    index % 2 === 0
      ? { role: 'user', content: uniqueStatement(random) }
      : { role: 'assistant', content: acknowledgement(random) },
  )
  return { ...body, messages: [...messages.slice(0, 1), ...history, ...messages.slice(1)] }
}

/** A thread of the primary tenant that a completion has filled beyond the default page. */
export function filledByCompletion(context: ProbeContext): TouchedThread | undefined {
  return context
    .touched()
    .find(({ createdBy, tenant, listed = 0 }) => createdBy !== null && tenant === 'primary' && listed >= defaultPage)
}
