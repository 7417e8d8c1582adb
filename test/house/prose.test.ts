/** The prose linter finds retired words wherever a reader reads them. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const script = join(import.meta.dirname, '..', '..', 'scripts', 'lint-prose.ts')

const planted = `## Dockets

The **docket** is \`testimony\`, in
order to:

- Utilizes [the gatekeeper—now](gatekeeper.md)

> Objects come
> to be.

| a |
| --- |
| theatre/stage |

\`\`\`
has missing
\`\`\`
`

test('a retired word in prose is reported with its place and the word to write, and not in code', () => {
  const folder = mkdtempSync(join(tmpdir(), 'acs-prose-'))
  try {
    writeFileSync(join(folder, 'planted.md'), planted)
    const { status, stderr } = spawnSync(process.execPath, [script, 'planted.md'], { cwd: folder, encoding: 'utf8' })
    expect(stderr.trim().split('\n')).toEqual([
      'planted.md:1:4: Incorrect term: “Dockets”, use “Trace analysis” instead',
      'planted.md:3:7: Incorrect term: “docket”, use “trace analysis” instead',
      'planted.md:3:32: Incorrect term: “in order to”, use “to” instead',
      'planted.md:6:3: Incorrect term: “Utilizes”, use “Uses” instead',
      'planted.md:6:17: Incorrect term: “gatekeeper”, use “request faults” instead',
      'planted.md:8:11: Incorrect term: “come to be”, use “is created” instead',
      'planted.md:13:3: Incorrect term: “theatre”, use “probe context” instead',
    ])
    expect(status).toBe(1)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
