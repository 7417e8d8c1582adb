/** Adds a message to a thread that a completion made, which takes none. */
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { uniqueStatement } from '../../probe-runtime/sample-texts.ts'
import type { TenantName } from '../../profile/target-profile.ts'
import { sendOneInvalid } from './send-invalid.ts'

/** A user's message, as most are. */
export function refuseOnClosed(context: ProbeContext, thread: string, as: TenantName = 'primary'): Promise<unknown> {
  const json = { role: 'user', content: uniqueStatement(context.random) }
  const wrong = { purpose: 'closed:/path/thread_id', in: { thread_id: thread }, json, as }
  return sendOneInvalid(context, 'createMessage', wrong)
}
