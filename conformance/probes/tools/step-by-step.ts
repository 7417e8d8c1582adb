/** Answers the calls of an assistant one after another, and asks for runs that must wait for the rest. */
import { bothRuns } from '../../../spec/index.ts'
import type { AssistantSummary } from '../../probe-runtime/assistant-summary.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import { toolResult } from '../../probe-runtime/sample-texts.ts'
import { claimedOf } from '../probe.ts'
import { sendOneInvalid } from '../support/send-invalid.ts'
import { runOnThread } from '../threads/runs.ts'
import { listThread } from '../threads/threads.ts'
import { sendResult } from './results.ts'

/** A thread in which an assistant asks for tools. */
export interface AskedThread {
  readonly thread: string
  readonly assistant: AssistantSummary
  /** The ids that it asked with; at least one. */
  readonly calls: readonly string[]
}

/** Both forms of a run while a call waits for its result. */
export async function refuseRunsOf(context: ProbeContext, asked: AskedThread, purpose: string): Promise<void> {
  const wrong = { purpose, in: { thread_id: asked.thread }, json: context.runBody(asked.assistant) }
  for (const operation of claimedOf(context, bothRuns)) await sendOneInvalid(context, operation, wrong)
}

/** Gives every result, and streams the answer behind them. */
export async function answerStepByStep(context: ProbeContext, asked: AskedThread): Promise<void> {
  const { thread, calls, assistant } = asked
  // Two calls may well have the same result; neither of them is a repetition.
  const result = toolResult(context.random)
  for (const [index, id] of calls.entries()) {
    await sendResult(context, thread, id, result)
    if (index === 0 && calls.length > 1) await refuseRunsOf(context, asked, 'half-pending:/thread')
  }
  if (context.profile.claims.includes('streaming')) {
    if (assistant.streaming) await runOnThread(context, thread, 'streamThreadRun', assistant)
    else
      context.note('no-fixture', 'The assistant that asks for tools does not stream.', { operation: 'streamThreadRun' })
  }
  await listThread(context, thread)
}
