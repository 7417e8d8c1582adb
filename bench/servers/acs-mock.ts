/**
 * Our mock in a process of its own, with the threads that a benchmark wants in it. Prints its URL and what to ask for.
 */
import { type AssistantScript, createMock, defaultScenario } from '../../mock-server/index.ts'

export interface AcsMockOptions {
  /** Threads to make, by their number of messages. */
  readonly threads?: readonly number[]
  /** An assistant that says so much, so fast; the first one of the tenant. */
  readonly speaker?: { readonly answer: string; readonly latency?: AssistantScript['latency'] }
}

/** What the process prints. */
export interface AcsMockFacts {
  readonly url: string
  readonly key: string
  readonly assistantId: string
  readonly threadIds: readonly string[]
}

const { threads = [], speaker } = JSON.parse(process.argv[2] ?? '{}') as AcsMockOptions
const content = 'May I record a phone call without telling the other side about that?'
const speakerName = 'Speaker'

const scenarioWith = ({ answer, latency }: NonNullable<AcsMockOptions['speaker']>) => {
  const [model] = defaultScenario.assistants
  if (model === undefined) throw new Error('the default scenario has no assistant')
  const script: AssistantScript = {
    ...model,
    name: speakerName,
    turns: [{ answer }],
    ...(latency === undefined ? {} : { latency }),
  }
  const tenants = defaultScenario.tenants.map((tenant) => ({
    ...tenant,
    assistants: [speakerName, ...tenant.assistants],
  }))
  return { ...defaultScenario, tenants, assistants: [script, ...defaultScenario.assistants] }
}

const mock = await createMock(speaker === undefined ? {} : { scenario: scenarioWith(speaker) })
const [tenant] = mock.scenario.tenants
const threadIds = threads.map((size) => {
  const messages = Array.from({ length: size }, () => ({ role: 'user' as const, content }))
  return mock.main.seedThread({ messages }).id
})
const { url } = await mock.listen()
const facts: AcsMockFacts = {
  url,
  key: tenant?.apiKeys[0]?.value ?? '',
  assistantId: tenant?.assistants[0]?.id ?? '',
  threadIds,
}
console.log(JSON.stringify(facts))
