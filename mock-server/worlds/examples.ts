/**
 * Creates the resources that the examples of the API document name: assistants of the scenario, two threads and a file.
 * The ids depend on the seed alone, so a document that was made elsewhere names them, too.
 */
import type { Command, MessageDraft } from '../machine/command.ts'
import type { Machine } from '../machine/machine.ts'
import { duplicateCount } from '../machine/threads.ts'
import { derive } from '../randomness/key.ts'
import { uuidOf } from '../randomness/uuid.ts'
import type { Assistant, Caller } from '../scenario/resolved-scenario.ts'
import { uploadOf } from './seed-file.ts'
import type { World } from './world.ts'

/** The ids for the first tenant of a machine's scenario. */
export function exampleIdsOf(machine: Machine) {
  const { tenant } = callerOf(machine)
  const first = (fits: (assistant: Assistant) => boolean) =>
    (tenant.assistants.find(fits) ?? tenant.assistants[0])?.id ?? ''
  const [thread, streamThread, file] = creations(machine).map((command) => idOf(machine, command))
  return {
    assistant: first(({ streaming, requiredFields }) => streaming && Object.keys(requiredFields).length === 0),
    licensedAssistant: first(({ requiredFields }) => requiredFields.user_data?.includes('licence') === true),
    wholeAssistant: first(({ streaming }) => !streaming),
    tenant: tenant.id,
    thread: thread ?? '',
    streamThread: streamThread ?? '',
    file: file ?? '',
  }
}

/** Creates missing resources; one that a deviation refuses is left out. */
export function seedExamples(world: World): void {
  const caller = callerOf(world.machine)
  for (const command of creations(world.machine)) {
    const id = idOf(world.machine, command)
    if (world.state.threads.get(id) !== undefined || world.state.files.get(id) !== undefined) continue
    const reply = world.apply(command)
    if (reply.kind !== 'document') continue
    if (command.operation === 'createUploadGrant')
      world.apply(uploadOf(id, String(reply.json.file_url), 'The lease ends after two years.\n', 'text/plain'))
    else
      for (const message of messagesOf(command))
        world.apply({ operation: 'createMessage', caller, threadId: id, message })
  }
}

type Creation = Extract<Command, { readonly operation: 'createThread' | 'createUploadGrant' }>

/** Messages are added to the thread of the stream, so it holds the tool call that the example of a tool message answers. */
const messagesOf = ({ digest }: Creation): readonly MessageDraft[] =>
  digest === streamDigest ? [...toolExchange, greeting] : [greeting]

const greeting: MessageDraft = { role: 'user', content: 'Hello' }

const toolExchange: readonly MessageDraft[] = [
  { role: 'user', content: 'Is case 7 still open?' },
  {
    role: 'assistant',
    content: 'I look it up.',
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look_up_case', arguments: '{"number":"7"}' } }],
  },
  { role: 'tool', content: 'The case is open.', tool_call_id: 'call_1' },
]

const streamDigest = 'example thread of a stream'

const creations = (machine: Machine): readonly Creation[] => {
  const caller = callerOf(machine)
  const thread = (digest: string): Creation => ({ operation: 'createThread', caller, assistantId: null, digest })
  return [
    thread('example thread'),
    thread(streamDigest),
    {
      operation: 'createUploadGrant',
      caller,
      filename: 'lease.txt',
      persist: true,
      userId: 'jane.doe@example.org',
      baseUrl: 'http://127.0.0.1',
      digest: 'example file',
    },
  ]
}

const idOf = (machine: Machine, command: Creation): string =>
  uuidOf(derive(duplicateCount(machine, command).key, 'twin', 0))

function callerOf({ scenario: { tenants } }: Machine): Caller {
  for (const tenant of tenants) for (const apiKey of tenant.apiKeys) return { tenant, apiKey }
  throw new Error('a checked scenario has a tenant with a key')
}
