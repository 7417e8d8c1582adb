/** The README's failing run and the images of documents are what the suite prints and renders today. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documentedReports, pictureDigest, withoutFigures } from '../scripts/documented-reports.ts'

const root = join(import.meta.dirname, '..')
const images = join(root, 'docs', 'images')
const textOf = (...path: readonly string[]): string => readFileSync(join(root, ...path), 'utf8')

/** Every test here says so: after a change, `node scripts/document-examples.ts` writes them anew. */
const { readmeRun, pictures } = await documentedReports()

test('the failing run of the README is what acs test prints, but for its figures', () => {
  const block = `\n\`\`\`console\n${readmeRun}\n\`\`\`\n`
  expect(withoutFigures(textOf('README.md'))).toContain(withoutFigures(block))
})

test('the images show the pages as they are rendered today', () => {
  const digests = Object.fromEntries(pictures.map((picture) => [picture.file, pictureDigest(picture)]))
  expect(JSON.parse(textOf('docs', 'images', 'pictured.json'))).toEqual(digests)
})

test('every image is written by the script and shown by a document', () => {
  const files = readdirSync(images).filter((name) => name.endsWith('.png'))
  expect(files.sort()).toEqual(pictures.map(({ file }) => file).sort())
  const documents = ['README.md', ...readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))]
  const texts = documents.map((name) => (name === 'README.md' ? textOf(name) : textOf('docs', name))).join('\n')
  for (const file of files) expect(texts).toContain(`images/${file}`)
})

test('a page that reads otherwise has another digest', () => {
  const [picture] = pictures
  if (picture === undefined) throw new Error('there is no picture')
  const changed = { ...picture, html: picture.html.replace('Fix first', 'Fix this first') }
  expect(pictureDigest(changed)).not.toBe(pictureDigest(picture))
  expect(pictureDigest({ ...picture, html: picture.html.replace(/\d+ obligations/, '7 obligations') })).toBe(
    pictureDigest(picture),
  )
})
