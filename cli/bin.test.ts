/** The process ends with the exit code of the command, also where nobody reads what it prints. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { encodeTrace } from '../conformance/index.ts'
import { TraceBuilder } from '../test/trace-builder/trace-builder.ts'

const folder = mkdtempSync(join(tmpdir(), 'acs-bin-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(['stdout', 'stderr'] as const)('a closed %s leaves the exit code as it is', async (stream) => {
  const trace = new TraceBuilder()
  trace.assistants()
  const file = join(folder, `${stream}.ndjson`)
  writeFileSync(file, encodeTrace(trace.trace()))
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bin.ts'), 'judge', file, '--out', folder])
  child[stream].destroy()
  child.stdout.resume()
  child.stderr.resume()
  expect(await once(child, 'exit')).toEqual([2, null])
})

test('a terminal that is gone leaves the exit code as it is', async () => {
  // A write to the memory of a process at address 0 fails as one to a closed terminal does.
  const gone = openSync('/proc/self/mem', 'r+')
  const argv = [join(import.meta.dirname, 'bin.ts'), 'list', 'faults']
  const child = spawn(process.execPath, argv, { stdio: ['ignore', gone, gone] })
  closeSync(gone)
  expect(await once(child, 'exit')).toEqual([0, null])
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('acs mock writes its export at %s', async (signal) => {
  const file = join(folder, `${signal}.json`)
  const argv = [join(import.meta.dirname, 'bin.ts'), 'mock', '--port', '0', '--export', file]
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill(signal)
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ worlds: [{ name: 'default' }] })
})
