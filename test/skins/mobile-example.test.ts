/** Runs the example of an app in another language against a mock over HTTP; skipped where no Java is. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { createMock } from '../../mock-server/index.ts'

const source = join(import.meta.dirname, '../../examples/mobile/Chat.java')
const hasJava = spawnSync('javac', ['-version']).status === 0
const classes = mkdtempSync(join(tmpdir(), 'acs-mobile-'))
afterAll(() => rmSync(classes, { recursive: true, force: true }))
const limitMs = 60_000

/** What the app prints, line by line. */
async function chat(baseUrl: string, key: string, ...more: readonly string[]): Promise<readonly string[]> {
  const run = promisify(execFile)('java', [
    '-XX:TieredStopAtLevel=1',
    '-cp',
    classes,
    'Chat',
    baseUrl,
    key,
    'How do I "object"?',
    ...more,
  ])
  const { stdout } = await run.catch((cause: { readonly stdout: string }) => cause)
  return stdout.trimEnd().split('\n')
}

test.skipIf(!hasJava)(
  'an app gets an answer in fragments, may leave it, and reads a refusal',
  async () => {
    await promisify(execFile)('javac', ['-J-XX:TieredStopAtLevel=1', '-d', classes, source])
    await using mock = await createMock()
    await using server = await mock.listen({ port: 0 })
    const whole = await chat(server.url, 'acs-demo-primary')
    expect(whole.length).toBeGreaterThan(2)
    expect(whole.map((line) => line.replace(/^fragment: /, '')).join('')).toContain('How do I "object"?')
    const left = await chat(server.url, 'acs-demo-primary', '--stop-after', '1')
    expect(left).toEqual([expect.stringMatching(/^fragment: ./)])
    expect(await chat(server.url, 'nobody')).toEqual([expect.stringMatching(/^refused: \w+/)])
  },
  limitMs,
)
