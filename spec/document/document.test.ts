/** Tests loading and rendering the document in its profiles, versions and formats. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { contractDigest, documentOf, loadDocument } from './document.ts'
import { renderDocument } from './render-document.ts'

const overlayFile = (text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'acs-overlay-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'mine.overlay.yaml')
  writeFileSync(file, text)
  return file
}

test('the contract in OpenAPI 3.1 is the default', async () => {
  expect(await loadDocument()).toBe(documentOf('contract'))
  expect(await loadDocument({ profile: 'reference' })).toBe(documentOf('reference'))
})

test("a vendor's overlay applies to the contract, not to the reference profile", async () => {
  const file = overlayFile(`overlay: 1.0.0
info: { title: Mine, version: '1' }
actions:
  - target: $.info
    update: { title: Mine }
`)
  const document = await loadDocument({ profile: { overlayFile: file } })
  expect(document).toEqual({
    ...documentOf('contract'),
    info: { ...(documentOf('contract').info as object), title: 'Mine' },
  })
})

test('a broken overlay file is refused', async () => {
  const file = overlayFile('overlay: 1.0.0\nactions: none\n')
  await expect(loadDocument({ profile: { overlayFile: file } })).rejects.toThrow(`${file}:2:10: there are no actions`)
})

test.for(['contract', 'reference'] as const)(
  'the %s document survives both formats in both versions',
  async (profile) => {
    for (const openapi of ['3.1', '3.2'] as const) {
      const document = await loadDocument({ profile, openapi })
      expect(document.openapi).toBe(`${openapi}.0`)
      expect(parse(renderDocument(document, 'yaml'))).toEqual(document)
      expect(parse(renderDocument(document, 'yaml'), { version: '1.1' })).toEqual(document)
      expect(JSON.parse(renderDocument(document, 'json'))).toEqual(document)
    }
  },
)

test('the digest of the contract is a SHA-256 in hex, and stays the same', () => {
  expect(contractDigest()).toMatch(/^[0-9a-f]{64}$/)
  expect(contractDigest()).toBe(contractDigest())
})
