/** Fuzzes state directories: a damaged one is refused, or read without a hole. */
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMock, type Mock, StateError } from '../../mock-server/index.ts'
import { mockClient } from '../support/mock-client.ts'
import { type Fuzzer, pick, type SeededRandom } from './fuzzer.ts'
import { oddValue } from './mutations.ts'

const said = Array.from({ length: 40 }, (_, index) => `message ${index}`)

/** Threads in a state directory whose messages are numbered, so that a hole is seen. */
const builtState = async (folder: string): Promise<{ readonly state: string; readonly threads: readonly string[] }> => {
  const state = join(folder, 'whole')
  const mock = await createMock({ stateDir: state, clock: { mode: 'frozen' } })
  const threads = ['a', 'b', 'c'].map(
    (name) => mock.world({ name }).seedThread({ messages: said.map((content) => ({ role: 'user', content })) }).id,
  )
  mock.find('a')?.fork('d')
  await mock.close()
  return { state, threads }
}

const damage = (random: SeededRandom, state: string): string => {
  const name = pick(
    random,
    readdirSync(state).filter((file) => file !== 'LOCK'),
  )
  const file = join(state, name)
  const bytes = readFileSync(file)
  const at = Math.floor(random() * bytes.length)
  const kind = random()
  if (kind < 0.5) bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8))
  if (kind < 0.5) writeFileSync(file, bytes)
  else if (kind < 0.7) writeFileSync(file, bytes.subarray(0, at))
  else if (kind < 0.8) writeFileSync(file, Buffer.alloc(bytes.length))
  else if (kind < 0.9) rmSync(file)
  else appendFileSync(file, Buffer.from(JSON.stringify(oddValue(random))))
  return name
}

const stateFiles: Fuzzer = {
  name: 'damaged state directories, opened and written to',
  goal: 460,
  sample: 25,
  async prepare() {
    const folder = mkdtempSync(join(tmpdir(), 'acs-soak-'))
    const { state, threads } = await builtState(folder)
    let made = 0
    const contentsOf = async (mock: Mock, index: number): Promise<readonly string[] | null> => {
      const world = mock.find('abc'.charAt(index)) ?? mock.main
      const page = await mockClient(world, mock).get(`/v1/threads/${threads[index]}/messages?limit=100`)
      return page.status === 200
        ? page.json.items.map(({ content }: { readonly content: string }) => content).toReversed()
        : null
    }
    return {
      close: async () => rmSync(folder, { recursive: true, force: true }),
      async attempt(random) {
        made += 1
        const copy = join(folder, `copy-${made}`)
        cpSync(state, copy, { recursive: true })
        const name = damage(random, copy)
        const opened = await createMock({ stateDir: copy, clock: { mode: 'frozen' } }).catch((cause: unknown) => {
          if (cause instanceof StateError) return null
          throw cause
        })
        if (opened !== null) {
          const found = await Promise.all(threads.map((_, index) => contentsOf(opened, index)))
          await opened.close()
          const holes = found.filter((contents) => contents?.some((content, index) => content !== said[index]))
          if (holes.length > 0) return `${name}: a thread was read with holes`
        }
        rmSync(copy, { recursive: true, force: true })
        return null
      },
    }
  },
}

export const stateFuzzers: readonly Fuzzer[] = [stateFiles]
