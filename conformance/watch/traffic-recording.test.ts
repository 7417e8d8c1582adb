/** What a recording cannot write as a whole is told, never left out in silence. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'acs-traffic-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Adds an exchange that is longer than the system lets a file grow, and prints what becomes of it. */
const script = `
  import { createRecording } from '${new URL('./traffic-recording.ts', import.meta.url).href}'
  import { TraceBuilder } from '${new URL('../../test/trace-builder/trace-builder.ts', import.meta.url).href}'
  process.on('SIGXFSZ', () => {})
  const trace = new TraceBuilder()
  trace.assistants()
  const [exchange] = trace.trace().exchanges
  const sizes = { fileBytes: 1e9, keptBytes: 1e9 }
  const recording = createRecording({ upstream: 'http://acs.example', folder: ${JSON.stringify(folder)}, ...sizes, isExclusive: false })
  const request = { ...exchange.request, url: 'http://acs.example/v1/' + 'x'.repeat(1_000_000) }
  try {
    recording.add({ ...exchange, request })
    console.log('written')
  } catch (cause) {
    console.log(cause.code)
  }`

test.skipIf(process.platform === 'win32')('an exchange of which only a part fits is a failure of writing', async () => {
  const limited = 'ulimit -f 64; exec "$0" --input-type=module --eval "$1"'
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const { stdout } = await promisify(execFile)('bash', ['-c', limited, process.execPath, script], { env })
  expect(stdout).toBe('EFBIG\n')
})
