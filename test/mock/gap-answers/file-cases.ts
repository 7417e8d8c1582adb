/** Cases of the gaps about grants, uploads and the status of a file. */
import { createMock, defaultScenario } from '../../../mock-server/index.ts'
import { mockClient } from '../../support/mock-client.ts'
import { acceptance, agreed, type GapCases, statusAndCode, unknownId } from './gap-case.ts'

const typed = (type: string, body: string | Uint8Array<ArrayBuffer> = 'hello') => ({
  headers: { 'content-type': type },
  body,
})

export const filesCases: GapCases<'files'> = {
  'files.expires-in-unit': async ({ mock, grant, put }) => {
    const [early, late] = [(await grant()).json, (await grant()).json]
    mock.clock.advance(early.expires_in * 1000 - 1)
    const inTime = await put(early.file_url, typed('text/plain'))
    mock.clock.advance(1)
    const tooLate = await put(late.file_url, typed('text/plain'))
    return inTime.status === 200 && tooLate.status === 400 ? 'seconds' : 'another unit'
  },
  'files.max-size-unit': async ({ grant, put }) => {
    const { max_size: most } = (await grant()).json.file_limits
    const upload = async (size: number) =>
      acceptance(await put((await grant()).json.file_url, typed('text/plain', new Uint8Array(size))))
    return (await upload(most)) === 'accepted' && (await upload(most + 1)) === 'rejected' ? 'bytes' : 'another unit'
  },
  'files.status-endpoint': async () => fileStatuses(),
  'files.attachment-field': async ({ mock, client, add }) => {
    const { id } = mock.main.seedFile({ filename: 'a.txt' })
    const { json } = await add(await client.thread(), { role: 'user', content: 'x', file_ids: [id] })
    return Object.keys(json).find((name) => JSON.stringify(json[name]).includes(id)) ?? 'none'
  },
  'files.early-attachment': async ({ client, grant, add }) => {
    const { file_id } = (await grant()).json
    return acceptance(await add(await client.thread(), { role: 'user', content: 'x', file_ids: [file_id] }))
  },
  'files.unknown-attachment': async ({ mock, client, grant, put, add }) => {
    const short = (await grant('filename=a.txt&persist=false')).json
    await put(short.file_url, typed('text/plain'))
    mock.clock.advance(25 * 3_600_000)
    const foreign = mock.main.seedFile({ filename: 'a.txt', tenant: 'secondary' }).id
    const thread = await client.thread()
    const attached = [short.file_id, foreign, unknownId].map((id) =>
      add(thread, { role: 'user', content: 'x', file_ids: [id] }),
    )
    return agreed((await Promise.all(attached)).map(acceptance))
  },
  'files.filename-extension': async ({ grant }) =>
    agreed((await Promise.all(['a', 'a.exe', '.', 'a.'].map((name) => grant(`filename=${name}`)))).map(acceptance)),
  'files.upload-refusal': async ({ mock, grant, put }) => {
    const url = async (): Promise<string> => (await grant()).json.file_url
    const [type, size] = [
      await put(await url(), typed('image/png')),
      await put(await url(), typed('text/plain', new Uint8Array(10_485_761))),
    ]
    const empty = await put(await url(), typed('text/plain', new Uint8Array(0)))
    const [used, altered, late] = [await url(), await url(), await url()]
    await put(used, typed('text/plain'))
    const others = [
      await put(used, typed('text/plain')),
      await put(altered.replace(/signature=./, 'signature=g'), typed('text/plain')),
    ]
    mock.clock.advance(3_600_000)
    others.push(await put(late, typed('text/plain')))
    const faults = [type, size].map(({ json }) => json.detail[0].loc.join(' '))
    return `${acceptance(empty)} when it is empty, ${agreed([type, size].map(statusAndCode))} for another type (${faults[0]}) and for too many bytes (${faults[1]}), ${agreed(others.map(statusAndCode))} for a late, used or altered URL`
  },
  'files.upload-headers': async ({ grant, put }) => {
    const body = new Uint8Array(5)
    const bare = await put((await grant()).json.file_url, { body })
    const typedOnly = await put((await grant()).json.file_url, typed('text/plain', body))
    if (acceptance(bare) === 'accepted') return 'none'
    return acceptance(typedOnly) === 'accepted' ? 'content-type' : 'others'
  },
  'files.persist-spelling': async ({ grant }) => {
    const spellings = ['yes', 'no', '1', '0', 'TRUE', 'True', 'FALSE', 'on']
    return agreed((await Promise.all(spellings.map((one) => grant(`filename=a.txt&persist=${one}`)))).map(acceptance))
  },
  'files.refusal-error': async ({ grant, client }) => {
    const faulty = [grant(''), grant('filename=a.txt&persist=maybe'), client.get('/v1/files/signed-url?filename=a.txt')]
    return agreed((await Promise.all(faulty)).map(({ json }) => json.error_code))
  },
}

async function fileStatuses(): Promise<string> {
  const files = { ready_after_polls: 1, fails_when_named: '^bad' }
  await using mock = await createMock({ clock: { mode: 'frozen' }, scenario: { ...defaultScenario, files } })
  const client = mockClient(mock.main, mock)
  const seen: string[] = []
  const look = async (id: string) => seen.push((await client.get(`/v1/files/${id}/status`)).json.status)
  const granted = async (query: string) => (await client.get(`/v1/files/signed-url?${query}`, { 'user-id': 'u' })).json
  const upload = (url: string) => mock.fetch(url, { method: 'PUT', ...typed('text/plain') })
  const [short, bad] = [await granted('filename=a.txt&persist=false'), await granted('filename=bad.txt')]
  await look(short.file_id)
  for (const { file_url } of [short, bad]) await upload(file_url)
  for (const { file_id } of [short, short, bad, bad]) await look(file_id)
  mock.clock.advance(25 * 3_600_000)
  await look(short.file_id)
  const names = [...new Set(seen)]
  return `GET /v1/files/{file_id}/status with ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
