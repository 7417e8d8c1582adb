/** The inspector as one page: its script and style are in it, and its policy lets nothing else run. */
import { inspectorScript, inspectorStyle, scriptHash, styleHash } from './page-assets.generated.ts'

/** Strings reach the page as text only: the policy forbids every way to make markup of one. */
const policy = [
  "default-src 'none'",
  `style-src '${styleHash}'`,
  `script-src '${scriptHash}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

export const inspectorHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** The page. It holds no data of the mock: it requests all data from the admin API. */
export const inspectorPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>ACS mock · inspector</title><style>${inspectorStyle}</style></head>
<body><noscript>The inspector needs JavaScript. <a href="/_acs">/_acs</a> lists the admin API.</noscript><script>${inspectorScript}</script></body></html>
`
