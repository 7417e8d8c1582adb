/** Renders the page of a run that shows nothing: the attempts, and the command for the next one. */
import { exchangeLine } from '../body-text.ts'
import { shellWord } from '../curl.ts'
import type { Report, ReportedExchange } from '../report.ts'
import { commandBlock } from './failure-section.ts'
import { html, type Markup } from './markup.ts'

/** Kinds of attempts that are listed. */
const shownAttempts = 6

/** Attempts and commands. */
export function invalidSection({ run, exchanges }: Report, targetFile?: string): Markup {
  const counts = new Map<string, number>()
  for (const attempt of exchanges.map(attemptOf)) counts.set(attempt, (counts.get(attempt) ?? 0) + 1)
  const attempts = [...counts].sort(([, one], [, other]) => other - one)
  const target = targetFile === undefined ? shellWord(run.target) : `--target ${shellWord(targetFile)}`
  return html`<section id="attempts" aria-labelledby="attempts-title"><h2 id="attempts-title">What was tried</h2>
${attempts.length === 0 ? html`<p>Nothing was sent.</p>` : html`<ul class="attempts">${attempts.slice(0, shownAttempts).map(([attempt, count]) => html`<li>${count} × <code>${attempt}</code></li>`)}</ul>`}
${attempts.length > shownAttempts ? html`<p class="hint">and ${attempts.length - shownAttempts} other kinds; trace.ndjson holds all of them</p>` : null}
</section>
<section aria-labelledby="to-do-title"><h2 id="to-do-title">What to do</h2><p>Check that the service runs at this address and accepts your key, then run the suite again.</p>
${commandBlock(`acs doctor ${target}\nacs test ${target}`)}</section>`
}

function attemptOf(exchange: ReportedExchange): string {
  return exchange.failure === undefined ? exchangeLine(exchange) : `${exchangeLine(exchange)}: ${exchange.failure}`
}
