/** Tests reading overlay files and the message of each fault. */
import { expect, test } from 'vitest'
import { OverlayError } from './overlay-error.ts'
import { overlayDocumentWithFile, overlayDocumentWithText } from './overlay-file.ts'

const document = { paths: { '/a': { get: {} } }, components: { schemas: { Id: { type: 'string' } } } }

const head = 'overlay: 1.0.0\ninfo: { title: t, version: "1" }\n'

const messageOf = (text: string): string => {
  try {
    overlayDocumentWithText(document, text, 'my.overlay.yaml')
  } catch (error) {
    if (error instanceof OverlayError) return error.message
    throw error
  }
  throw new Error('no error')
}

test('an overlay applies, with description and x- fields as comments', () => {
  const text = `${head}actions:\n  - target: $.paths['/a'].get\n    description: why\n    x-gap: auth.missing-key\n    update: { summary: A }\n`
  expect(overlayDocumentWithText(document, text, 'f').paths).toEqual({ '/a': { get: { summary: 'A' } } })
})

test('an overlay may be JSON', () => {
  const text = JSON.stringify({ overlay: '1.0.0', actions: [{ target: '$.components.schemas', remove: true }] })
  expect(overlayDocumentWithText(document, text, 'f').components).toEqual({})
})

test('each use of a YAML alias gets its own copy', () => {
  const text = `${head}actions:
  - target: $.paths
    update: { /b: &b { get: { tags: [x] } }, /c: *b }
  - target: $.paths['/c'].get.tags
    update: y
`
  expect(overlayDocumentWithText(document, text, 'f').paths).toMatchObject({
    '/b': { get: { tags: ['x'] } },
    '/c': { get: { tags: ['x', 'y'] } },
  })
})

test.for<[rule: string, text: string, message: string]>([
  [
    'broken YAML',
    `${head}actions: [`,
    'my.overlay.yaml:3:11: Flow sequence in block collection must be sufficiently indented and end with a ] (fix: repair the YAML)',
  ],
  ['a list at the top', '- a', 'my.overlay.yaml:1:1: an overlay is a map (fix: begin with overlay, info and actions)'],
  ['an empty file', '', 'my.overlay.yaml:1:1: an overlay is a map (fix: begin with overlay, info and actions)'],
  [
    'another version',
    'overlay: 2.0.0\nactions: []',
    'my.overlay.yaml:1:10: not an Overlay 1.0 document (fix: begin with overlay: 1.0.0)',
  ],
  [
    'no actions',
    `${head}actions: []`,
    'my.overlay.yaml:3:10: there are no actions (fix: list at least one under actions)',
  ],
  [
    'an action without target',
    `${head}actions:\n  - update: {}\n`,
    'my.overlay.yaml:4:5: action 1: target is missing (fix: add a JSONPath as target)',
  ],
  [
    'a misspelt field',
    `${head}actions:\n  - target: $\n    updates: {}\n`,
    'my.overlay.yaml:5:14: action 1: unknown field updates (fix: use target, description, update, remove or a field that begins with x-)',
  ],
  [
    'a remove that is no boolean',
    `${head}actions:\n  - target: $.paths\n    remove: yes\n`,
    'my.overlay.yaml:5:13: action 1: remove is neither true nor false (fix: write remove: true)',
  ],
  [
    'a target that selects nothing',
    `${head}actions:\n  - target: $.paths\n    update: { x: 1 }\n  - target: $.nowhere\n    remove: true\n`,
    'my.overlay.yaml:6:13: action 2: target selects nothing: $.nowhere (fix: correct the path, or drop the action (acs spec prints the document it applies to))',
  ],
  [
    'a reference that leads nowhere',
    `${head}actions:\n  - target: $.paths['/a'].get\n    update: { schema: { $ref: '#/components/schemas/Ids' } }\n`,
    'my.overlay.yaml:5:31: reference has no target: #/components/schemas/Ids (fix: define it in the overlay, or use one that exists)',
  ],
  [
    'a reference out of the document',
    `${head}actions:\n  - target: $.paths['/a'].get\n    update: { schema: { $ref: 'other.yaml' } }\n`,
    'my.overlay.yaml:5:31: reference has no target: other.yaml (fix: define it in the overlay, or use one that exists)',
  ],
])('a broken overlay is told in one line with place, reason and fix: %s', ([, text, message]) => {
  expect(messageOf(text)).toBe(message)
})

test('a missing file is reported by name', async () => {
  await expect(overlayDocumentWithFile(document, '/nowhere/x.yaml')).rejects.toThrow(
    '/nowhere/x.yaml: no such file (fix: name an OpenAPI Overlay file)',
  )
})
