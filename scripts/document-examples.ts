/** Writes the failing run into the README and the images into docs/images: `node scripts/document-examples.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startBrowser } from '../test/reports/browser.ts'
import { documentedReports, type Picture, pictureDigest } from './documented-reports.ts'
import { packPng } from './pack-png.ts'

const root = join(import.meta.dirname, '..')
const images = join(root, 'docs', 'images')
const { readmeRun, pictures } = await documentedReports()

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const block = /(?<=^```console\n)\$ acs test [\s\S]*?(?=\n```$)/m
writeFileSync(
  join(root, 'README.md'),
  readme.replace(block, () => readmeRun),
)

await using browser = await startBrowser()

const take = async ({ file, html, element, theme, width, height, hash = '' }: Picture): Promise<void> => {
  const viewport = { width, height: height ?? 900 }
  const { page } = await browser.open(html, { viewport, hash, colorScheme: theme, deviceScaleFactor: 1 })
  const shown = page.locator(`.${element}`).first()
  const picture = await (height === undefined ? shown.screenshot() : page.screenshot())
  writeFileSync(join(images, file), packPng(picture))
  await page.context().close()
}

for (const picture of pictures) await take(picture)
const digests = Object.fromEntries(pictures.map((picture) => [picture.file, pictureDigest(picture)]))
writeFileSync(join(images, 'pictured.json'), `${JSON.stringify(digests, null, 2)}\n`)
