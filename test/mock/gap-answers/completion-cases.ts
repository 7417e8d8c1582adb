/** Cases of the gaps about completions and assistants. */
import { acceptance, agreed, type GapCases, type GapSetup, unknownId } from './gap-case.ts'

/** A field that is there or not in both forms of a completion. */
async function bothForms({ client }: GapSetup, body: object): Promise<string> {
  const paths = ['/v1/chat/completions', '/v1/chat/completions/stream', '/v1/chat/completions/events/stream']
  return agreed((await Promise.all(paths.map((path) => client.post(path, body)))).map(acceptance))
}

export const completionsCases: GapCases<'completions'> = {
  'completions.user-id-required': async (setup) =>
    (await bothForms(setup, setup.asks('x'))) === 'accepted' ? 'optional' : 'required',
  'completions.null-user-id': (setup) => bothForms(setup, setup.asks('x', { user_id: null })),
  'completions.last-message': (setup) => {
    const messages = ['user', 'assistant'].map((role) => ({ role, content: 'x' }))
    return bothForms(setup, setup.asks('', { messages }))
  },
  'completions.assistant-messages': (setup) => {
    const messages = ['user', 'assistant', 'user'].map((role) => ({ role, content: 'x' }))
    return bothForms(setup, setup.asks('', { messages }))
  },
  'completions.open-tool-calls': async (setup) => {
    const user = { role: 'user', content: 'x' }
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
    const messages = [user, { role: 'assistant', content: 'x', tool_calls: [call] }, user]
    const inBody = await bothForms(setup, setup.asks('', { messages }))
    const thread = await setup.client.thread()
    for (const message of messages.slice(0, 2)) await setup.add(thread, message)
    return agreed([inBody, acceptance(await setup.complete(setup.asks('x'), `?thread_id=${thread}`))])
  },
  'completions.unknown-body-fields': async (setup) =>
    (await bothForms(setup, setup.asks('x', { temperature: 1 }))) === 'accepted' ? 'ignored' : 'rejected',
  'completions.user-data-structure': async ({ complete, asks }) => {
    const given = (user_data: unknown) => complete(asks('x', { user_data }, 'Legal assistant'))
    const taken = await Promise.all([{ licence: 'L' }, { licence: 'L', age: 7 }].map(given))
    const refused = await Promise.all([{ licence: 7 }, { licence: null }, 'L'].map(given))
    const isSo = agreed(taken.map(acceptance)) === 'accepted' && agreed(refused.map(acceptance)) === 'rejected'
    return isSo ? 'any object; licence is a string' : 'another structure'
  },
  'completions.null-thread-id': async ({ complete, asks }) => {
    const ways = { absent: '', empty: '?thread_id=', 'the word null': '?thread_id=null' }
    const taken: string[] = []
    for (const [name, query] of Object.entries(ways))
      if ((await complete(asks('x'), query)).status === 200) taken.push(name)
    return taken.join(' or ')
  },
  'completions.unknown-thread': async ({ complete, asks }) =>
    (await complete(asks('x'), `?thread_id=${unknownId}`)).json.error_code,
  'completions.empty-content': (setup) => bothForms(setup, setup.asks('')),
  'completions.orphan-tool-message': (setup) => {
    const messages = [
      { role: 'tool', content: 'x', tool_call_id: 'c' },
      { role: 'user', content: 'x' },
    ]
    return bothForms(setup, setup.asks('', { messages }))
  },
  'completions.required-field-error': async ({ complete, asks }) => {
    const bodies = [asks('x', {}, 'Legal assistant'), asks('x', { user_data: {} }, 'Legal assistant')]
    return agreed((await Promise.all(bodies.map((body) => complete(body)))).map(({ json }) => json.error_code))
  },
  'completions.events-query': async ({ client, complete, asks }) => {
    const { thread_id } = (await complete(asks('x'))).json
    const [chunk] = await client.stream(`/v1/chat/completions/events/stream?thread_id=${thread_id}`, asks('y'))
    return chunk.thread_id === thread_id ? 'thread_id' : 'none'
  },
  'completions.sent-messages-stored': async ({ complete, asks, list }) => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'x' },
    ]
    const { thread_id } = (await complete(asks('', { messages }))).json
    const roles = (await list(thread_id)).json.items.map(({ role }: { role: string }) => role)
    return roles.join() === 'assistant,user,system' ? 'all of them' : `only ${roles}`
  },
}

export const assistantsCases: GapCases<'assistants'> = {
  'assistants.unknown-error': async ({ mock, client }) => {
    const foreign = mock.scenario.tenants.find(({ name }) => name === 'secondary')?.assistants[0]?.id
    const reads = [foreign, unknownId, 'x'].map((id) => client.get(`/v1/assistants/${id}`))
    return agreed((await Promise.all(reads)).map(({ json }) => json.error_code))
  },
  'assistants.list-order': async ({ client }) => {
    const lists = await Promise.all([1, 2, 3].map(() => client.get('/v1/assistants')))
    return new Set(lists.map(({ text }) => text)).size === 1 ? 'stable' : 'not stable'
  },
  'assistants.required-field-paths': async ({ client }) => {
    const records: readonly { request_required_fields: object }[] = (await client.get('/v1/assistants')).json
    const paths = records.flatMap((record) => Object.keys(record.request_required_fields))
    const others = paths.filter((path) => path !== '__root__' && path !== 'user_data')
    return others.length === 0 ? 'none' : others.join(', ')
  },
}
