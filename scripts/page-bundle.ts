/** Bundles the script or the style of a page into a text that can stand inside the page. */
import { createHash } from 'node:crypto'
import { build } from 'esbuild'

/** The minified bundle of an entry file, fit for a `<script>` or `<style>` element. */
export async function pageBundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'ascii',
    legalComments: 'none',
  })
  // A closing tag would end the element.
  return (outputFiles[0]?.text ?? '').trim().replaceAll('</', String.raw`<\/`)
}

/** What a content security policy calls the text. */
export function policyHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
