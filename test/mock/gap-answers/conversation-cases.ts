/** Cases of the gaps about streams and threads. */
import { createMock, type HookOverride } from '../../../mock-server/index.ts'
import { acceptance, agreed, type GapCases, type GapSetup, gapSetup, key } from './gap-case.ts'
import { openCall } from './tool-cases.ts'

/** The bytes of all three streams as text, with their media types. */
async function streamsOf({ send, asks, asked }: GapSetup) {
  const paths = [
    '/v1/chat/completions/stream',
    '/v1/chat/completions/events/stream',
    `/v1/threads/${await asked()}/run/stream`,
  ]
  const body = JSON.stringify(asks('Grüße in mehreren Stücken, damit der Strom mehr als eine Zeile hat.'))
  return Promise.all(paths.map((path) => send(path, { method: 'POST', headers: key, body })))
}

// biome-ignore lint/suspicious/noExplicitAny: tests read lines of every shape
const linesOf = (text: string): readonly any[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

export const streamsCases: GapCases<'streams'> = {
  'streams.media-type': async (setup) =>
    agreed((await streamsOf(setup)).map(({ headers }) => headers.get('content-type') ?? 'none')),
  'streams.line-end': async (setup) =>
    agreed((await streamsOf(setup)).map(({ text }) => (text.includes('\r') ? 'CRLF' : 'LF'))),
  'streams.final-newline': async (setup) =>
    agreed((await streamsOf(setup)).map(({ text }) => (text.endsWith('\n') ? 'yes' : 'no'))),
  'streams.blank-lines': async (setup) =>
    agreed((await streamsOf(setup)).map(({ text }) => (/^\s*\n|\n\s*\n/.test(text) ? 'blank lines' : 'none seen'))),
  'streams.end-signal': async (setup) => {
    const shapes = (await streamsOf(setup)).map(({ text }) =>
      agreed(linesOf(text).map((line) => [...Object.keys(line), ...Object.keys(line.delta)].join())),
    )
    return shapes.some((shape) => shape.includes(' or ')) ? 'a last chunk' : 'end of the response'
  },
  'streams.error-after-start': async () => {
    const failure: HookOverride = {
      hook: 'chunk',
      wrap: (next) => (chunk, place, exchange) => {
        if (place.index > 0) throw new Error('the model went away')
        return next(chunk, place, exchange)
      },
    }
    await using mock = await createMock({ clock: { mode: 'frozen' }, deviations: [failure] })
    const [assistant] = mock.scenario.tenants[0]?.assistants ?? []
    const content = 'a long question, so that the answer has several chunks'
    const body = JSON.stringify({ assistant_id: assistant?.id, messages: [{ role: 'user', content }] })
    const answer = await mock.fetch('/v1/chat/completions/stream', { method: 'POST', headers: key, body })
    return answer.text().then(
      (text) => (text.includes('error_code') ? 'an error body as a line' : 'another'),
      () => 'the connection breaks',
    )
  },
  'streams.other-block-types': async ({ client, asks }) => {
    const chunks = await client.stream('/v1/chat/completions/events/stream', asks('x'))
    const blocks = chunks.flatMap(({ delta }) => delta.content_blocks).filter(({ type }) => type !== 'reasoning')
    const fields = agreed(blocks.flatMap((block) => Object.keys(block).filter((name) => name !== 'type')))
    return `${agreed(blocks.map(({ type }) => type))}, with a ${agreed(blocks.map((block) => typeof block[fields]))} field ${fields}`
  },
  'streams.when-sources-come': async (setup) => {
    const [text, , run] = await streamsOf(setup)
    const places = [text, run].map((answer) =>
      linesOf(answer?.text ?? '')
        .map(({ delta }, index, all) =>
          delta.sources.length === 0 ? '' : index === all.length - 1 ? 'the last' : 'spread',
        )
        .filter((place) => place !== ''),
    )
    return agreed(places.flat())
  },
  'streams.meta-data': async (setup) => {
    const { asked, client, list } = setup
    const thread = await asked()
    const chunks = await client.stream(`/v1/threads/${thread}/run/stream`, {})
    if (JSON.stringify(chunks).includes('turn_kind')) return 'a field of a chunk'
    return (await list(thread)).json.items[0].meta_data.turn_kind === undefined
      ? 'nowhere'
      : 'from the list of messages'
  },
  'streams.client-leaves': async () => {
    await using setup = await gapSetup('stepped')
    const { mock, client, list } = setup
    const content = 'a long question, so that its answer takes seconds. '.repeat(9)
    const thread = await client.thread('Slow echo')
    await client.say(thread, { role: 'user', content })
    const kept = async (path: string, body: object) => {
      const answer = await mock.fetch(path, { method: 'POST', headers: key, body: JSON.stringify(body) })
      const reader = answer.body?.getReader()
      mock.clock.advanceToNext()
      const { value = new Uint8Array() } = (await reader?.read()) ?? {}
      await reader?.cancel()
      mock.clock.advance(60_000)
      const { items } = (await list(JSON.parse(Buffer.from(value).toString()).thread_id)).json
      // The question of a completion is in its thread, as that of a run was before.
      return items.length === 1 && items[0].content === content ? 'nothing' : items[0].content
    }
    const ofRun = await kept(`/v1/threads/${thread}/run/stream`, {})
    return agreed([ofRun, await kept('/v1/chat/completions/stream', setup.asks(content, {}, 'Slow echo'))])
  },
  'streams.completion-without-support': async ({ client, asks }) => {
    const paths = ['/v1/chat/completions/stream', '/v1/chat/completions/events/stream']
    const body = asks('x', {}, 'Whole answers only')
    return agreed((await Promise.all(paths.map((path) => client.post(path, body)))).map(({ json }) => json.error_code))
  },
}

export const threadsCases: GapCases<'threads'> = {
  'threads.creation': async ({ client }) =>
    (await client.post('/v1/threads', {})).status === 201 ? 'POST /v1/threads' : 'another way',
  'threads.creation-body': async ({ client, mock }) => {
    const first = mock.scenario.tenants[0]?.assistants[0]?.id
    const isChecked = (await client.post('/v1/threads', { assistant_id: 7 })).status === 422
    const named = (await client.post('/v1/threads', { assistant_id: client.assistant('Slow echo') })).json.assistant_id
    const isTaken = isChecked && named === client.assistant('Slow echo')
    const without = (await client.post('/v1/threads', {})).json.assistant_id
    const withNull = (await client.post('/v1/threads', { assistant_id: null })).json.assistant_id
    const absent = withNull === without ? 'without it or with null' : 'without it'
    return `${isTaken ? 'assistant_id, optional' : 'nothing'}; ${absent} ${without === first ? 'the first assistant of the tenant' : 'another'}`
  },
  'threads.created-by-message': async ({ add }) =>
    acceptance(await add('0f3c9a52-6a1e-4c07-9d1b-5b8f7a2e4d61', { role: 'user', content: 'x' })),
  'threads.which-assistant-runs': async ({ client, asked, run }) => {
    const named = await run(await asked('Echo'), { assistant_id: client.assistant('Weather desk') })
    const bound = await run(await asked('Weather desk'))
    const isDesk = ({ json }: typeof named) => json.tool_calls?.[0].function.name === 'get_weather'
    return `${isDesk(named) ? 'one named in the body' : 'another'}, or else ${isDesk(bound) ? 'the one bound to the thread' : 'another'}`
  },
  'threads.run-body': async ({ client, asked, run }) => {
    const tools = [{ type: 'function', function: { name: 'f' } }]
    const known = { assistant_id: client.assistant('Echo'), tools, tool_choice: 'auto' }
    const wrong = { assistant_id: 7, tools: 7, tool_choice: 7, model: 7 }
    const fields: string[] = []
    for (const [name, value] of Object.entries(wrong)) {
      if ((await run(await asked(), { [name]: value })).status === 422) fields.push(name)
    }
    const areOptional = acceptance(await run(await asked(), {})) === 'accepted'
    return acceptance(await run(await asked(), known)) === 'accepted'
      ? `${fields.join(', ')}, ${areOptional ? 'all optional' : 'required'}`
      : 'rejected'
  },
  'threads.overlapping-runs': async () => {
    await using setup = await gapSetup('stepped')
    const { mock, asked } = setup
    const path = `/v1/threads/${await asked('Slow echo')}/run/stream`
    const begun = [1, 2].map(() => mock.fetch(path, { method: 'POST', headers: key }))
    return agreed((await Promise.all(begun)).map(({ status }) => (status === 200 ? 'accepted' : 'rejected')))
  },
  'threads.message-during-run': async () => {
    await using setup = await gapSetup('stepped')
    const { mock, asked, add } = setup
    const thread = await asked('Slow echo')
    const run = await mock.fetch(`/v1/threads/${thread}/run/stream`, { method: 'POST', headers: key })
    const beside = await add(thread, { role: 'user', content: 'x' })
    await run.body?.cancel()
    const behind = await add(thread, { role: 'user', content: 'x' })
    return agreed([beside, behind].map(acceptance))
  },
  'threads.run-required-fields': async ({ asked, run }) =>
    acceptance(await run(await asked('Legal assistant'))) === 'accepted' ? 'not needed' : 'needed',
  'threads.run-without-body': async ({ asked, send }) => {
    const path = `/v1/threads/${await asked()}/run`
    return acceptance(await send(path, { method: 'POST', headers: key }))
  },
  'threads.run-precondition-code': async ({ client, run, add }) => {
    const [empty, open, ended] = [await client.thread(), await openCall({ client, add }), await client.thread()]
    await client.say(ended, { role: 'user', content: 'x' })
    await client.say(ended, { role: 'assistant', content: 'x' })
    const refused = [await run(empty), await run(open), await client.post(`/v1/threads/${ended}/run/stream`, {})]
    return agreed(refused.map(({ json }) => json.error_code))
  },
  'threads.completion-thread-code': async ({ complete, asks, add }) => {
    const { thread_id } = (await complete(asks('x'))).json
    return (await add(thread_id, { role: 'user', content: 'x' })).json.error_code
  },
  'threads.run-on-completion-thread': async ({ complete, asks, run }) =>
    acceptance(await run((await complete(asks('x'))).json.thread_id)),
  'threads.completion-in-thread': async ({ complete, asks, asked, add }) => {
    const thread = await asked()
    if (acceptance(await complete(asks('y'), `?thread_id=${thread}`)) === 'rejected') return 'rejected'
    const later = acceptance(await add(thread, { role: 'user', content: 'x' }))
    return later === 'accepted' ? 'accepted, stays open' : 'accepted, closed afterwards'
  },
  'threads.late-system-message': async ({ asked, add }) =>
    acceptance(await add(await asked(), { role: 'system', content: 'Be brief.' })),
  'threads.null-character': async ({ asked, add }) =>
    acceptance(await add(await asked(), { role: 'user', content: 'a\0b' })),
  'threads.blank-content': async ({ asked, add }) => {
    const thread = await asked()
    const blanks = [' ', '\n', '\t ', '\u00a0']
    return agreed((await Promise.all(blanks.map((content) => add(thread, { role: 'user', content })))).map(acceptance))
  },
  'threads.unpaired-surrogate': async ({ asked, client }) => {
    const thread = await asked()
    const halves = ['a\\ud83d', '\\udc4d', '\\udc4d\\ud83d'].map((content) => `{"role":"user","content":"${content}"}`)
    const answers = halves.map((body) => client.post(`/v1/threads/${thread}/messages`, body))
    return agreed((await Promise.all(answers)).map(acceptance))
  },
  'threads.message-size': async ({ mock, client }) => {
    const messages = Array.from({ length: 5000 }, () => ({ role: 'user', content: 'x' }) as const)
    const { id } = mock.main.seedThread({ messages })
    const most = 1024 * 1024 - JSON.stringify({ role: 'user', content: '' }).length
    const said = (bytes: number) => client.say(id, { role: 'user', content: 'x'.repeat(bytes) })
    const isSo = acceptance(await said(most)) === 'accepted' && acceptance(await said(most + 1)) === 'rejected'
    return isSo ? 'as many as fit into memory; 1 MiB per request' : 'other limits'
  },
}
