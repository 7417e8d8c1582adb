/** Cases of the gaps about tool calls and pages. */
import { acceptance, agreed, type GapCases, type GapSetup } from './gap-case.ts'

const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })

/** A thread whose last message asks for a tool. */
export async function openCall(
  { client, add }: Pick<GapSetup, 'client' | 'add'>,
  ...ids: readonly string[]
): Promise<string> {
  const thread = await client.thread()
  await add(thread, { role: 'user', content: 'x' })
  await add(thread, { role: 'assistant', content: 'x', tool_calls: (ids.length === 0 ? ['c1'] : ids).map(call) })
  return thread
}

const result = { role: 'tool', content: 'x', tool_call_id: 'c1' }

export const toolsCases: GapCases<'tools'> = {
  'tools.call-structure': async ({ asked, run }) => {
    const [first] = (await run(await asked('Weather desk'))).json.tool_calls
    return `tool_calls: an array of {${Object.keys(first).slice(0, 2).join(', ')}, function: {${Object.keys(first.function).join(', ')}}}`
  },
  'tools.call-id-form': async ({ asked, run }) => {
    const { tool_calls: calls } = (await run(await asked('Weather desk'))).json
    return agreed(calls.map(({ id }: { id: string }) => (/^[0-9a-f-]{36}$/.test(id) ? 'a UUID' : 'another string')))
  },
  'tools.result-field': async (setup) => {
    const { json } = await setup.add(await openCall(setup), result)
    return Object.keys(json).find((name) => json[name] === 'c1') ?? 'none'
  },
  'tools.call-id-case': async (setup) =>
    acceptance(await setup.add(await openCall(setup, 'call_A'), { ...result, tool_call_id: 'call_a' })),
  'tools.run-configuration': async ({ asked, run }) => {
    const fields: string[] = []
    for (const name of ['tools', 'tool_choice', 'functions', 'tool_config']) {
      if ((await run(await asked(), { [name]: 7 })).status === 422) fields.push(name)
    }
    return fields.join(' and ')
  },
  'tools.answered-twice': async (setup) => {
    const thread = await openCall(setup)
    await setup.add(thread, result)
    return acceptance(await setup.add(thread, result))
  },
  'tools.call-id-again': async (setup) => {
    const thread = await openCall(setup)
    await setup.add(thread, result)
    return acceptance(await setup.add(thread, { role: 'assistant', content: 'x', tool_calls: [call('c1')] }))
  },
  'tools.posted-calls': async (setup) => {
    const thread = await openCall(setup)
    return (await setup.list(thread)).json.items[0].tool_calls?.length === 1 ? 'yes' : 'no'
  },
  'tools.calls-in-stream': async ({ asked, client }) => {
    const chunks = await client.stream(`/v1/threads/${await asked('Weather desk')}/run/stream`, {})
    const holders = chunks.flatMap((chunk, index) => (JSON.stringify(chunk).includes('get_weather') ? [index] : []))
    if (holders.length === 0) return 'not at all'
    const isLast = agreed(holders) === String(chunks.length - 1) && chunks.at(-1).delta.tool_calls.length === 1
    return isLast ? 'a field of the last delta' : 'another'
  },
  'tools.match-distance': async (setup) => {
    const thread = await openCall(setup)
    await setup.add(thread, { role: 'user', content: 'x' })
    return acceptance(await setup.add(thread, result))
  },
}

export const paginationCases: GapCases<'pagination'> = {
  'pagination.end-signal': async ({ asked, list, client }) => {
    const last = [await list(await asked()), await list(await asked(), '?limit=1'), await list(await client.thread())]
    return agreed(last.map(({ json }) => String(json.cursor)))
  },
  'pagination.null-cursor': async ({ asked, list }) => {
    const thread = await asked()
    const ways = { absent: '', empty: '?cursor=', 'the word null': '?cursor=null' }
    const taken: string[] = []
    for (const [name, query] of Object.entries(ways)) if ((await list(thread, query)).status === 200) taken.push(name)
    return taken.join(' or ')
  },
  'pagination.maximum-limit': async ({ asked, list }) => {
    const thread = await asked()
    const answers = await Promise.all([999, 1000, 1001, 5000].map((limit) => list(thread, `?limit=${limit}`)))
    return answers.map(acceptance).join() === 'accepted,accepted,rejected,rejected' ? 'rejected above 1000' : 'other'
  },
  'pagination.limit-below-one': async ({ asked, list }) => {
    const thread = await asked()
    return agreed((await Promise.all([0, -1, -100].map((limit) => list(thread, `?limit=${limit}`)))).map(acceptance))
  },
  'pagination.invalid-cursor': async (setup) => {
    const { thread, cursor } = await pagedThread(setup)
    const damaged = [`${cursor.slice(0, -2)}xx`, 'zzz', cursor.slice(1)]
    return agreed((await Promise.all(damaged.map((one) => setup.list(thread, `?cursor=${one}`)))).map(acceptance))
  },
  'pagination.cursor-of-other-thread': async (setup) => {
    const [first, second] = [await pagedThread(setup), await pagedThread(setup)]
    const answer = await setup.list(second.thread, `?cursor=${first.cursor}`)
    return acceptance(answer) === 'rejected' ? 'rejected' : 'a page of this thread'
  },
  'pagination.integer-spelling': async ({ asked, list }) => {
    const thread = await asked()
    const spellings = ['%2B5', '05', '5.0', '005', '5e0', '0x5', '5_0', '%205']
    return agreed((await Promise.all(spellings.map((one) => list(thread, `?limit=${one}`)))).map(acceptance))
  },
  'pagination.repeated-parameter': async (setup) => {
    const { thread } = await pagedThread(setup)
    const twice = await setup.list(thread, '?limit=1&limit=2')
    if (acceptance(twice) === 'rejected') return 'rejected'
    return twice.json.items.length === 1 ? 'the first counts' : 'the last counts'
  },
}

async function pagedThread({
  asked,
  list,
  add,
}: GapSetup): Promise<{ readonly thread: string; readonly cursor: string }> {
  const thread = await asked()
  for (const content of ['b', 'c']) await add(thread, { role: 'user', content })
  return { thread, cursor: (await list(thread, '?limit=1')).json.cursor }
}
