/**
 * Writes the recording of `acs watch` to disk immediately, in files of which the oldest are deleted. While it is short it
 * is also kept in memory, so that it can be judged after every pause.
 */
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { conformanceLevels } from '../../spec/index.ts'
import { hasCalledModel, observedTrace } from '../imported-traffic/imported-trace.ts'
import { minimalProfile } from '../profile/minimal-profile.ts'
import { secretsOf } from '../profile/redact-profile.ts'
import { createPseudonyms, type Pseudonyms } from '../pseudonyms/pseudonyms.ts'
import type { Exchange, Trace } from '../trace/exchange.ts'
import { encodeRecord } from '../trace/trace.ts'
import type { RecordingOptions } from './recording-protocol.ts'

export interface Recording {
  readonly pseudonyms: Pseudonyms
  readonly add: (exchange: Exchange) => void
  /** The whole recording, as long as it fits into one file; `null` afterwards. */
  readonly trace: () => Trace | null
  /** Ends the file that grows, and gives all files that are kept, the oldest first. */
  readonly files: () => readonly string[]
}

interface KeptFile {
  readonly name: string
  readonly bytes: number
}

/** Begins a recording. */
export const createRecording = (options: RecordingOptions): Recording => {
  const { upstream, profile, folder, fileBytes, keptBytes, isExclusive } = options
  const pseudonyms = createPseudonyms({ secrets: profile === undefined ? [] : secretsOf(profile) })
  const exclusive = isExclusive && profile !== undefined ? Object.keys(profile.tenants) : []
  const about = { source: 'proxy', pseudonyms, startedAt: new Date(), exclusive } as const
  const known = profile ?? { ...minimalProfile(upstream, { primary: { key: '' } }), claims: conformanceLevels }
  const { header } = observedTrace({ ...about, exchanges: [], profile: known })
  const older = join(folder, 'recording')
  let exchanges: Exchange[] | null = []
  const kept: KeptFile[] = []
  let files = 0
  let file = openFile(join(folder, 'trace.ndjson'), encodeRecord(header))

  const end = (): void => {
    if (file.exchanges === 0) return
    const { exchanges: count, modelCalls, durationMs } = file
    file.write(encodeRecord({ kind: 'footer', exchanges: count, modelCalls, durationMs, complete: true }))
    file.close()
    files += 1
    const name = join(older, `${String(files).padStart(5, '0')}.ndjson`)
    mkdirSync(older, { recursive: true })
    renameSync(file.name, name)
    kept.push({ name, bytes: file.bytes })
    while (kept.length > 1 && kept.reduce((sum, { bytes }) => sum + bytes, 0) > keptBytes)
      rmSync(kept.shift()?.name ?? '', { force: true })
    exchanges = null
    file = openFile(join(older, 'growing.ndjson'), encodeRecord(header))
  }
  return {
    pseudonyms,
    add: (exchange) => {
      exchanges?.push(exchange)
      file.add(exchange, encodeRecord(exchange), hasCalledModel(exchange))
      if (file.bytes >= fileBytes) end()
    },
    trace: () =>
      exchanges === null ? null : observedTrace({ ...about, exchanges: [...exchanges], profile, baseUrl: upstream }),
    files: () => {
      end()
      return kept.map(({ name }) => name)
    },
  }
}

/** The current file, with the data of its footer. */
const openFile = (name: string, header: string) => {
  mkdirSync(join(name, '..'), { recursive: true })
  const descriptor = openSync(name, 'w')
  const file = {
    name,
    bytes: 0,
    exchanges: 0,
    modelCalls: 0,
    durationMs: 0,
    write: (text: string): void => {
      // One call of the system may write a part only, for instance on a disk that is nearly full.
      writeFileSync(descriptor, text)
      file.bytes += Buffer.byteLength(text)
    },
    add: (exchange: Exchange, text: string, isModelCall: boolean): void => {
      file.write(text)
      file.exchanges += 1
      file.modelCalls += isModelCall ? 1 : 0
      file.durationMs = Math.max(file.durationMs, exchange.endedAtMs)
    },
    close: (): void => closeSync(descriptor),
  }
  file.write(header)
  return file
}
