/** Tests that the types of all sources are right, also of the report page, which runs in a browser. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** One checker does the work once, and a bigger heap saves collections: half the processor time of the defaults. */
const env = { ...process.env, GOGC: '400' }

test.each(['tsconfig.json', 'reports/html/client/tsconfig.json'])(
  'the types of %s are right',
  async (project) => {
    const tsc = join(root, 'node_modules', '.bin', 'tsc')
    const { stdout } = await promisify(execFile)(tsc, ['-p', project, '--singleThreaded'], { cwd: root, env })
    expect(stdout).toBe('')
  },
  300_000,
)
