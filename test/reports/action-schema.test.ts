/** The action and the workflows that docs/ci.md shows are valid by the schemas of GitHub. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// The package is CommonJS whose names Node cannot see.
const { validateAction, validateWorkflow } = createRequire(import.meta.url)(
  '@action-validator/core',
) as typeof import('@action-validator/core')

const root = join(import.meta.dirname, '..', '..')
const action = readFileSync(join(root, 'action.yml'), 'utf8')

test('the action is valid, and the validator is able to fail', () => {
  expect(validateAction(action).errors).toEqual([])
  expect(validateAction(action.replace('using: composite', 'using: shell')).errors).not.toEqual([])
})

test('every workflow of docs/ci.md is valid once it says when it runs', () => {
  const page = readFileSync(join(root, 'docs', 'ci.md'), 'utf8')
  const workflows = [...page.matchAll(/```yaml\n(jobs:\n[\s\S]*?)```/g)].map(([, text = '']) => `on: push\n${text}`)
  expect(workflows.length).toBeGreaterThan(1)
  for (const workflow of workflows) expect(validateWorkflow(workflow).errors, workflow).toEqual([])
})
