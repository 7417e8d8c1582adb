/** A verification as a page for a vendor's customers. A customer can repeat the verification with the bundle. */
import { html, type Markup } from '../html/markup.ts'
import { page } from '../html/page.ts'
import { verificationHeadline, verificationSubject } from './verification-text.ts'
import type { Verification } from './verify-bundle.ts'

/** The verification as a page, with the proven facts beside the unproven ones. */
export function renderVerificationHtml(verification: Verification, bundle: string): string {
  const { problems, notComparable, unmet, proven, notProven, certificateId } = verification
  const { standing, words } = verificationHeadline(verification)
  const outcome = { good: 'conformant', warn: 'incomplete', bad: 'nonconformant' }[standing]
  return page(
    'ACS certificate verified',
    html`<header class="head"><div class="bar"><p class="brand">ACS certificate</p><button type="button" class="quiet" data-theme-button hidden>Theme: auto</button></div><h1><span class="standing ${outcome}">${words}</span></h1><p>${verificationSubject(verification).trim().replaceAll('  ', ' · ')}</p></header>
<main id="content" class="compared" tabindex="-1">${section('Wrong', problems)}${section('Not comparable', notComparable)}${section('Demanded and not met', unmet)}${section('Proven', proven)}${section('Not proven', notProven)}
<section><h2>Repeat this</h2><p>This page is not the evidence; the bundle is. <code>acs verify ${bundle}</code> computes every verdict again, offline.</p>${certificateId === null ? null : html`<p>Certificate <code>${certificateId}</code></p>`}</section></main>`,
  )
}

function section(title: string, lines: readonly string[]): Markup | null {
  if (lines.length === 0) return null
  return html`<section><h2>${title}</h2><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></section>`
}
