/**
 * Frames every page of the kit without network access and inline handlers.
 * Its policy lets only this style and this script run, by hash.
 */
import { createHash } from 'node:crypto'
import { html, type Markup } from './markup.ts'
import { pageScript, pageStyle } from './page-assets.generated.ts'

interface PageOptions {
  /** A page of a site goes without the script, and may show images beside it. */
  readonly isScripted?: boolean
}

/** A whole page with the kit's style and script and nothing else allowed to run. */
export function page(title: string, body: Markup, { isScripted = true }: PageOptions = {}): string {
  const content = isScripted ? `script-src '${sourceHash(pageScript)}'` : "img-src 'self'"
  const policy = `default-src 'none'; style-src '${sourceHash(pageStyle)}'; ${content}; base-uri 'none'; form-action 'none'`
  const script = isScripted ? html`<script>${{ markup: pageScript }}</script>` : null
  const { markup } = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><title>${title}</title><style>${{ markup: pageStyle }}</style></head>
<body><a class="skip" href="#content">Skip to the content</a>${body}${script}</body></html>
`
  return markup
}

function sourceHash(source: string): string {
  return `sha256-${createHash('sha256').update(source).digest('base64')}`
}
