/** Uses every operation of juniper as a client would, chapter by chapter. */
import { type Call, Client, counsel, main } from './scenario-client.ts'

const other = 'jp-oresund-Ht6Lc3-main'
const trial = 'jp-trial-Nv8Ds1-main'
const assistantId = (last: string): string => `b3c8d7e4-5a16-4f29-9c03-7e2a1d4b6f${last}`
const [register, ledger, clerk, muse] = ['02', '03', '04', '05'].map(assistantId)
const foreign = assistantId('11')
const nobody = '00000000-0000-4000-8000-000000000000'
const awkward = '  Größe & <b>naïve</b>\r\nline\u2028two 🌊🌊 e\u0301 "quoted"  '
const long = `${'Tide and harbour 🌊. '.repeat(2000)}end`

const said = (content: string, assistant = counsel, more: object = {}): Call => ({
  body: { assistant_id: assistant, messages: [{ role: 'user', content }], ...more },
})

const kinds = ['', '/stream', '/events/stream']

async function readRecords(client: Client): Promise<void> {
  for (const path of [
    '/v1/assistants',
    `/v1/assistants/${counsel}`,
    '/v1/tenants/my-api-keys',
    `/v1/assistants/${foreign}`,
  ]) {
    for (const key of [
      main,
      main,
      other,
      null,
      'nonsense',
      main.slice(0, 9),
      `${main.slice(0, 16)}zzzz`,
      main.toUpperCase(),
    ]) {
      await client.call(`GET ${path}`, { key })
    }
  }
  for (const last of ['02', '03', '05']) await client.call(`GET /v1/assistants/${assistantId(last)}`)
  await client.call(`GET /v1/assistants/${nobody}`)
  const outage = { headers: { 'x-juniper-outage': 'bad_request' } }
  await client.call('GET /v1/tenants/my-api-keys', outage)
}

async function complete(client: Client): Promise<void> {
  for (const kind of kinds) {
    const post = (call: Call, query = ''): ReturnType<Client['call']> =>
      client.call(`POST /v1/chat/completions${kind}${query}`, call)
    for (const id of [counsel, ledger, muse, foreign, nobody]) await post(said('Tell me. Should I sue?', id))
    await post(said('Calm.', muse))
    await post({ ...said('Hello'), key: null })
    await post({ body: {} })
    await post({ body: { assistant_id: counsel } })
    await post({ body: { assistant_id: counsel, messages: [] } })
    for (const message of [
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: '' },
    ]) {
      await post({ body: { assistant_id: counsel, messages: [message] } })
    }
    await post(said('Hi', register))
    await post(said('Hi', register, { user_data: {} }))
    await post(said('Hi', register, { user_data: { licence: 'L' } }))
    await post(said('Hi', register))
    await post(said('Compare the case files', clerk))
    for (const outage of ['api_timeout_error', 'internal_service_error']) {
      await post({ ...said('Hi'), headers: { 'x-juniper-outage': outage } })
    }
    await post(said('Hi'), `?thread_id=${nobody}`)
  }
}

async function converse(client: Client): Promise<void> {
  const others = (await client.quiet('POST /v1/chat/completions', { ...said('Mine', foreign), key: other })).json
    .thread_id
  for (const kind of kinds) {
    const path = `POST /v1/chat/completions${kind}`
    const many = [
      { role: 'system', content: 'Be kind' },
      ...Array.from({ length: 12 }, (_, n) => ({ role: 'user', content: `m${n}` })),
    ]
    const first = await client.call(path, { body: { assistant_id: counsel, messages: many } })
    const thread = String((kind === '' ? first.json : first.json[0])?.thread_id)
    await client.messages(thread)
    await client.add(thread, 'user', 'May I?')
    await client.call(`${path}?thread_id=${thread}`, said(awkward))
    await client.call(`${path}?thread_id=${thread}`, said('Refused', register))
    await client.call(`${path}?thread_id=${others}`, said('Whose?'))
    await client.add(thread, 'user', 'May I now?')
    await client.messages(thread)
    await client.pages(thread, 3)
  }
  const told = await client.call('POST /v1/chat/completions/stream', said(long))
  await client.messages(String(told.json[0]?.thread_id))
}

async function runThreads(client: Client): Promise<void> {
  const empty = await client.thread()
  const foreignThread = (await client.quiet('POST /v1/threads', { body: {}, key: other })).json.id
  await client.quiet(`POST /v1/threads/${foreignThread}/messages`, {
    body: { role: 'user', content: 'Mine' },
    key: other,
  })
  await client.call(`GET /v1/threads/${foreignThread}/messages`)
  await client.add(foreignThread, 'user', 'Intruder')
  for (const stream of ['', '/stream']) {
    const thread = await client.thread()
    for (const target of [empty, thread, foreignThread, nobody]) await client.run(target, counsel, stream)
    await client.add(thread, 'system', 'Be brief')
    await client.run(thread, counsel, stream)
    await client.add(thread, 'assistant', 'Welcome')
    await client.run(thread, counsel, stream)
    await client.add(thread, 'user', awkward)
    for (const id of [foreign, nobody, ledger, register]) await client.run(thread, id, stream)
    await client.run(thread, counsel, stream, { headers: { 'x-juniper-outage': 'api_timeout_error' } })
    for (let turn = 0; turn < 2; turn += 1) {
      await client.run(thread, counsel, stream)
      await client.run(thread, muse, '')
      await client.run(thread, counsel, '/stream')
      await client.add(thread, 'system', 'Note')
      await client.run(thread, counsel, '/stream')
      await client.add(thread, 'user', 'Next?')
    }
    await client.messages(thread)
    for (let more = 0; more < 22; more += 1) await client.add(thread, 'assistant', `Note ${more}`)
    await client.run(thread, counsel, stream)
  }
}

async function callTools(client: Client): Promise<void> {
  for (const stream of ['', '/stream']) {
    const thread = await client.thread()
    await client.add(thread, 'tool', 'early', { tool_call_id: 'call_1' })
    await client.add(thread, 'user', 'Compare the case files')
    await client.run(thread, clerk, stream)
    const listed = (await client.messages(thread)).json
    const calls: readonly { tool_call_id: string }[] = listed.items?.[0]?.tool_calls ?? listed[0]?.tool_calls ?? []
    await client.run(thread, clerk, stream)
    await client.add(thread, 'tool', 'no id')
    const elsewhere = await client.thread()
    for (const [index, { tool_call_id }] of calls.entries()) {
      await client.add(elsewhere, 'tool', 'elsewhere', { tool_call_id })
      await client.add(thread, 'tool', '', { tool_call_id })
      await client.add(thread, 'tool', 'pattern', { tool_call_id: 'call_%' })
      await client.add(thread, 'tool', `result ${index}`, { tool_call_id })
      await client.add(thread, 'tool', `result ${index} again`, { tool_call_id })
      await client.run(thread, clerk, stream)
    }
    await client.add(thread, 'user', 'Thanks')
    await client.add(thread, 'assistant', 'Wait', {
      tool_calls: [{ tool_call_id: 'c1', tool_name: 't', arguments: {} }],
    })
    await client.run(thread, counsel, stream)
    await client.add(thread, 'user', 'And?')
    await client.run(thread, counsel, stream)
    await client.messages(thread)
  }
}

async function listAndCreate(client: Client): Promise<void> {
  const thread = await client.thread()
  await client.messages(thread)
  for (const role of ['system', 'user', 'assistant', 'tool', 'User', 'robot']) {
    await client.add(thread, role, `${role} ${awkward}`)
    await client.add(thread, role, '')
    await client.call(`POST /v1/threads/${thread}/messages`, { key: null, body: { role, content: 'Keyless' } })
  }
  await client.call(`POST /v1/threads/${thread}/messages`, { body: { role: 'user' } })
  await client.add(thread, 'user', long)
  await client.call(`GET /v1/threads/${nobody}/messages`)
  await client.pages(thread, 2)
  await client.pages(thread, 3)
  const first = await client.messages(thread, '?limit=2')
  await client.add(thread, 'user', 'In between')
  await client.messages(thread, `?limit=2&cursor=${first.json?.cursor}`)
  await Promise.all(
    [1, 2, 3].map((n) =>
      client.quiet(`POST /v1/threads/${thread}/messages`, { body: { role: 'user', content: `at once ${n}` } }),
    ),
  ).then((told) => client.note(told.map(({ json }) => json.content)))
  for (let more = 0; more < 105; more += 1)
    await client.quiet(`POST /v1/threads/${thread}/messages`, { body: { role: 'user', content: `${more}` } })
  const page = (await client.quiet(`GET /v1/threads/${thread}/messages`)).json
  const next = (await client.quiet(`GET /v1/threads/${thread}/messages?cursor=${page.cursor}`)).json
  client.note(
    'pages',
    page.items?.length,
    typeof page.cursor,
    next.items?.length,
    new Set([...(page.items ?? []), ...(next.items ?? [])].map(({ id }) => id)).size,
  )
}

async function uploadFiles(client: Client): Promise<void> {
  const get = (query: string, userId: string | undefined = 'anna@x:1-a_b.c'): ReturnType<Client['call']> =>
    client.call(`GET /v1/files/signed-url?${query}`, { headers: userId === '' ? {} : { 'user-id': userId } })
  await client.call('GET /v1/files/signed-url?filename=a.txt', { key: null, headers: { 'user-id': 'a' } })
  await get('filename=a.txt', '')
  await get('persist=true')
  await get('filename=b.txt', 'with space')
  for (const length of [254, 255, 256, 300]) await get('filename=a.txt', 'x'.repeat(length))
  for (const query of [
    'filename=%C3%A4.csv',
    'filename=a.b.csv',
    'filename=a.csv&persist=false',
    'filename=a.csv&persist=false',
  ]) {
    const { json } = await get(query)
    for (const [type, size] of [
      ['text/csv', 10],
      ['text/plain', 2_000_000],
      ['application/pdf', 10_485_760],
    ] as const) {
      if (!URL.canParse(json?.file_url)) continue
      const { status } = await fetch(json.file_url, {
        method: 'PUT',
        headers: { 'content-type': type },
        body: 'x'.repeat(size),
      })
      client.note('PUT', type, status)
    }
  }
  const grants = await Promise.all(
    [1, 2].map(() => client.quiet('GET /v1/files/signed-url?filename=o.csv', { headers: { 'user-id': 'o' } })),
  )
  client.note(grants[0]?.json.file_id === grants[1]?.json.file_id)
}

async function overlap(client: Client): Promise<void> {
  for (const kind of ['', '/stream']) {
    const asked = [said('One', muse), said('Two', counsel), said('Three', muse)]
    const told = await Promise.all(asked.map((call) => client.quiet(`POST /v1/chat/completions${kind}`, call)))
    client.note(told.map(({ text }) => text))
  }
  const threads = await Promise.all([client.thread(), client.thread()])
  await Promise.all(
    threads.map((thread) =>
      client.quiet(`POST /v1/threads/${thread}/messages`, { body: { role: 'user', content: 'Go' } }),
    ),
  )
  const runs = await Promise.all(
    threads.map((thread) => client.quiet(`POST /v1/threads/${thread}/run`, { body: { assistant_id: counsel } })),
  )
  client.note(
    threads.map((thread, index) => runs[index]?.json.thread_id === thread),
    new Set(runs.map(({ json }) => json.id)).size,
  )
  const [thread = ''] = threads
  await client.whileStreaming(`/v1/chat/completions/stream?thread_id=${thread}`, said('Slow').body, async () => {
    const { json } = await client.quiet(`GET /v1/threads/${thread}/messages`)
    client.note((json.items ?? []).some(({ content }: { content: string }) => content === ''))
  })
  const burst = await Promise.all(Array.from({ length: 14 }, () => client.quiet('GET /v1/assistants', { key: trial })))
  const texts = burst.map(({ text }) => text).sort()
  client.note(burst.map(({ status }) => status).sort(), texts[0], texts.at(-1))
}

async function leaveEarly(client: Client): Promise<void> {
  const thread = await client.thread()
  await client.add(thread, 'user', 'Start')
  await client.leave(`/v1/threads/${thread}/run/stream`, { assistant_id: counsel })
  await client.call('POST /v1/chat/completions/stream', said('After leaving'))
  await client.run(thread, counsel)
  await client.messages(thread)
}

const chapters = {
  readRecords,
  complete,
  converse,
  runThreads,
  callTools,
  listAndCreate,
  uploadFiles,
  leaveEarly,
  overlap,
}

/** A part of the scenario. */
export type Chapter = keyof typeof chapters

/** All parts of the scenario. */
export const allChapters = Object.keys(chapters) as readonly Chapter[]

/** What a client observes in a chapter; the same for every sound server of this kind. */
export function observe(url: string, chapter: Chapter): Promise<readonly string[]> {
  return linesOf(chapters[chapter], url)
}

async function linesOf(chapter: (client: Client) => Promise<void>, url: string): Promise<readonly string[]> {
  const client = new Client(url)
  try {
    await chapter(client)
  } catch (reason) {
    client.note('ended by', String(reason))
  }
  return client.lines
}
