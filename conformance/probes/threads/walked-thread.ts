/**
 * One thread on a walk through the state table: commands become requests, and what was accepted moves its state.
 * Calls are answered next to the message that asks for them as long as that is possible.
 */
import {
  emptyThread,
  expectationOf,
  nextState,
  type ThreadCommand,
  type ThreadState,
} from '../../../generators/index.ts'
import type { OperationId } from '../../../spec/index.ts'
import type { ProbeContext } from '../../probe-runtime/probe-context.ts'
import type { Answer } from '../../probe-runtime/probe-response.ts'
import type { RequestSpec } from '../../probe-runtime/request-spec.ts'
import { lookingUp, ordinaryText, toolResult } from '../../probe-runtime/sample-texts.ts'
import { askingMessage, callIdsIn, newCallIds, resultMessage } from '../../probe-runtime/tool-calls.ts'
import { sendWithCallIds } from '../tools/asking-messages.ts'

export interface WalkedThread {
  readonly id: string
  readonly state: () => ThreadState
  readonly operation: (command: ThreadCommand) => OperationId
  /** Writes what has to be refused in this state; calling the result sends it. */
  readonly refusal: (command: ThreadCommand) => Promise<() => Promise<Answer>>
  /** Sends what may move the thread on. */
  readonly move: (command: ThreadCommand) => Promise<Answer>
}

interface Calls {
  /** Of the newest message that asks, as long as only results stand behind it. */
  readonly next: readonly string[]
  readonly earlier: readonly string[]
}

/** A walk over an empty thread; what it says comes from `contents`, and then is ordinary. */
export function walkedThread(context: ProbeContext, id: string, contents: Iterator<string>): WalkedThread {
  let state: ThreadState = emptyThread
  let calls: Calls = { next: [], earlier: [] }
  const operation = (command: ThreadCommand): OperationId => operations[command] ?? 'createMessage'
  const write = async (command: ThreadCommand, ask: RequestSpec): Promise<() => Promise<Answer>> => {
    const run = command === 'run' || command === 'stream' ? await runJson(context) : {}
    return () => context.send(operation(command), { in: { thread_id: id }, ...run, ...ask })
  }
  return {
    id,
    operation,
    state: () => state,
    refusal: (command) =>
      write(command, {
        ...wrongMessage(context, command, state, calls.next[0]),
        purpose: purposes[command] ?? 'state:/thread',
        expects: 'rejected',
      }),
    move: async (command) => {
      const asked = command === 'ask-one' ? 1 : command === 'ask-two' ? 2 : 0
      const { tools } = context.profile
      const answered = calls.next[0] ?? calls.earlier[0] ?? ''
      const isPlain = expectationOf(state, command) === 'accepted' && (command !== 'result' || calls.next.length > 0)
      const drawn = () => (tools === null || asked === 0 ? [] : newCallIds(context, asked, tools))
      const ask = { purpose: isPlain ? 'valid' : `in-state:/thread`, expects: isPlain ? 'accepted' : 'either' } as const
      const { ids, answer } = await sendWithCallIds(context, drawn, async (drawnIds, more) => {
        const send = await write(command, {
          ...message(context, command, drawnIds, answered, contents),
          ...ask,
          ...more,
        })
        return send()
      })
      if (answer.outcome !== 'accepted') return answer
      const given = tools === null ? [] : callIdsIn(answer.json, tools)
      calls = callsBehind(calls, command, ids.length > 0 ? ids : command === 'run' ? given : [])
      state = { ...nextState(state, command), openCalls: calls.next.length + calls.earlier.length }
      if (command === 'run' && given.length > 0) state = { ...state, last: 'asking' }
      return answer
    },
  }
}

const operations: Readonly<Partial<Record<ThreadCommand, OperationId>>> = {
  run: 'runThread',
  stream: 'streamThreadRun',
  list: 'listMessages',
}

const purposes: Readonly<Partial<Record<ThreadCommand, string>>> = {
  'empty-content': 'empty:/body/content',
  'unknown-result': 'unmatched:/body',
}

async function runJson(context: ProbeContext): Promise<RequestSpec> {
  const assistant = await context.assistant('plain')
  return assistant === null ? {} : { json: context.runBody(assistant) }
}

function wrongMessage(
  context: ProbeContext,
  command: ThreadCommand,
  { last }: ThreadState,
  call: string | undefined,
): RequestSpec {
  const { random, profile } = context
  if (command === 'unknown-result') return { json: resultMessage(random.uuid(), toolResult(random), profile.tools) }
  if (command !== 'empty-content') return {}
  // A result of a call that is open, and a system message at the start: nothing else is wrong with them.
  if (call !== undefined) return { json: resultMessage(call, '', profile.tools) }
  return { json: { role: last === 'none' ? 'system' : random.pick(['user', 'assistant']), content: '' } }
}

function message(
  context: ProbeContext,
  command: ThreadCommand,
  ids: readonly string[],
  answered: string,
  contents: Iterator<string>,
): RequestSpec {
  const { random, profile } = context
  if (command === 'run' || command === 'stream') return {}
  if (command === 'result') return { json: resultMessage(answered, toolResult(random), profile.tools) }
  if (ids.length > 0 && profile.tools !== null) return { json: askingMessage(ids, lookingUp(random), profile.tools) }
  return { json: { role: command, content: contents.next().value ?? ordinaryText(random) } }
}

function callsBehind({ next, earlier }: Calls, command: ThreadCommand, asked: readonly string[]): Calls {
  if (command === 'result')
    return next.length > 0 ? { next: next.slice(1), earlier } : { next, earlier: earlier.slice(1) }
  return { next: asked, earlier: [...next, ...earlier] }
}
