/** What a generated test of pytest says when it fails is about the answer, not about the test. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { pytest } from './pytest.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0

/** The message with which a line of Python fails, behind the helpers of a generated file. */
const failureOf = (line: string): string => {
  const file = pytest.file({ name: 'x', head: [], baseUrl: '"http://127.0.0.1:1"', tests: [] })
  const program = `${file}\ntry:\n    ${line}\nexcept AssertionError as failure:\n    print(failure)\nelse:\n    print('kept')\n`
  // A start script of the shell may write to stderr.
  const { stdout } = spawnSync('python3', ['-'], { input: program, encoding: 'utf8' })
  return stdout.trim()
}

test.skipIf(!hasPython)('a line that is not JSON, and a value that is missing, are named with their place', () => {
  const answer = `(200, '{"id": 1}\\n{"created_at": "2026\\n')`
  expect(failureOf(`check(values("line 2", ${answer}), "object")`)).toBe(
    `no object: line 2 of the stream, which is not JSON: '{"created_at": "2026'`,
  )
  expect(failureOf(`check(values("/name/first", (200, '{"name": {}}')), "string")`)).toBe(
    'no string: missing value first',
  )
  expect(failureOf(`check(values("line 1 /id", ${answer}), "string")`)).toBe('no string: 1')
  expect(failureOf(`equal(values("/a", (200, "{}")), values("/b", (200, "")))`)).toBe('kept')
})
