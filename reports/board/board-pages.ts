/** The pages of a board: one implementation with its history, one requirement, one gap. */
import type { Verdict } from '../../conformance/index.ts'
import { conformanceLevels, obligationKey } from '../../spec/index.ts'
import { levelState } from '../html/level-list.ts'
import { html, type Markup } from '../html/markup.ts'
import { page } from '../html/page.ts'
import type { Report } from '../report.ts'
import { cellText } from '../sanitize-text.ts'
import { outcomeSigns, outcomeWords, ruleStanding } from '../severity.ts'
import type { CertifiedRun, Implementation } from './certified-run.ts'

/** The current and earlier results of an implementation. */
export function implementationPage({ slug, name, runs }: Implementation): string {
  const [latest] = runs
  const { report, file, certificateId, keyId } = latest
  const failures = report.verdicts.filter(({ outcome }) => outcome === 'violated')
  const requirements = [...new Set(report.verdicts.map(({ requirement }) => requirement))]
  const levels = conformanceLevels.map((level) => [level, levelState(level, report).words] as const)
  return boardPage(name, [
    html`<p>${stateOf(report)} ${latest.version === null ? null : html`version ${latest.version}, `}tested on ${report.run.startedAt.slice(0, 10)} at <code>${report.run.target}</code></p>
<p><img src="../badges/${slug}.svg" alt="ACS: ${report.run.outcome}"></p>
<p>Evidence: <code>${file}</code>, certificate <code>${certificateId}</code>, key <code>${keyId}</code>. <code>acs verify</code> computes it again; the name is what the vendor says.</p>`,
    section(
      'Capabilities',
      table(
        ['capability', 'state'],
        levels.map(([level, words]) => [level, words]),
      ),
    ),
    failures.length === 0
      ? null
      : section('Failures', table(['obligation', 'expected', 'actual'], failures.map(failureCells))),
    section(
      'History',
      table(['tested', 'version', 'outcome', 'capabilities', 'valid until', 'bundle'], runs.map(historyCells)),
    ),
    section('Requirements', requirementTable(requirements, report)),
    section('Answers where the contract is silent', answerTable(report)),
  ])
}

/** The implementations that keep one requirement. */
export function requirementPage(requirement: string, implementations: readonly Implementation[]): string {
  const text = implementations
    .map(({ runs: [run] }) => run.report.rules[requirement])
    .find((rule) => rule !== undefined)
  const rows = implementations.flatMap(({ slug, name, runs }) =>
    runs.map((run, index) => [
      index === 0 ? link(`../implementations/${slug}.html#${requirement}`, name) : '',
      run.report.run.startedAt.slice(0, 10),
      run.version ?? '',
      outcomeCell(run.report, requirement),
      firstFailure(run.report, requirement),
    ]),
  )
  return boardPage(requirement, [
    html`<p>${text?.rule ?? requirement}</p><p class="section">${text?.level ?? ''}, ${text?.basis ?? ''} · ${text?.section ?? ''}</p>`,
    section('Implementations', table(['implementation', 'tested', 'version', 'outcome', 'what was seen'], rows)),
  ])
}

/** The answers of the implementations where the contract is silent. */
export function gapPage(gap: string, implementations: readonly Implementation[]): string {
  const text = implementations.map(({ runs: [run] }) => run.report.questions[gap]).find((one) => one !== undefined)
  const answered = implementations.flatMap(({ slug, name, runs: [run] }) =>
    run.report.observations
      .filter((one) => one.gap === gap)
      .map(({ value, consistent, proposal }) => ({ slug, name, value, consistent, proposal })),
  )
  const answers = [...new Set(answered.map(({ value }) => value))].sort()
  const rows = answers.map((value) => {
    const own = answered.filter((one) => one.value === value)
    const names = own.map(
      ({ slug, name, consistent }) =>
        html`${link(`../implementations/${slug}.html`, name)}${consistent ? null : html` <span class="tag warn">not always</span>`} `,
    )
    return [html`<code>${cellText(value)}</code>`, String(own.length), html`${names}`, own[0]?.proposal ?? '']
  })
  return boardPage(text?.question ?? gap, [
    html`<p class="section"><code>${gap}</code> · ${text?.mark ?? ''} · ${text?.section ?? ''}</p>${text === undefined ? null : html`<p>The mock: <code>${text.mockAnswer}</code></p>`}`,
    section('Answers', table(['answer', 'implementations', '', 'text that the contract could adopt'], rows)),
  ])
}

function boardPage(title: string, content: readonly (Markup | null)[]): string {
  return page(
    title,
    html`<header class="head"><div class="bar"><p class="brand"><a href="../index.html">ACS conformance board</a></p></div><h1>${title}</h1></header><main id="content" class="compared" tabindex="-1">${content}</main>`,
    { isScripted: false },
  )
}

type Cell = string | Markup

function section(title: string, content: Markup): Markup {
  return html`<section><h2>${title}</h2>${content}</section>`
}

function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): Markup {
  const label = heads.join(', ')
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table><thead><tr>${heads.map((head) => (head === '' ? html`<td></td>` : html`<th scope="col">${head}</th>`))}</tr></thead><tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`
}

function link(href: string, text: string): Markup {
  return html`<a href="${href}">${text}</a>`
}

function stateOf({ run }: Report): Markup {
  return html`<span class="standing ${run.outcome}">${run.outcome}</span>`
}

function outcomeCell(report: Report, requirement: string): Cell {
  const { outcome, untested } = ruleStanding(report, requirement)
  if (outcome === null) return ''
  const sign = html`<span class="outcome ${outcome}">${outcomeSigns[outcome]} ${outcomeWords[outcome]}</span>`
  return untested === 0 ? sign : html`${sign} <small>${untested} not tested</small>`
}

function firstFailure({ verdicts }: Report, requirement: string): string {
  const own = verdicts.find((verdict) => verdict.requirement === requirement && verdict.outcome === 'violated')
  return own === undefined ? '' : cellText(`expected ${own.expected ?? ''}; got ${own.actual ?? ''}`)
}

function failureCells(verdict: Verdict): readonly Cell[] {
  const { requirement, expected = '', actual = '' } = verdict
  return [link(`../requirements/${requirement}.html`, obligationKey(verdict)), cellText(expected), cellText(actual)]
}

function historyCells({ report, version, expiresAt, file }: CertifiedRun): readonly Cell[] {
  const { startedAt, granted } = report.run
  return [startedAt.slice(0, 10), version ?? '', stateOf(report), granted.join(', '), expiresAt.slice(0, 10), file]
}

function requirementTable(requirements: readonly string[], report: Report): Markup {
  const rows = requirements.map(
    (id) =>
      html`<tr id="${id}"><th scope="row"><a href="../requirements/${id}.html"><code>${id}</code></a><small>${report.rules[id]?.rule ?? ''}</small></th><td>${outcomeCell(report, id)}</td></tr>`,
  )
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Requirements"><table><thead><tr><th scope="col">requirement</th><th scope="col">outcome</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function answerTable({ observations, questions }: Report): Markup {
  const rows = observations.map(({ gap, value }) => [
    link(`../gaps/${gap}.html`, questions[gap]?.question ?? gap),
    html`<code>${cellText(value)}</code>`,
  ])
  return table(['question', 'answer'], rows)
}
