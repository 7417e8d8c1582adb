/** Types hold everywhere, also in the page of the report, which knows the browser and not Node. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

test.each(['tsconfig.json', 'reports/html/client/tsconfig.json'])(
  'types hold in %s',
  async (project) => {
    const tsc = join(root, 'node_modules', '.bin', 'tsc')
    const { stdout } = await promisify(execFile)(tsc, ['-p', project], { cwd: root })
    expect(stdout).toBe('')
  },
  60_000,
)
